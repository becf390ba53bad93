"""Package faces whose modules are imported when a name of theirs is first used.

A command uses a few names of each package, and the imports of all the others take longer than most
commands run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

GUARD = "TYPE_CHECKING"


def on_demand(package: str) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a package that imports its names in a block `if TYPE_CHECKING:`.

    No name may be that of a module of the package, which would take its place.
    """
    face = sys.modules[package]
    assert face.__file__ is not None  # it is a package with a file
    tree = ast.parse(Path(face.__file__).read_text())
    blocks = [one.body for one in tree.body if isinstance(one, ast.If) and _guards(one)]
    found = [one for block in blocks for one in block if isinstance(one, ast.ImportFrom)]
    modules = {alias.name: one.module or "" for one in found for alias in one.names}

    def imported(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(face, name, value)
        return value

    return imported


def _guards(block: ast.If) -> bool:
    return isinstance(block.test, ast.Name) and block.test.id == GUARD
