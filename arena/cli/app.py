"""The entry point: the table of all commands, and the exit code of each failure."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from arena.cli import end_at_once
from arena.cli.command_loader import LazyGroup, own_flags
from arena.cli.output import print_error, print_in_any_encoding, print_traceback
from arena.errors import ArenaError, Exit, Kind
from arena.transport import keep_log_to_itself, prefer_older_engine

BOT = LazyGroup(
    "bot",
    "Create, check and manage bots.",
    {
        "On your machine": {
            "new": "bot.new:new",
            "check": "bot.check:check",
        },
        "In an arena": {
            "list": "bot.manage:list_versions",
            "faults": "bot.faults:faults",
            "history": "bot.history:history",
            "retire": "bot.manage:retire",
            "readmit": "bot.manage:readmit",
            "delete": "bot.manage:delete",
        },
    },
)
LADDER = LazyGroup(
    "ladder",
    "Create, run, watch and change ladders.",
    {
        "Set up and run": {
            "create": "ladder.create:create",
            "run": "ladder.create:run",
        },
        "Watch": {
            "list": "ladder.show:list_ladders",
            "show": "ladder.show:show",
        },
        "Change": {
            "enter": "ladder.change:enter",
            "leave": "ladder.change:leave",
            "pause": "ladder.change:pause",
            "resume": "ladder.change:resume",
            "schedule": "ladder.change:schedule",
            "live-delay": "ladder.change:live_delay",
            "freeze": "ladder.change:freeze",
            "close": "ladder.change:close",
            "reset": "ladder.change:reset",
            "delete": "ladder.change:delete",
        },
    },
)
TOURNAMENT = LazyGroup(
    "tournament",
    "Create, play and watch tournaments.",
    {
        "Set up and play": {
            "create": "tournament.change:create",
            "enter": "tournament.change:enter",
            "start": "tournament.change:start",
            "check-in": "tournament.change:check_in",
            "draw": "tournament.change:draw",
        },
        "Watch": {
            "list": "tournament.show:list_tournaments",
            "show": "tournament.show:show",
            "standings": "tournament.show:standings",
            "export": "tournament.public:export",
            "verify": "tournament.public:verify",
        },
        "Change": {
            "leave": "tournament.change:leave",
            "replay": "tournament.change:replay",
            "pause": "tournament.change:pause",
            "cancel": "tournament.change:cancel",
        },
    },
)

COMPARE = LazyGroup(
    "compare",
    "Test whether one version of a bot is better than another.",
    {
        "Compare": {
            "run": "compare.run:run",
        },
        "Watch": {
            "list": "compare.show:list_comparisons",
            "show": "compare.show:show",
            "export": "compare.public:export",
            "verify": "compare.public:verify",
        },
        "Change": {
            "resume": "compare.run:resume",
            "pause": "compare.show:pause",
            "cancel": "compare.show:cancel",
        },
    },
    usual="run",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from arena.cli.commands.version import version

        version()
        raise typer.Exit


def _every_command(
    _: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the versions of the arena and of the packages it uses.",
        ),
    ] = False,
) -> None:
    """Declares the options of `arena` itself."""


ARENA = LazyGroup(
    "arena",
    "Sevens Arena: bots in any language play card games and are rated.",
    {
        "Get started": {
            "demo": "demo:demo",
            "games": ("games.command:app", "List the games, explain one of them, or create one."),
            "doctor": "keeping.doctor:doctor",
            "version": "version:version",
        },
        "Write a bot": {
            "bot": BOT,
            "play": "play.command:play",
            "rewind": "play.rewind:rewind",
            "compare": COMPARE,
            "submit": "submit.command:submit",
            "join": "invitation:join",
        },
        "Watch the matches": {
            "web": "web:web",
            "ratings": "ratings.command:ratings",
            "matches": "matches:matches",
            "log": "records:log",
            "replay": "records:replay",
            "analyse": "analysis:analyse",
            "review": "analysis:review",
            "verify": "records:verify",
        },
        "Run an arena": {
            "ladder": LADDER,
            "tournament": TOURNAMENT,
            "serve": "serve:serve",
            "top": "top:top",
            "worker": "worker:worker",
            "queue": ("queue:app", "Show the queue, and play parked jobs again or drop them."),
            "fleet": ("fleet:app", "List the machines whose workers play, and block them."),
            "recount": "ratings.recount:recount",
            "void": "moderation.voids:void",
            "unvoid": "moderation.voids:unvoid",
            "owner": (
                "moderation.owner:app",
                "Ban, readmit, rename and delete owners; hand bots over.",
            ),
            "audit": "moderation.audit:audit",
            "token": ("token:app", "Create, list and revoke access tokens."),
            "invitation": (
                "invitation:app",
                "Create, list and revoke codes by which people get tokens.",
            ),
            "announce": (
                "notices.announce:app",
                "Show sentences to everybody, on every page.",
            ),
            "webhook": ("notices.webhook:app", "Send news of the arena to other programs."),
            "backup": "keeping.backup:backup",
            "restore": "keeping.backup:restore",
            "disk": "keeping.disk:disk",
            "prune": "keeping.prune:prune",
            "upgrade": "keeping.upgrade:upgrade",
        },
    },
    params=own_flags(_every_command),
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits with its code."""
    sys.excepthook = print_traceback
    print_in_any_encoding()
    given = sys.argv[1:] if arguments is None else list(arguments)
    keep_log_to_itself()
    if given[:1] != ["serve"]:
        prefer_older_engine()
    takes_interrupts = signal.getsignal(signal.SIGINT) in (signal.default_int_handler, end_at_once)
    if takes_interrupts:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        code = run(given)
    except KeyboardInterrupt:  # while a failure was being explained
        code = Exit.INTERRUPTED
    if takes_interrupts:
        signal.signal(signal.SIGINT, end_at_once)
    sys.exit(code)


def _interrupt(number: int, frame: object) -> None:
    """Ends the command, and at the next signal the process."""
    signal.signal(number, end_at_once)
    raise KeyboardInterrupt


def run(arguments: Sequence[str]) -> int:
    """Runs a command and returns its exit code. Every failure is explained on stderr."""
    given = list(arguments) or ["--help"]
    try:
        code = ARENA.main(given, prog_name="arena", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.DONE  # the reader of our output, `head` for instance, has closed it
    except Exception as error:
        failure = _failure(error)
        if failure is None:
            raise
        print_error(failure.sentence, failure.field, as_json="--json" in arguments)
        return failure.kind.exit
    return code if isinstance(code, int) else Exit.DONE


def _failure(error: Exception) -> ArenaError | None:
    """Returns the error to show to the user; None for a bug in the arena itself."""
    match error:
        case ArenaError():
            return error
        case typer.TyperException():  # wrong usage
            context = getattr(error, "ctx", None)
            command = context.command_path if context is not None else "arena"
            return ArenaError(
                Kind.WRONG_INPUT, f"{_sentence(error.format_message())} See `{command} --help`."
            )
        case _:
            from arena.failures import explained  # imports everything that can fail

            return explained(error)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."
