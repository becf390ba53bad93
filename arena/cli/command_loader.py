"""Loads commands lazily: a module is imported when its command is run or its own help is shown.

A list of commands needs only their names and summaries.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group, get_install_completion_arguments

from arena.cli.output import print_help_literally, stdout
from arena.nearest import did_you_mean, no_such

COMMANDS = "arena.cli.commands"
EXAMPLES = "\n\nExamples:\n"


class Command(TyperCommand):
    """A command with all its parameters. The last paragraph of its docstring has examples, one
    per line, each with a remark after `#`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        text, _, examples = inspect.cleandoc(settings.get("help") or "").partition(EXAMPLES)
        self.examples = tuple(line.strip() for line in examples.splitlines())
        super().__init__(*arguments, **settings | {"help": _unwrapped(text)})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _suggesting_options(self, ctx):
            return super().parse_args(ctx, args)

    def get_help_option(self, ctx: Any) -> Any:
        return _parsed(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        print_help_literally()
        super().format_help(ctx, formatter)
        if self.examples:
            _print_examples(self.examples)


class Group(TyperGroup):
    """A group of commands.

    `usual`: the command that runs if none is named; empty if there is none.
    """

    usual = ""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            ctx.fail(no_such("command", args[0], self.commands))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _suggesting_options(self, ctx):
            return super().parse_args(ctx, self._named(ctx, args))

    def _named(self, ctx: Any, args: list[str]) -> list[str]:
        """Returns the arguments with the name of the usual command, if it is meant: before a word
        that is no command, and before an option that only the usual command has."""
        if not self.usual or not args or args[0] in self.commands:
            return args
        option = args[0].partition("=")[0]
        if option.startswith("-") and (_has(self, option) or not self._usual_has(option)):
            return args
        return [self.usual, *args]

    def _usual_has(self, option: str) -> bool:
        command = self.commands[self.usual]
        return _has(command.load() if isinstance(command, LazyCommand) else command, option)

    def get_help_option(self, ctx: Any) -> Any:
        return _parsed(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        print_help_literally()
        super().format_help(ctx, formatter)


def _has(command: Any, option: str) -> bool:
    return any(option in parameter.opts for parameter in command.params)


@contextmanager
def _suggesting_options(command: TyperCommand | TyperGroup, ctx: Any) -> Iterator[None]:
    """Adds an explanation to Typer's error about an unknown option."""
    try:
        yield
    except typer.TyperException as error:
        if not hasattr(error, "possibilities"):  # which only the error about such an option has
            raise
        typed = str(getattr(error, "option_name", ""))
        options = [name for parameter in command.get_params(ctx) for name in parameter.opts]
        ctx.fail(f"There is no option {typed}. {did_you_mean(typed, options)}".strip())


def _unwrapped(text: str) -> str:
    """Returns the paragraphs of a docstring on a line each, for a terminal of any width."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _print_examples(examples: Sequence[str]) -> None:
    from rich.text import Text

    stdout.print(Text(" Examples:", "bold"))
    for example in examples:
        command, hash_sign, remark = example.partition("#")
        stdout.print(Text.assemble(f"   {command}", (hash_sign + remark, "dim")))
    stdout.print()


def _parsed(flag: Any) -> Any:
    """Gives a flag a default that needs no parsing, unlike Typer's own, None: Typer parses with
    Pydantic, which takes longer to import than anything else that `arena version` does."""
    flag.default = False
    return flag


class LazyCommand(TyperCommand):
    """A command with only a name and a summary until it is loaded.

    `place`: MODULE:NAME below arena.cli.commands, of a function or of a `typer.Typer`.
    `summary`: of a `typer.Typer`; a function's docstring begins with its own.
    """

    def __init__(self, name: str, place: str, summary: str = "") -> None:
        super().__init__(name, help=summary)
        module, _, self._name = place.partition(":")
        self._module = f"{COMMANDS}.{module}"

    def summary(self) -> str:
        """Returns the summary; a function's is read from its compiled module, which is not run."""
        if self.help:
            return self.help
        path = Path(__file__).with_name("commands").joinpath(*self._module.split(".")[3:])
        code = SourceFileLoader(self._module, f"{path}.py").get_code(self._module)
        assert code is not None
        [function] = [one for one in code.co_consts if getattr(one, "co_name", "") == self._name]
        return _unwrapped(inspect.cleandoc(function.co_consts[0]).partition("\n\n")[0])

    def load(self) -> Any:
        """Imports the command and returns it as Typer runs it."""
        with _without_collecting():
            found = getattr(import_module(self._module), self._name)
        app = typer.Typer()
        if isinstance(found, typer.Typer):
            for command in found.registered_commands:
                command.cls = Command
            app.add_typer(found, name=self.name, help=self.summary(), cls=_class_of(found))
        else:
            app.command(self.name, cls=Command)(found)
        return get_group(app).commands[str(self.name)]


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Turns the garbage collector off: it takes a fifth of the time of imports, and finds nothing
    in them. What has been imported it leaves out from then on, also when the process ends."""
    modules, collects = len(sys.modules), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > modules:
            gc.freeze()
        if collects:
            gc.enable()


def _class_of(app: typer.Typer) -> type[Group]:
    kind = app.info.cls
    return kind if isinstance(kind, type) and issubclass(kind, Group) else Group


class LazyGroup(Group):
    """A group of commands that loads only the one that is called."""

    def __init__(
        self, name: str, summary: str, panels: Panels, *, usual: str = "", **settings: Any
    ) -> None:
        unnamed = f"`arena {name} ...` without a command is `arena {name} {usual} ...`."
        super().__init__(name=name, help=summary, epilog=unnamed if usual else None, **settings)
        self.usual = usual
        for panel, entries in panels.items():
            for entry, found in entries.items():
                command = found if isinstance(found, LazyGroup) else _lazy(entry, found)
                command.rich_help_panel = panel
                self.add_command(command)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        if isinstance(found, LazyCommand):
            found.help = found.summary()
        return found

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest


def _lazy(name: str, found: str | tuple[str, str]) -> LazyCommand:
    return LazyCommand(name, found) if isinstance(found, str) else LazyCommand(name, *found)


def own_flags(function: Callable[..., None]) -> list[Any]:
    """Returns the flags of the program itself: those that a function declares, and those that
    complete its commands in a shell."""
    app = typer.Typer()
    app.callback()(function)
    return list(map(_parsed, (*get_group(app).params, *get_install_completion_arguments())))


Panels: TypeAlias = Mapping[str, Mapping[str, str | tuple[str, str] | LazyGroup]]
"""By the headings of the help, its commands by name: the place of a function; place and summary of
a `typer.Typer`; or a group."""
