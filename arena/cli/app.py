"""The command's entry: which commands there are, and how each failure ends."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import typer

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
from arena.cli.errors import CommandError, Exit
from arena.cli.output import print_error

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
        failure = _failure(error)
        if failure is None:
            raise
        print_error(failure.sentence, failure.field, as_json="--json" in arguments)
        return failure.code
    return code if isinstance(code, int) else Exit.DONE


def _failure(error: Exception) -> CommandError | None:
    """Returns what to tell the user about a failure; None if it is a bug in the arena itself."""
    match error:
        case CommandError():
            return error
        case typer.TyperException():  # wrong usage
            context = getattr(error, "ctx", None)
            command = context.command_path if context is not None else "arena"
            return CommandError(f"{error.format_message().rstrip('.')}. See `{command} --help`.")
        case _:
            from arena.cli.failures import explained  # imports everything that can fail

            return explained(error)
