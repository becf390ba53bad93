"""`arena bot history`: how the ratings of a bot changed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from rich.text import Text

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, hint
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.client import Arena, arena_at
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.store.matches import short_name
from sevens.league.v1.ladder_pb2 import RatingChange, ReadHistoryRequest, ReadHistoryResponse
from sevens.league.v1.match_pb2 import Match, MatchSeat
from sevens.league.v1.version_pb2 import ListVersionsRequest

MOST = 200  # jobs; the server sends no more in a page
BARS = "▁▂▃▄▅▆▇█"
CURVE = 40  # characters
COLUMNS = ("finished", "match", "version", "result", "mu", "rating")
RESULT = 22  # characters of a line of results, so that a row fits into 80 columns


def history(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot's name.", autocompletion=completion.bots)
    ],
    ladder: Annotated[
        str,
        typer.Option(
            help="Only its ratings on this ladder. [default: all ladders]",
            autocompletion=completion.ladders,
        ),
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="Number of changes to list.")] = 20,
    after: Annotated[
        int, typer.Option(min=0, help="Continue after this change: the `next` of --json.")
    ] = 0,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show how the rating of a bot changed, match by match.

    The latest change comes first; the curve of each version covers the last 200.

    Examples:
        arena bot history my-bot --ladder xeri
    """
    if after and not ladder:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "--after continues the history on one ladder: give --ladder.",
            "ladder",
        )
    with arena_at(server, data) as arena:
        names = [ladder] if ladder else _ladders_of(arena, bot)
        pages = {name: _page(arena, name, bot, limit if as_json else MOST, after) for name in names}
    if as_json:
        print_json({"bot": bot, "ladders": [_document(*page) for page in pages.items()]})
        return
    if not pages:
        stdout.say(f"{bot} is on no ladder.")
    for name, page in pages.items():
        _print(bot, name, page.changes, limit)
    if latest := next((page.changes[0] for page in pages.values() if page.changes), None):
        read_one = hint(f"arena log {short_name(latest.matches[0].match)}", data, server)
        stdout.say(f"read one: {read_one}", style="dim")


def _ladders_of(arena: Arena, bot: str) -> list[str]:
    found = arena.call("ListVersions", ListVersionsRequest(bot=bot)).versions
    return sorted({entry.ladder for version in found for entry in version.entries})


def _page(arena: Arena, ladder: str, bot: str, limit: int, after: int) -> ReadHistoryResponse:
    request = ReadHistoryRequest(ladder=ladder, bot=bot, limit=limit, after=after)
    page: ReadHistoryResponse = arena.call("ReadHistory", request)
    return page


def _print(bot: str, ladder: str, changes: Sequence[RatingChange], limit: int) -> None:
    if not changes:
        stdout.say(f"{bot} has no rated match on {ladder} yet.")
        stdout.print()
        return
    stdout.say(f"{bot} on {ladder}")
    for version, line in _curves(changes).items():
        stdout.say(f"  version {version}  {line}")
    stdout.print()
    rows = [row for change in changes[:limit] for row in _rows(bot, change)]
    stdout.print(table(COLUMNS, rows))
    stdout.print()


def _curves(changes: Sequence[RatingChange]) -> dict[int, str]:
    """Returns, for each version, its ratings as a curve, and the first and the last of them."""
    ratings: dict[int, list[float]] = {}
    for change in reversed(changes):
        before = change.mu_before - 3 * change.sigma_before
        ratings.setdefault(change.number, [before]).append(change.rating)
    return {
        number: f"{_curve(points)}  {points[0]:.2f} → {points[-1]:.2f}"
        for number, points in sorted(ratings.items(), reverse=True)
    }


def _curve(points: Sequence[float]) -> str:
    """Returns the points as bars between their lowest and highest, at most CURVE of them."""
    count = min(len(points), CURVE)
    chosen = [points[(i * (len(points) - 1)) // max(1, count - 1)] for i in range(count)]
    low, high = min(points), max(points)
    step = (high - low) / (len(BARS) - 1) or 1.0
    return "".join(BARS[round((point - low) / step)] for point in chosen)


def _rows(bot: str, change: RatingChange) -> Iterator[tuple[object, ...]]:
    """Yields a row for each match of the job that changed the rating; the first has the change."""
    figures: tuple[object, ...] = (f"{change.mu_before:.2f} → {change.mu:.2f}", change.rating)
    for match in change.matches:
        yield (
            f"{match.finished_at.ToDatetime():%m-%d %H:%M}",
            short_name(match.match),
            change.number,
            _result(match, bot, change.version),
            *figures,
        )
        figures = ("", "")


def _result(match: Match, bot: str, version: str) -> Text:
    """Returns the version's result against all others, in lines that break between two bots."""
    own = min((seat for seat in match.seats if seat.version == version), key=lambda seat: seat.rank)
    others = [seat for seat in match.seats if seat.team != own.team]
    fault = " (fault)" if own.faults else ""
    names = [*dict.fromkeys(visible(seat.bot) for seat in others)]
    text = f"{_outcome(own, others)}{fault} {', '.join(names)}"
    return Text("\n".join(textwrap.wrap(text, RESULT, break_on_hyphens=False)))


def _outcome(own: MatchSeat, others: Sequence[MatchSeat]) -> str:
    """Returns the result in a word between two sides, else as a rank."""
    if len({seat.team for seat in others}) > 1:
        return f"rank {own.rank} against"
    rank = min((seat.rank for seat in others), default=own.rank)
    if own.rank == rank:
        return "tied with"
    return "beat" if own.rank < rank else "lost to"


def _document(ladder: str, page: ReadHistoryResponse) -> dict[str, Any]:
    return {
        "ladder": ladder,
        "changes": [_change(change) for change in page.changes],
        "next": page.next or None,
    }


def _change(change: RatingChange) -> dict[str, Any]:
    return {
        "sequence": change.sequence,
        "number": change.number,
        "version": change.version,
        "before": {"mu": change.mu_before, "sigma": change.sigma_before},
        "after": {"mu": change.mu, "sigma": change.sigma},
        "rating": change.rating,
        "matches": [
            {
                "match": match.match,
                "finished_at": match.finished_at.ToJsonString(),
                "seats": [
                    {
                        "seat": seat.seat,
                        "bot": seat.bot,
                        "version": seat.version,
                        "team": seat.team,
                        "score": seat.score,
                        "rank": seat.rank,
                    }
                    for seat in match.seats
                ],
            }
            for match in change.matches
        ],
    }
