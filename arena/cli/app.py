"""The command's entry: which commands there are, and how each failure ends."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import typer
from sqlalchemy.exc import DBAPIError

from arena.bots.interface import ArenaFailure
from arena.cli.commands import games, token
from arena.cli.commands.bot import check, manage
from arena.cli.commands.demo import demo
from arena.cli.commands.doctor import doctor
from arena.cli.commands.ladder import change, create, show
from arena.cli.commands.matches import matches
from arena.cli.commands.play.command import play
from arena.cli.commands.ratings import ratings
from arena.cli.commands.records import log, replay, verify
from arena.cli.commands.serve import serve
from arena.cli.commands.submit import submit
from arena.cli.commands.upgrade import upgrade
from arena.cli.commands.version import version
from arena.cli.commands.worker import worker
from arena.cli.output import print_error
from arena.client.errors import CommandError, Exit
from arena.games import UnknownGame
from arena.queue.address import WrongAddress
from arena.queue.redis_queue import QueueUnreachable
from arena.records.strict_json import BadRecord
from arena.store.data_folder import WrongDataFolder

app = typer.Typer(
    name="arena",
    help="Sevens Arena: bots of any language play card games, and are rated.",
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(demo)
app.add_typer(games.app, name="games")
app.command()(play)
app.add_typer(check.app, name="bot")
check.app.command("list")(manage.list_versions)
check.app.command("faults")(manage.faults)
check.app.command("retire")(manage.retire)
check.app.command("readmit")(manage.readmit)
check.app.command("delete")(manage.delete)
app.command()(serve)
app.command()(worker)
app.command()(submit)
app.add_typer(token.app, name="token")
app.add_typer(create.app, name="ladder")
create.app.command("list")(show.list_ladders)
create.app.command()(show.show)
create.app.command()(change.enter)
create.app.command()(change.leave)
create.app.command()(change.pause)
create.app.command()(change.resume)
create.app.command()(change.delete)
app.command()(ratings)
app.command()(matches)
app.command()(log)
app.command()(replay)
app.command()(verify)
app.command()(doctor)
app.command()(upgrade)
app.command()(version)


@app.callback(invoke_without_command=True)
def arena(context: typer.Context) -> None:
    """Sevens Arena: bots of any language play card games, and are rated."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits with its code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Runs a command and returns its exit code. Every failure is explained on stderr."""
    try:
        code = app(arguments, prog_name="arena", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt, asyncio.CancelledError):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.DONE  # the reader of our output, `head` say, has had enough
    except Exception as error:
        explained = _explained(error)
        if explained is None:
            raise
        print_error(explained.sentence, explained.field, as_json="--json" in arguments)
        return explained.code
    return code if isinstance(code, int) else Exit.DONE


def _command(error: typer.TyperException) -> str:
    """The command whose usage was wrong, as far as it is known."""
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "arena"


def _explained(error: Exception) -> CommandError | None:
    """What the user is told of a failure; None if it is a mistake in the arena itself."""
    match error:
        case CommandError():
            return error
        case typer.TyperException():  # wrong usage
            return CommandError(
                f"{error.format_message().rstrip('.')}. See `{_command(error)} --help`."
            )
        case UnknownGame():
            return CommandError(str(error), "game")
        case BadRecord():
            return CommandError(f"This is no true record. {error}", "match")
        case WrongDataFolder():
            return CommandError(str(error), "data")
        case WrongAddress():
            return CommandError(str(error), "redis")
        case QueueUnreachable():
            return CommandError(str(error), "redis", Exit.UNREACHABLE)
        case DBAPIError():
            sentence = f"The store cannot be used now: {error.orig}."
            return CommandError(sentence, "data", Exit.ARENA_FAILED)
        case ArenaFailure():
            return CommandError(str(error), "", Exit.ARENA_FAILED)
        case _:
            return None
