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
            "new": ("bot.new:new", "Create a bot that builds and plays at once."),
            "check": (
                "bot.check:check",
                "Check that a bot follows the protocol, and explain each failure.",
            ),
        },
        "In an arena": {
            "list": (
                "bot.manage:list_versions",
                "List the versions of bots and the ladders they are on.",
            ),
            "faults": ("bot.faults:faults", "List the faults of bots, the latest first."),
            "history": (
                "bot.history:history",
                "Show how the rating of a bot changed, match by match.",
            ),
            "retire": ("bot.manage:retire", "Take a version off all ladders."),
            "readmit": (
                "bot.manage:readmit",
                "Let a version that was suspended for its faults play again.",
            ),
            "delete": ("bot.manage:delete", "Delete a bot for good."),
        },
    },
)
LADDER = LazyGroup(
    "ladder",
    "Create, run, watch and change ladders.",
    {
        "Set up and run": {
            "create": ("ladder.create:create", "Create a ladder and enter bots, if any are given."),
            "run": (
                "ladder.create:run",
                "Play ladders with workers on this machine, until stopped or done.",
            ),
        },
        "Watch": {
            "list": (
                "ladder.show:list_ladders",
                "List the ladders, those that are paused or over at the end.",
            ),
            "show": ("ladder.show:show", "Show the terms, jobs and ratings of a ladder."),
        },
        "Change": {
            "enter": ("ladder.change:enter", "Enter bots into a ladder, or let them back in."),
            "leave": ("ladder.change:leave", "Take bots off a ladder, in all their versions."),
            "pause": ("ladder.change:pause", "Pause a ladder: no new matches until it is resumed."),
            "resume": ("ladder.change:resume", "Resume a paused ladder."),
            "schedule": (
                "ladder.change:schedule",
                "Set when a ladder begins to play, takes the last submission, and is over.",
            ),
            "live-delay": (
                "ladder.change:live_delay",
                "Set how late visitors see a ladder's matches in play.",
            ),
            "freeze": (
                "ladder.change:freeze",
                "Take no more submissions to a ladder; its matches go on.",
            ),
            "close": (
                "ladder.change:close",
                "Close a ladder for good: its standings are final.",
            ),
            "reset": (
                "ladder.change:reset",
                "Begin the next season of a ladder: a new one with the same terms and versions.",
            ),
            "delete": ("ladder.change:delete", "Delete a ladder on which nothing has been played."),
        },
    },
)
TOURNAMENT = LazyGroup(
    "tournament",
    "Create, play and watch tournaments.",
    {
        "Set up and play": {
            "create": (
                "tournament.change:create",
                "Create a tournament and enter bots, if any are given.",
            ),
            "enter": (
                "tournament.change:enter",
                "Enter bots into a tournament; their order is that of their seeds.",
            ),
            "start": ("tournament.change:start", "Start or resume a tournament."),
            "check-in": (
                "tournament.change:check_in",
                "Check bots in to a tournament that is about to start.",
            ),
            "draw": (
                "tournament.change:draw",
                "Give a tournament the value of its beacon, from which deals and lots follow.",
            ),
        },
        "Watch": {
            "list": ("tournament.show:list_tournaments", "List the tournaments."),
            "show": (
                "tournament.show:show",
                "Show a tournament: its terms, a round with the reasons for its pairings, the"
                " standings.",
            ),
            "standings": (
                "tournament.show:standings",
                "Print the standings of a tournament, or its crosstable.",
            ),
            "export": (
                "tournament.public:export",
                "Write a tournament to a file, with the records of all its matches.",
            ),
            "verify": (
                "tournament.public:verify",
                "Verify a tournament's file: plan, deals, results, pairings and places.",
            ),
        },
        "Change": {
            "leave": (
                "tournament.change:leave",
                "Withdraw bots from a tournament: they forfeit unfinished matches.",
            ),
            "replay": (
                "tournament.change:replay",
                "Have a table of the last round play again, with the same deals.",
            ),
            "pause": (
                "tournament.change:pause",
                "Pause a tournament: no new matches until it is started again.",
            ),
            "cancel": (
                "tournament.change:cancel",
                "Cancel a tournament for good; its matches stay.",
            ),
        },
    },
)

COMPARE = LazyGroup(
    "compare",
    "Test whether one version of a bot is better than another.",
    {
        "Compare": {
            "run": (
                "compare.run:run",
                "Play two versions of a bot until it is clear which is better.",
            ),
        },
        "Watch": {
            "list": ("compare.show:list_comparisons", "List the comparisons."),
            "show": ("compare.show:show", "Show a comparison: plan, figures and verdict."),
            "export": (
                "compare.public:export",
                "Write a comparison to a file, with the records of all its matches.",
            ),
            "verify": (
                "compare.public:verify",
                "Verify a comparison's file: deals, results, differences and verdict.",
            ),
        },
        "Change": {
            "resume": (
                "compare.run:resume",
                "Resume a comparison, and watch it until it is decided.",
            ),
            "pause": (
                "compare.show:pause",
                "Pause a comparison: no new matches until it is resumed.",
            ),
            "cancel": (
                "compare.show:cancel",
                "Cancel a comparison for good; its matches stay.",
            ),
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
            "demo": (
                "demo:demo",
                "Play ladders with the sample bots, on some games or on all.",
            ),
            "games": ("games.command:app", "List the games, explain one of them, or create one."),
            "doctor": (
                "keeping.doctor:doctor",
                "Check this machine, and show how to fix problems.",
            ),
            "version": (
                "version:version",
                "Print the versions of the arena and of the packages it uses.",
            ),
        },
        "Write a bot": {
            "bot": BOT,
            "play": (
                "play.command:play",
                "Play matches between bots and print a table of results.",
            ),
            "rewind": (
                "play.rewind:rewind",
                "Ask a bot again what it was asked in a match.",
            ),
            "compare": COMPARE,
            "submit": (
                "submit.command:submit",
                "Submit a bot to a ladder; the server tests it first.",
            ),
            "join": (
                "invitation:join",
                "Create a token for yourself by an invitation.",
            ),
        },
        "Watch the matches": {
            "web": (
                "web:web",
                "Show an arena in the browser.",
            ),
            "ratings": ("ratings.command:ratings", "Show the ratings of a ladder."),
            "matches": ("matches:matches", "List finished matches, the latest first."),
            "log": ("records:log", "Print a match, one line per decision, with the bots' notes."),
            "replay": (
                "records:replay",
                "Replay a match by decisions: view, legal actions and choice.",
            ),
            "analyse": (
                "analysis:analyse",
                "Estimate what the decisions of a match were worth, by search.",
            ),
            "review": (
                "analysis:review",
                "Show the decisions that lost most, with the better actions.",
            ),
            "verify": (
                "records:verify",
                "Check records against the rules and name the first wrong field.",
            ),
        },
        "Run an arena": {
            "ladder": LADDER,
            "tournament": TOURNAMENT,
            "serve": ("serve:serve", "Accept submissions and play all ladders, until stopped."),
            "top": ("top:top", "Watch the workers, the queue and the competitions."),
            "worker": ("worker:worker", "Play jobs from the queue, until stopped."),
            "queue": ("queue:app", "Show the queue, and play parked jobs again or drop them."),
            "fleet": ("fleet:app", "List the machines whose workers play, and block them."),
            "recount": (
                "ratings.recount:recount",
                "Recount the figures that pages show of finished matches.",
            ),
            "void": (
                "moderation.voids:void",
                "Declare matches void: they stay, and count for nothing.",
            ),
            "unvoid": ("moderation.voids:unvoid", "Let void matches count again."),
            "owner": (
                "moderation.owner:app",
                "Ban, readmit, rename and delete owners; hand bots over.",
            ),
            "audit": (
                "moderation.audit:audit",
                "List who changed what, when, and with which outcome.",
            ),
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
            "backup": ("keeping.backup:backup", "Copy an arena, also while it runs."),
            "restore": (
                "keeping.backup:restore",
                "Verify a backup and put it into a new data folder.",
            ),
            "disk": (
                "keeping.disk:disk",
                "Show the use of the disk, and what `arena prune` would free.",
            ),
            "prune": ("keeping.prune:prune", "Drop records and private logs of old matches."),
            "upgrade": (
                "keeping.upgrade:upgrade",
                "Upgrade a data folder to this version of the arena.",
            ),
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
