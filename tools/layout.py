"""Checks the layout of our packages: `python -m tools.layout` prints what breaks its rules.

1. A package has a face: its `__init__.py` names in `__all__` what other packages use. Code outside
   a package imports from the package, never from its files. Commands have no face: the table in
   `arena/cli/app.py` names their files, so that only the command that runs is loaded. A package
   without `__all__` has none either: each of its files is a subject of its own.
2. A folder has at most MOST_FILES modules, few enough to keep in mind, unless it is a list of
   modules of one kind.

import-linter checks the layers between and inside packages; this module checks how they are
entered.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = {"arena": ROOT, "sevens_games": ROOT / "rules" / "src"}  # and where they are
CHECKED = {**PACKAGES, "bench": ROOT, "tools": ROOT}
MOST_FILES = 15
LISTS = ("sevens_games", "versions")  # a module a game, a module a migration


def main() -> int:
    """Prints every problem; returns the exit code."""
    problems = all_problems()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def all_problems() -> list[str]:
    """Returns a sentence for each breach of a rule."""
    crowded = [crowded_folders(above / package) for package, above in PACKAGES.items()]
    return [*chain(*crowded), *hidden_imports()]


def crowded_folders(top: Path) -> Iterator[str]:
    """Yields a sentence for every folder with too many modules."""
    for folder in sorted(path for path in [top, *top.rglob("*")] if path.is_dir()):
        count = len([path for path in folder.glob("*.py") if path.name != "__init__.py"])
        if count > MOST_FILES and folder.name not in LISTS:
            yield f"{folder.relative_to(top.parent)}: {count} modules; {MOST_FILES} are allowed."


def hidden_imports() -> Iterator[str]:
    """Yields a sentence for every import that bypasses a package's face."""
    faces = {
        module_of(file.relative_to(above)): exported(file)
        for package, above in PACKAGES.items()
        for file in (above / package).rglob("__init__.py")
    }
    for top, above in CHECKED.items():
        for file in sorted((above / top).rglob("*.py")):
            importer = module_of(file.relative_to(above))
            for line, module, name in imports(file):
                if problem := past_the_face(importer, module, name, faces):
                    yield f"{file.relative_to(ROOT)}:{line}: {problem}"


def past_the_face(importer: str, module: str, name: str, faces: dict[str, set[str]]) -> str:
    """Returns what is wrong with `from module import name`; empty if nothing is."""
    package = module if module in faces else module.rpartition(".")[0]
    if package.startswith("arena.cli") or not faces[package]:
        return ""
    if f"{importer}.".startswith(f"{package}.") or f"{module}.{name}" in faces:
        return ""
    if module not in faces:
        return f"import {name} from {package}, not from its file {module}."
    if name not in faces[module] | {"__all__", "*"}:
        return f"{name} is not in the __all__ of {module}."
    return ""


def imports(file: Path) -> Iterator[tuple[int, str, str]]:
    """Yields line, module and name of every import from one of PACKAGES."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES:
            for alias in node.names:
                yield node.lineno, node.module or "", alias.name


def exported(file: Path) -> set[str]:
    """Returns the names in the `__all__` of a package; none if it has no such list."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def module_of(file: Path) -> str:
    """Returns the dotted name of a file, given relative to the folder above its package."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


if __name__ == "__main__":
    sys.exit(main())
