"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.bots import Isolation
from arena.cli.output import stderr
from arena.client.address import grpc_address
from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from sevens_games.engine import GameOf, OptionValue

if TYPE_CHECKING:
    from arena.bots.sandbox import Runtime
    from arena.bots.source import Source

DEFAULT_DATA = Path("arena-data")
PAGES_ADDRESS = "127.0.0.1:7778"
SERVER = "ARENA_SERVER"
REDIS = "ARENA_REDIS"


def _unless_data_is_typed(context: typer.Context, server: str) -> str:
    """The command line wins over the environment: a `--data` that was typed turns ARENA_SERVER
    off. (Typer reads typed options first.)"""
    sources = {one: context.get_parameter_source(one) for one in ("server", "data")}
    names = {one: source.name for one, source in sources.items() if source is not None}
    return "" if names == {"server": "ENVIRONMENT", "data": "COMMANDLINE"} else server


ServerOption = Annotated[
    str,
    typer.Option(
        "--server",
        envvar=SERVER,
        callback=_unless_data_is_typed,
        help="The arena: the address of its pages, such as https://arena.example.",
    ),
]

DataOption = Annotated[
    Path, typer.Option("--data", envvar="ARENA_DATA", help="The data folder.", show_default=True)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set an option of the game; repeatable."),
]
BankOption = Annotated[
    int,
    typer.Option(
        "--bank-ms", min=0, max=86_400_000, help="Time bank of a seat per match, in milliseconds."
    ),
]
IncrementOption = Annotated[
    int,
    typer.Option(
        "--increment-ms",
        min=0,
        max=3_600_000,
        help="Time added before each decision, in milliseconds.",
    ),
]
WORKERS = os.cpu_count() or 1
WorkersOption = Annotated[
    int, typer.Option(min=0, help="Worker processes. 0: start none; use `arena worker`.")
]
RedisOption = Annotated[
    str, typer.Option(envvar=REDIS, help="Use this Redis instead of the embedded Valkey.")
]
SandboxOption = Annotated[
    Isolation | None,
    typer.Option(
        "--sandbox",
        help="Isolation of bots. [default: bubblewrap; if it is missing, `play`, `demo` and "
        "`bot check` warn and run bots without a sandbox; other commands refuse]",
    ),
]


def hint(command: str, data: Path, server: str = "") -> str:
    """Returns the command as the user should type it for this server or, if that is empty, for this
    data folder."""
    usual = os.environ.get(SERVER, "")
    if server:
        return command if server == usual else f"{command} --server {server}"
    if data == DEFAULT_DATA and not usual:
        return command
    return f"{command} --data {shlex.quote(str(data))}"


def submitting_address(server: str) -> str:
    """Returns the address by gRPC of the arena to submit to. Raises ArenaError."""
    try:
        return grpc_address(server)
    except ArenaError as failure:
        if failure.kind is not Kind.UNREACHABLE or server != PAGES_ADDRESS or SERVER in os.environ:
            raise
        sentence = f"{failure.sentence} To submit elsewhere, set {SERVER} or pass --server."
        raise ArenaError(failure.kind, sentence, failure.field) from None


def parsed_options(game: GameOf, settings: Sequence[str] | None) -> dict[str, OptionValue]:
    """Returns the options given with `--set`, converted to the types that the game declares."""
    options: dict[str, OptionValue] = {}
    for setting in settings or ():
        name, equals, text = setting.partition("=")
        if not equals:
            raise ArenaError(Kind.WRONG_INPUT, f"--set takes NAME=VALUE, not {setting!r}.", "set")
        if name not in game.options:
            raise ArenaError(
                Kind.WRONG_INPUT, no_such("option", name, game.options, f"of {game.title}"), "set"
            )
        try:
            options[name] = game.options[name].parse(text)
        except ValueError as error:
            raise ArenaError(Kind.WRONG_INPUT, str(error), "set") from None
    return options


def found_bot(reference: str, *, to_run: bool = True) -> Source:
    """Returns the bot that a reference names. `to_run`: it must be built already. Raises
    UnknownBot."""
    from arena.bots import check_built, find_bot  # which take long to load

    source = find_bot(reference)
    say_left_out(source)
    if to_run:
        check_built(source, reference)
        say_what_cannot_load(source)
    return source


def say_what_cannot_load(source: Source) -> None:
    """Names the modules of a bot that this machine's Python for bots cannot load."""
    from arena.bots.source import Program, PythonBuild, about_foreign_modules

    if isinstance(source, Program):
        python = PythonBuild.of_bots()
        if sentence := about_foreign_modules(source.manifest.run, source.content(), python):
            stderr.say(sentence, style="yellow")


def say_left_out(source: Source) -> None:
    """Names the files in the bot's folder that are not part of it because they may be secret."""
    from arena.bots.source import Program, private_files

    if isinstance(source, Program) and (sentence := private_files(source.private())):
        stderr.say(sentence)


def chosen_sandbox(wanted: Isolation | None, *, required: bool) -> Isolation:
    """Returns the isolation to use: bubblewrap, unless the user chose none. If bubblewrap does
    not work, the command fails if a sandbox is `required`, and otherwise warns."""
    if wanted is Isolation.NONE:
        return wanted
    from arena.bots.sandbox import missing_for_sandbox  # which takes long to load

    missing = missing_for_sandbox()
    if missing is None:
        return Isolation.BUBBLEWRAP
    if required or wanted is not None:
        raise ArenaError(
            Kind.ARENA_FAILED,
            f"{missing} To run bots without a sandbox, pass --sandbox=none.",
            "sandbox",
        )
    stderr.print(
        f"Running bots without a sandbox; only do this with bots you trust. {missing}",
        style="yellow",
    )
    return Isolation.NONE


def say_who_works(workers: int, data: Path) -> None:
    """Explains how to start workers if the command starts none."""
    if not workers:
        stderr.print(
            f"This command starts no workers. Start some with `{hint('arena worker', data)}`.",
        )


def runtimes_for_bots() -> tuple[Runtime, ...]:
    """Builds the Python for bots if it is missing or outdated; returns the other runtimes. Raises
    WrongRuntimes."""
    from arena.bots.sandbox import build_if_outdated, named_runtimes  # which take long to load

    try:
        build_if_outdated()
    except OSError as error:
        raise ArenaError(
            Kind.ARENA_FAILED,
            f"The Python runtime for bots could not be built: {error}. Build it as a user who may"
            f" write there: {sys.executable} -m arena.bots.sandbox",
            "runtimes",
        ) from None
    return named_runtimes()


def named_version(reference: str, field: str) -> tuple[str, int]:
    """Returns the name and the number in BOT or BOT@NUMBER; the number is 0 if it is not given.
    Raises ArenaError, which blames `field`."""
    bot, at, number = reference.partition("@")
    if not at:
        return bot, 0
    if not number.isascii() or not number.isdigit() or not 0 < int(number[:10]) < 2**31:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{reference} is not a version: write BOT@NUMBER, such as {bot or 'my-bot'}@3.",
            field,
        )
    return bot, int(number)
