"""`arena bot history`: how the ratings of a bot changed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.text import Text

from arena.cli import completion
from arena.cli.arguments import BotArgument
from arena.cli.asking import asked_arena
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, moment, print_view, stdout, table
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.competitions.ladders import read_history
from arena.store.match_names import short_name
from arena.views.ladders.rating_history import RatingChange
from arena.views.matches.match import Match, Seat

MOST = 200  # jobs; the arena tells of no more at once
BARS = "▁▂▃▄▅▆▇█"
CURVE = 40  # characters
COLUMNS = ("finished (UTC)", "match", "version", "result", "mu", "rating")
RESULT = 17  # characters of a line of results, so that a row fits into 80 columns


def history(
    bot: BotArgument,
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
    with asked_arena(server, data) as arena:
        found = arena.ask(read_history, bot, ladder, after, limit if as_json else MOST)
    if as_json:
        print_view(found)
        return
    if not found.ladders:
        stdout.say(f"{bot} is on no ladder.")
    for one in found.ladders:
        _print(bot, one.ladder, one.changes, limit)
    if latest := next((one.changes[0] for one in found.ladders if one.changes), None):
        read_one = arena.hint(f"arena log {short_name(latest.matches[0].match)}")
        stdout.say(f"read one: {read_one}", style="dim")


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
        ratings.setdefault(change.number, [change.rating_before]).append(change.rating)
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
    figures: tuple[object, ...] = (
        f"{change.before.mu:.2f} → {change.after.mu:.2f}",
        change.rating,
    )
    for match in change.matches:
        yield (
            moment(match.finished_at),
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


def _outcome(own: Seat, others: Sequence[Seat]) -> str:
    """Returns the result in a word between two sides, else as a rank."""
    if len({seat.team for seat in others}) > 1:
        return f"rank {own.rank} against"
    rank = min((seat.rank for seat in others), default=own.rank)
    if own.rank == rank:
        return "tied with"
    return "beat" if own.rank < rank else "lost to"
