"""Checks the layout of `arena/`: `python -m tools.layout` prints what breaks its rules.

1. A package has a face: its `__init__.py` names in `__all__` what other packages use. Code outside
   a package imports from the package, never from its files. Commands have no face: the table in
   `arena/cli/app.py` names their files, so that only the command that runs is loaded. A package
   without `__all__` has none either: each of its files is a subject of its own.
2. A folder has at most MOST_FILES modules, few enough to keep in mind, unless all are of one kind.

import-linter checks the layers between and inside packages; this module checks how they are
entered.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKED = ("arena", "bench", "tools")
MOST_FILES = 15
ONE_A_SUBJECT = {"games", "versions"}  # a file a game, and a file a migration


def main() -> int:
    """Prints every problem; returns the exit code."""
    problems = [*crowded_folders(ROOT / "arena"), *hidden_imports(ROOT)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def crowded_folders(top: Path) -> Iterator[str]:
    """Yields a sentence for every folder with too many modules."""
    for folder in sorted(path for path in top.rglob("*") if path.is_dir()):
        count = len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
        if count > MOST_FILES and folder.name not in ONE_A_SUBJECT:
            yield f"{folder.relative_to(top.parent)}: {count} modules; {MOST_FILES} are allowed."


def hidden_imports(root: Path) -> Iterator[str]:
    """Yields a sentence for every import that bypasses a package's face."""
    faces = {package_of(file): exported(file) for file in (root / "arena").rglob("__init__.py")}
    for file in sorted(file for top in CHECKED for file in (root / top).rglob("*.py")):
        importer = module_of(file.relative_to(root))
        for line, module, name in imports(file):
            if problem := past_the_face(importer, module, name, faces):
                yield f"{file.relative_to(root)}:{line}: {problem}"


def past_the_face(importer: str, module: str, name: str, faces: dict[str, set[str]]) -> str:
    """Returns what is wrong with `from module import name`; empty if nothing is."""
    package = module if module in faces else module.rpartition(".")[0]
    if package.startswith("arena.cli") or not faces[package]:
        return ""
    if f"{importer}.".startswith(f"{package}.") or f"{module}.{name}" in faces:
        return ""
    if module not in faces:
        return f"import {name} from {package}, not from its file {module}."
    if name not in faces[module]:
        return f"{name} is not in the __all__ of {module}."
    return ""


def imports(file: Path) -> Iterator[tuple[int, str, str]]:
    """Yields line, module and name of every `from arena… import …`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "arena":
            for alias in node.names:
                yield node.lineno, node.module or "", alias.name


def exported(file: Path) -> set[str]:
    """Returns the names in the `__all__` of a package; none if it has no such list."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def package_of(file: Path) -> str:
    """Returns the name of the package whose `__init__.py` this is."""
    return ".".join(file.parent.relative_to(ROOT).parts)


def module_of(file: Path) -> str:
    """Returns the dotted name of a file, given relative to the root."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


if __name__ == "__main__":
    sys.exit(main())
