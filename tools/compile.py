"""Compiles the rules of the games, and the writer of decisions, with mypyc: `make compiled`.

The result is a copy of both packages in `build/compiled`; put that first on PYTHONPATH to run it.
`docs/compiled.md` describes its use and what it gains.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build" / "compiled"
RULES, ARENA = ROOT / "rules" / "src" / "sevens_games", ROOT / "arena"
SETTINGS = "[mypy]\nfollow_imports = silent\n"
HEADER = "Python.h"
# A subclass of str, a generic dataclass, a Mapping that must equal others; and what no rule calls.
INTERPRETED = {
    "engine/actions.py",
    "engine/game.py",
    "engine/observation.py",
    "registry.py",
    "serve.py",
}
# Games and sources of chance that are not compiled derive from these.
BASES = {"State", "Deals", "SeededDeals", "StackedDeals"}
# Functions check the types of these arguments themselves and report a wrong one in a sentence; a
# compiled function would raise TypeError, or accept True as seat 1.
CAREFUL = {"Match", "SeededDeals", "_refusal"}
GIVEN = {"seat", "viewer", "action", "seed"}
IMPORTS = """
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any, Final as _Final
if _TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
"""
# Classes of mypyc reject a base whose slots are truthy.
SLOTS = """
setattr({name}, "__slots__", type("Slots", (tuple,), {{"__bool__": lambda _: False}})({names}))
"""


def main() -> None:
    """Copies the packages, compiles them and checks that no module is missing; a failure leaves no
    files behind."""
    if lacking := what_is_lacking():
        sys.exit(lacking)
    try:
        build()
    except BaseException:
        shutil.rmtree(BUILT, ignore_errors=True)
        raise


def build() -> None:
    """Creates the compiled copy. The packages are compiled one by one: modules that are compiled
    together share a library, and each package is installed without the other."""
    shutil.rmtree(BUILT, ignore_errors=True)
    for package in (RULES, ARENA):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, BUILT / package.name, ignore=ignored)
    (BUILT / "arena" / "shipped").symlink_to(ROOT)  # the sample bots and the like
    modules = []
    for chosen in (rules(BUILT / "sevens_games"), [writer_of_decisions(BUILT / "arena")]):
        for module in chosen:
            module.write_text(compilable(module.read_text()))
        run_mypyc([str(path.relative_to(BUILT)) for path in chosen])
        modules += chosen
    if left_out := [path for path in modules if not list(path.parent.glob(f"{path.stem}.*.so"))]:
        sys.exit(f"mypyc left out {', '.join(str(path.relative_to(BUILT)) for path in left_out)}.")
    print(f"{len(modules)} modules are compiled. To use them: PYTHONPATH={BUILT}")


def what_is_lacking() -> str:
    """Returns a sentence that says what to install so that this machine can compile; empty if
    nothing."""
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        return "To compile the rules, install mypyc: pip install --editable '.[compiled]'"
    return compiler_lacking()


def compiler_lacking() -> str:
    """Returns the sentence for a C compiler; empty if it is installed."""
    compiler = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")
    if shutil.which(compiler.split()[0]) is None:
        return f"To compile the rules, install a C compiler: there is no {compiler.split()[0]!r}."
    header = Path(sysconfig.get_path("include"), HEADER)
    if not header.exists():
        return f"To compile the rules, install Python's headers: there is no {header}."
    return ""


def rules(package: Path) -> list[Path]:
    """Returns the modules of the rules except INTERPRETED and the packages' faces."""
    return [
        path
        for path in sorted(package.rglob("*.py"))
        if path.name != "__init__.py" and str(path.relative_to(package)) not in INTERPRETED
    ]


def writer_of_decisions(arena: Path) -> Path:
    """Returns the module that takes as much of a host's time as the rules."""
    return arena / "protocol" / "frames.py"


def compilable(source: str) -> str:
    """Returns the module's source in the form that mypyc requires.

    Constants become final, so that they are not looked up by name. Classes lose their slots, which
    compiled classes cannot have and do not need; only BASES keep theirs, for the dataclasses
    derived from them.
    """
    body = ast.parse(source).body
    lines = source.splitlines(keepends=True)
    slots = []
    for node in body:
        name = getattr(node, "name", "")
        if name in CAREFUL:
            take_types_away(node, lines)
        if isinstance(node, ast.Assign) and is_constant(node):
            at = node.lineno - 1
            lines[at] = lines[at].replace(" =", ": _Final =", 1)
        elif isinstance(node, ast.ClassDef):
            at = min([node.lineno, *[part.lineno for part in node.decorator_list]]) - 1
            lines[at] = re.sub(r"slots=True(, )?", "", lines[at])
            if name in BASES:
                lines[at] = f"@mypyc_attr(allow_interpreted_subclasses=True)\n{lines[at]}"
                slots.append(SLOTS.format(name=name, names=attributes(node)))
    after = max((n.end_lineno or 0 for n in body if comes_before_imports(n)), default=0)
    return "".join([*lines[:after], IMPORTS, *lines[after:], *slots])


def attributes(node: ast.ClassDef) -> tuple[str, ...]:
    """Returns the attributes of a dataclass, or the names in a class's slots."""
    names = [ast.unparse(part.target) for part in node.body if isinstance(part, ast.AnnAssign)]
    for part in node.body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__slots__":
            names += ast.literal_eval(part.value)
    return tuple(names)


def take_types_away(node: ast.AST, lines: list[str]) -> None:
    """Removes the annotations of GIVEN parameters from functions, so that they accept any type."""
    for part in ast.walk(node):
        if isinstance(part, ast.arg) and part.arg in GIVEN and part.annotation is not None:
            at = part.lineno - 1
            typed = f"{part.arg}: {ast.unparse(part.annotation)}"
            lines[at] = lines[at].replace(typed, f"{part.arg}: _Any", 1)


def is_constant(node: ast.Assign) -> bool:
    """True for the definition of a constant. A single capital letter is a type variable."""
    target = node.targets[0]
    named = isinstance(target, ast.Name) and re.fullmatch(r"[A-Z][A-Z0-9_]+", target.id)
    return len(node.targets) == 1 and bool(named)


def comes_before_imports(node: ast.stmt) -> bool:
    """True for a docstring or an import from `__future__`."""
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def run_mypyc(modules: list[str]) -> None:
    """Runs mypyc; prints its output, which is long, only if it fails."""
    (BUILT / "mypyc.ini").write_text(SETTINGS)
    command = [sys.executable, "-m", "mypyc", "--config-file", "mypyc.ini", *modules]
    environment = {**os.environ, "MYPYPATH": str(BUILT)}
    done = subprocess.run(
        command, cwd=BUILT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}")
    shutil.rmtree(BUILT / "build")  # the C files


if __name__ == "__main__":
    main()
