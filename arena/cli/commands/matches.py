"""`arena matches`: the finished matches."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from arena.cli import completion
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stdout, table
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.matches import list_matches
from arena.protocol import FaultKind
from arena.store.match_names import short_name
from arena.views.matches.match import Match, Seat
from arena.views.matches.match_filter import Result
from arena.views.matches.match_query import ANY_FAULT, YES, from_query

COLUMNS = ("match", "finished (UTC)", "played for", "rank bot score")
GAP = 2  # characters between two columns
MATCH_AND_MOMENT = 12 + GAP + 16 + GAP  # characters of the first two columns
COMPETITION = 18  # characters of a line of the third
FEWEST = 20  # characters for the last column, however narrow the terminal
UNBROKEN = "\N{NO-BREAK SPACE}"


BotOption = Annotated[
    str,
    typer.Option(
        "--bot",
        help="Only matches of this bot, or of one version: BOT@NUMBER.",
        autocompletion=completion.bots,
    ),
]
AgainstOption = Annotated[
    str,
    typer.Option(
        "--against",
        help="Only matches of --bot against this bot.",
        autocompletion=completion.bots,
    ),
]
LadderOption = Annotated[
    str,
    typer.Option(
        "--ladder", help="Only matches of this ladder.", autocompletion=completion.ladders
    ),
]
TournamentOption = Annotated[
    str,
    typer.Option(
        "--tournament",
        help="Only matches of this tournament.",
        autocompletion=completion.tournaments,
    ),
]
FaultOption = Annotated[
    str,
    typer.Option(
        "--fault",
        help=f"Only matches with this fault of --bot, or of any bot: {', '.join(FaultKind)}.",
        autocompletion=completion.faults,
    ),
]
SinceOption = Annotated[
    str,
    typer.Option(
        "--since",
        help="Only matches that ended at this time or later: 2026-07-07, 2026-07-07T07:07Z.",
    ),
]
UntilOption = Annotated[
    str,
    typer.Option(
        "--until",
        help="Only matches that ended before this time, or by the end of this day.",
    ),
]


@asks_arena
def matches(
    arena: AskedArena,
    bot: BotOption = "",
    against: AgainstOption = "",
    lost: Annotated[bool, typer.Option("--lost", help="Only matches that --bot has lost.")] = False,
    won: Annotated[bool, typer.Option("--won", help="Only matches that --bot has won.")] = False,
    faulted: Annotated[
        bool,
        typer.Option("--faulted", help="Only matches in which --bot, or any bot, was at fault."),
    ] = False,
    ladder: LadderOption = "",
    tournament: TournamentOption = "",
    comparison: Annotated[
        str,
        typer.Option(
            help="Only matches of this comparison.", autocompletion=completion.comparisons
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            help="Only matches of this game, such as xeri.", autocompletion=completion.games
        ),
    ] = "",
    fault: FaultOption = "",
    seat: Annotated[
        str, typer.Option(help="Only matches in which --bot had this seat, counted from 0.")
    ] = "",
    seats: Annotated[str, typer.Option(help="Only matches with this number of seats.")] = "",
    since: SinceOption = "",
    until: UntilOption = "",
    slowest: Annotated[
        str,
        typer.Option(
            help="Only matches in which --bot, or any bot, took at least this time for a "
            "decision, in milliseconds."
        ),
    ] = "",
    order: Annotated[
        str,
        typer.Option(
            help="latest, or worst or best: largest losses or wins of --bot, in points, first.",
            autocompletion=completion.orders,
        ),
    ] = "latest",
    void: Annotated[
        bool, typer.Option("--void", help="Only void matches, which are left out otherwise.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of matches to list.")] = 20,
    after: Annotated[
        str, typer.Option(help="Continue after this match: the `next` of the previous page.")
    ] = "",
) -> Answer:
    """List finished matches, the latest first.

    With --against, won and lost are by rank against that bot; a tie is neither.

    Examples:
        arena matches --bot my-bot --faulted
        arena matches --bot my-bot --against xeri-fisher --lost
        arena matches --bot my-bot@2 --since 2026-07-07 --order worst
    """
    wanted = from_query(
        {
            "bot": bot,
            "against": against,
            "result": _result_wanted(bot, against, lost=lost, won=won),
            "fault": fault or (ANY_FAULT if faulted else ""),
            "ladder": ladder,
            "tournament": tournament,
            "comparison": comparison,
            "game": game,
            "seat": seat,
            "seats": seats,
            "since": since,
            "until": until,
            "slowest": slowest,
            "void": YES if void else "",
            "order": order,
        }.items()
    )
    page = arena.ask(list_matches, wanted, after, limit)
    yield page
    if not page.matches:
        stdout.print("There are no such matches yet.")
        return
    stdout.print(_table(page.matches))
    read_one = arena.hint(f"arena log {short_name(page.matches[0].match)}")
    stdout.print()
    stdout.say(f"read one: {read_one}", style="dim")
    if page.next:
        stdout.say(f"more: --after {short_name(page.next)}", style="dim")


def _result_wanted(bot: str, against: str, *, lost: bool, won: bool) -> str:
    """Raises ArenaError if the options make no sense together."""
    if lost and won:
        raise ArenaError(
            Kind.WRONG_INPUT, "A match is never both won and lost: give --won or --lost.", "won"
        )
    for given, option in ((against, f"--against {against}"), (lost, "--lost"), (won, "--won")):
        if given and not bot:
            raise ArenaError(Kind.WRONG_INPUT, f"{option} also needs --bot.", "bot")
    if lost:
        return Result.LOST
    return Result.WON if won else ""


def _table(found: Sequence[Match]) -> Table:
    """Returns the table. Its last two columns, competitions and results, may take several lines."""
    played_for = [textwrap.wrap(visible(match.competition), COMPETITION) for match in found]
    widest = max(map(len, (COLUMNS[2], *(line for lines in played_for for line in lines))))
    room = max(FEWEST, stdout.width - MATCH_AND_MOMENT - widest - GAP)
    rows = [
        (
            short_name(match.match),
            moment(match.finished_at),
            Text("\n".join(lines)),
            _result(match, room),
        )
        for match, lines in zip(found, played_for, strict=True)
    ]
    return table(COLUMNS, rows)


def _result(match: Match, room: int) -> Text:
    """Returns ranks, bots and scores, in lines that break between two entries. A bot's seats in one
    team are one entry."""
    sides: dict[tuple[int, str], list[Seat]] = {}
    for seat in sorted(match.seats, key=lambda seat: (seat.rank, seat.seat)):
        sides.setdefault((seat.team, seat.bot), []).append(seat)
    entries = [
        f"{seats[0].rank} {visible(bot)} {seats[0].score}"
        + (" (fault)" if any(seat.faults for seat in seats) else "")
        for (_, bot), seats in sides.items()
    ]
    unbroken = ", ".join(entry.replace(" ", UNBROKEN) for entry in entries)
    lines = textwrap.wrap(unbroken, room, break_on_hyphens=False, break_long_words=False)
    if match.void is not None:
        lines += textwrap.wrap(f"void: {visible(match.void)}", room)
    return Text("\n".join(lines).replace(UNBROKEN, " "))
