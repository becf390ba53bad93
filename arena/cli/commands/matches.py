"""`arena matches`: the finished matches."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from arena.cli import completion
from arena.cli.competition import competition_document, competition_of
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, hint
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.client import arena_at
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.protocol import FaultKind
from arena.store.matches import MatchFilter, Order, from_query, short_name
from sevens.league.v1.match_pb2 import (
    ListMatchesRequest,
    ListMatchesResponse,
    Match,
    MatchOrder,
    MatchResult,
    MatchSeat,
)

ORDERS = {
    Order.LATEST: MatchOrder.MATCH_ORDER_LATEST,
    Order.WORST: MatchOrder.MATCH_ORDER_WORST,
    Order.BEST: MatchOrder.MATCH_ORDER_BEST,
}
COLUMNS = ("match", "finished", "played for", "rank bot score")
GAP = 2  # characters between two columns
FEWEST = 20  # characters for the last column, however narrow the terminal
UNBROKEN = "\N{NO-BREAK SPACE}"


def matches(
    bot: Annotated[
        str,
        typer.Option(
            help="Only matches of this bot, or of one version: BOT@NUMBER.",
            autocompletion=completion.bots,
        ),
    ] = "",
    against: Annotated[
        str,
        typer.Option(
            help="Only matches of --bot against this bot.", autocompletion=completion.bots
        ),
    ] = "",
    lost: Annotated[bool, typer.Option("--lost", help="Only matches that --bot has lost.")] = False,
    won: Annotated[bool, typer.Option("--won", help="Only matches that --bot has won.")] = False,
    faulted: Annotated[
        bool,
        typer.Option("--faulted", help="Only matches in which --bot, or any bot, was at fault."),
    ] = False,
    ladder: Annotated[
        str, typer.Option(help="Only matches of this ladder.", autocompletion=completion.ladders)
    ] = "",
    tournament: Annotated[
        str,
        typer.Option(
            help="Only matches of this tournament.", autocompletion=completion.tournaments
        ),
    ] = "",
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
    fault: Annotated[
        str,
        typer.Option(
            help=f"Only matches with this fault of --bot, or of any bot: {', '.join(FaultKind)}.",
            autocompletion=completion.faults,
        ),
    ] = "",
    seat: Annotated[
        str, typer.Option(help="Only matches in which --bot had this seat, counted from 0.")
    ] = "",
    seats: Annotated[str, typer.Option(help="Only matches with this number of seats.")] = "",
    since: Annotated[
        str,
        typer.Option(
            help="Only matches that ended at this time or later: 2026-07-07, 2026-07-07T07:07Z."
        ),
    ] = "",
    until: Annotated[
        str,
        typer.Option(help="Only matches that ended before this time, or by the end of this day."),
    ] = "",
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
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of matches to list.")] = 20,
    after: Annotated[
        str, typer.Option(help="Continue after this match: the `next` of the previous page.")
    ] = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """List finished matches, the latest first.

    With --against, won and lost are by rank against that bot; a tie is neither.

    Examples:
        arena matches --bot my-bot --faulted
        arena matches --bot my-bot --against xeri-fisher --lost
        arena matches --bot my-bot@2 --since 2026-07-07 --order worst
    """
    result = _result_wanted(bot, against, lost=lost, won=won)
    wanted = _filter(
        bot=bot,
        fault=fault,
        seat=seat,
        seats=seats,
        since=since,
        until=until,
        slowest=slowest,
        order=order,
    )
    request = ListMatchesRequest(
        bot=bot,
        ladder=ladder,
        tournament=tournament,
        comparison=comparison,
        limit=limit,
        after=after,
        against=against,
        result=result,
        faulted=faulted,
        game=game,
        fault=wanted.fault,
        seat=wanted.seat,
        seats=wanted.seats,
        since=wanted.since,
        until=wanted.until,
        slowest_ms=wanted.slowest_ms,
        order=ORDERS[wanted.order],
    )
    with arena_at(server, data) as arena:
        page: ListMatchesResponse = arena.call("ListMatches", request)
    if as_json:
        print_json(_document(page))
        return
    if not page.matches:
        stdout.print("There are no such matches yet.")
        return
    stdout.print(_table(page.matches))
    read_one = hint(f"arena log {short_name(page.matches[0].match)}", data, server)
    stdout.print()
    stdout.say(f"read one: {read_one}", style="dim")
    if page.next:
        stdout.say(f"more: --after {short_name(page.next)}", style="dim")


def _result_wanted(bot: str, against: str, *, lost: bool, won: bool) -> MatchResult:
    """Raises ArenaError if the options make no sense together."""
    if lost and won:
        raise ArenaError(
            Kind.WRONG_INPUT, "A match is never both won and lost: give --won or --lost.", "won"
        )
    for given, option in ((against, f"--against {against}"), (lost, "--lost"), (won, "--won")):
        if given and not bot:
            raise ArenaError(Kind.WRONG_INPUT, f"{option} needs --bot: whose matches?", "bot")
    if lost:
        return MatchResult.MATCH_RESULT_LOST
    return MatchResult.MATCH_RESULT_WON if won else MatchResult.MATCH_RESULT_UNSPECIFIED


def _filter(**options: str) -> MatchFilter:
    """Returns the filter that pages read from the same parameters. Raises ArenaError."""
    return from_query(options.items())


def _table(found: Sequence[Match]) -> Table:
    """Returns the table. Only its last column, the results, may take several lines."""
    rows = [
        (
            short_name(match.match),
            f"{match.finished_at.ToDatetime():%m-%d %H:%M}",
            competition_of(match),
        )
        for match in found
    ]
    before = sum(max(map(len, column)) + GAP for column in zip(COLUMNS, *rows, strict=False))
    room = max(FEWEST, stdout.width - before)
    return table(
        COLUMNS,
        [(*row, _result(match, room)) for row, match in zip(rows, found, strict=True)],
    )


def _result(match: Match, room: int) -> Text:
    """Returns ranks, bots and scores, in lines that break between two entries. A bot's seats in one
    team are one entry."""
    sides: dict[tuple[int, str], list[MatchSeat]] = {}
    for seat in sorted(match.seats, key=lambda seat: (seat.rank, seat.seat)):
        sides.setdefault((seat.team, seat.bot), []).append(seat)
    entries = [
        f"{seats[0].rank} {visible(bot)} {seats[0].score}"
        + (" (fault)" if any(seat.faults for seat in seats) else "")
        for (_, bot), seats in sides.items()
    ]
    unbroken = ", ".join(entry.replace(" ", UNBROKEN) for entry in entries)
    lines = textwrap.wrap(unbroken, room, break_on_hyphens=False, break_long_words=False)
    return Text("\n".join(lines).replace(UNBROKEN, " "))


def _document(page: ListMatchesResponse) -> dict[str, Any]:
    return {
        "matches": [
            {
                "match": match.match,
                "job": match.job,
                "attempt": match.attempt,
                **competition_document(match),
                "game": match.game,
                "seats": [_seat(seat) for seat in match.seats],
                "reason": match.reason,
                "finished_at": match.finished_at.ToJsonString(),
            }
            for match in page.matches
        ],
        "next": page.next or None,
    }


def _seat(seat: MatchSeat) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "bot": seat.bot,
        "version": seat.version,
        "team": seat.team,
        "score": seat.score,
        "rank": seat.rank,
        "faults": [
            {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence}
            for fault in seat.faults
        ],
    }
