"""Loads commands lazily: a module is imported when its command is run or its own help is shown.

A list of commands needs no more than their names and summaries.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from arena.cli.output import print_help_literally

COMMANDS = "arena.cli.commands"


class Command(TyperCommand):
    """A command with all its parameters."""

    def get_help_option(self, ctx: Any) -> Any:
        return _parsed(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        print_help_literally()
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """A group of commands."""

    def get_help_option(self, ctx: Any) -> Any:
        return _parsed(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        print_help_literally()
        super().format_help(ctx, formatter)


def _parsed(help_option: Any) -> Any:
    """Gives --help a default that needs no parsing, unlike Typer's own, None: Typer parses with
    Pydantic, which takes longer to import than anything else that `arena version` does."""
    help_option.default = False
    return help_option


class LazyCommand(TyperCommand):
    """A command of which only the name and the summary are known until it is loaded.

    `place`: MODULE:NAME below arena.cli.commands, of a function or of a `typer.Typer`.
    """

    def __init__(self, name: str, place: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self.place = place

    def load(self) -> Any:
        """Imports the command and returns it as Typer runs it."""
        module, _, name = self.place.partition(":")
        found = getattr(import_module(f"{COMMANDS}.{module}"), name)
        app = typer.Typer()
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=self.name, cls=Group)
        else:
            app.command(self.name, cls=Command)(found)
        return get_group(app).commands[str(self.name)]


class LazyGroup(Group):
    """A group of commands that loads only the one that is called."""

    def __init__(self, name: str, summary: str, panels: Panels) -> None:
        super().__init__(name=name, help=summary)
        for panel, entries in panels.items():
            for entry, found in entries.items():
                command = found if isinstance(found, LazyGroup) else LazyCommand(entry, *found)
                command.rich_help_panel = panel
                self.add_command(command)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest


Panels: TypeAlias = Mapping[str, Mapping[str, tuple[str, str] | LazyGroup]]
"""By the headings of the help, its commands by name: place and summary, or a group."""
