"""The command's entry: which commands there are, and how each failure ends."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import typer

from arena.bots.line import ArenaFailure
from arena.cli import bot, games, ladder, token
from arena.cli.demo import demo
from arena.cli.doctor import doctor
from arena.cli.errors import CommandError, Exit
from arena.cli.matches import matches
from arena.cli.output import print_error
from arena.cli.play import play
from arena.cli.ratings import ratings
from arena.cli.records import log, replay, verify
from arena.cli.serve import serve
from arena.cli.submit import submit
from arena.cli.upgrade import upgrade
from arena.cli.versions import version
from arena.cli.worker import worker
from arena.games import UnknownGame
from arena.records.strict_json import BadRecord

app = typer.Typer(
    name="arena",
    help="Sevens Arena: bots of any language play card games, and are rated.",
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(demo)
app.add_typer(games.app, name="games")
app.command()(play)
app.add_typer(bot.app, name="bot")
app.command()(serve)
app.command()(worker)
app.command()(submit)
app.add_typer(token.app, name="token")
app.add_typer(ladder.app, name="ladder")
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
    as_json = "--json" in arguments
    try:
        code = app(arguments, standalone_mode=False)
    except CommandError as error:
        print_error(error.sentence, error.field, as_json=as_json)
        return error.code
    except UnknownGame as error:
        print_error(str(error), "game", as_json=as_json)
        return Exit.WRONG_INPUT
    except BadRecord as error:
        print_error(f"This is no true record. {error}", "match", as_json=as_json)
        return Exit.WRONG_INPUT
    except ArenaFailure as error:
        print_error(str(error), "", as_json=as_json)
        return Exit.ARENA_FAILED
    except typer.TyperException as error:  # wrong usage
        print_error(f"{error.format_message()} See `arena --help`.", "", as_json=as_json)
        return Exit.WRONG_INPUT
    except (typer.Abort, KeyboardInterrupt, asyncio.CancelledError):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.DONE  # the reader of our output, `head` say, has had enough
    return code if isinstance(code, int) else Exit.DONE
