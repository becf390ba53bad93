"""The `arena` command."""

from arena.cli.app import main

__all__ = ["main"]
