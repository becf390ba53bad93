"""Ladders: the list, and the page of each with standings, curves, crosstable and recent matches.

The standings and the recent matches are also served alone, for pages that replace them in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.league import is_run_now, ladder_view, ladder_views
from arena.store.queries import ladder_named, ladders
from arena.views.arena import software_of
from arena.views.ladders.ladder import Ladder, ladder_stamp
from arena.views.ladders.rating_curve import rating_curves
from arena.views.ladders.standing import (
    RECENT,
    SIGMAS,
    Column,
    FoundStandings,
    Standing,
    find_standings,
    standings,
)
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.views.results import Meetings, crosstable
from arena.web.addresses import address_of_bot, address_of_list
from arena.web.charts import (
    Curves,
    Interval,
    Line,
    Point,
    Sparkline,
    curves,
    heat,
    intervals,
    sparkline,
)
from arena.web.conditional import conditional, tag_of
from arena.web.formats import decimal, visible
from arena.web.rendering import render
from arena.web.site import site_of
from sevens_games import load

AT_ONCE = 50  # rows of the standings
CURVES, CURVE_POINTS = 8, 37
CROSSED = 12
LATEST = 12
LONGEST_FIND = 100
PARTS = ("standings", "recent")


@dataclass(frozen=True)
class Row:
    """A row of the standings, with what is drawn in it."""

    of: Standing
    interval: Interval
    spark: Sparkline | None

    @property
    def share(self) -> float | None:
        """The share of matches won, a tie being half; None before the first."""
        taken = self.of.seats_taken
        return (self.of.wins + self.of.ties / 2) / taken if taken else None

    @property
    def shown_share(self) -> int:
        """The same as a percentage, as it is printed."""
        return round(100 * (self.share or 0))


@dataclass(frozen=True)
class Cell:
    """A pair's results in the crosstable. `address`: of the list of their matches."""

    share: float
    shade: str
    says: str
    address: str


@dataclass(frozen=True)
class CrossRow:
    """A row of the crosstable; a cell is None where a pair has not met."""

    place: int | None
    bot: str
    name: str
    cells: Sequence[Cell | None]


def show_all(request: Request) -> Response:
    """Returns the list of ladders."""
    site = site_of(request)
    with site.store.reading() as session:
        found = ladder_views(session, site.folder.holder(), ladders(session))
        return render(request, "ladders.html", ladders=found)


def show(request: Request) -> Response:
    """Returns the page of a ladder, or the part of it that is asked for; 304 if nothing on it has
    changed."""
    site, name = site_of(request), request.path_params["name"]
    part, start = _part(request), _start(request)
    find, by = _find(request), _column(request)
    with site.store.reading() as session:
        row, holder = ladder_named(session, name), site.folder.holder()
        software = software_of(holder)

        def make() -> Response:
            ladder = ladder_view(session, holder, row)
            context: dict[str, Any] = {"ladder": ladder}
            if part != "recent":
                found = find_standings(session, name, find=find, by=by, offset=start, limit=AT_ONCE)
                context |= _standings(ladder, found, start)
                context |= {"find": find, "by": by, "columns": Column}
            if part != "standings":
                latest = find_matches(session, MatchFilter(competition=name), limit=LATEST)
                context["recent"] = latest.matches
            if part:
                return render(request, f"parts/ladder_{part}.html", **context)
            best = standings(session, name, limit=CROSSED)
            return render(
                request,
                "ladder.html",
                **context,
                curves=_curves(session, name, best[:CURVES]),
                software=software,
                crosstable=_crosstable(session, name, best),
            )

        stamp = ladder_stamp(session, name)
        tag = tag_of(name, part, start, find, by, stamp, is_run_now(holder, row), software)
        return conditional(request, tag, make)


def _part(request: Request) -> str:
    part = request.query_params.get("part", "")
    if part and part not in PARTS:
        raise ArenaError(
            Kind.WRONG_INPUT, f"The parts of this page are {', '.join(PARTS)}, not {part!r}."
        )
    return part


def _start(request: Request) -> int:
    """Returns the number of rows of the standings to leave out before the first."""
    text = request.query_params.get("from", "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`from` is the number of bots to leave out before the first, not {text[:50]!r}.",
        )
    return int(text)


def _find(request: Request) -> str:
    """Returns a part of the names of the bots or owners that are looked for."""
    find = request.query_params.get("find", "").strip()
    if len(find) > LONGEST_FIND:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`find` is a part of a bot's or an owner's name, of at most {LONGEST_FIND} letters.",
        )
    return find


def _column(request: Request) -> Column:
    text = request.query_params.get("by", Column.RATING)
    if text not in [*Column]:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The table is sorted by {', '.join(Column)}, not by {text[:50]!r}.",
        )
    return Column(text)


def _standings(ladder: Ladder, found: FoundStandings, start: int) -> dict[str, Any]:
    shown = found.rows
    # To either side of mu, so that the rating is the left end.
    drawn = intervals([(one.mu, SIGMAS * one.sigma) for one in shown])
    rows = [
        Row(one, interval, sparkline(one.recent))
        for one, interval in zip(shown, drawn, strict=True)
    ]
    return {
        "rows": rows,
        "count": found.total,
        "surprise": _surprise(rows),
        "start": start,
        "at_once": AT_ONCE,
        "trend_jobs": RECENT,
        "two_sides": len(set(load(ladder.game).teams(ladder.seats))) == 2,
    }


def _surprise(rows: Sequence[Row]) -> tuple[Row, Row] | None:
    """Returns the first two in a row of which the better one has won the smaller share."""
    for one, other in pairwise(rows):
        if None in (one.share, other.share, one.of.place, other.of.place):
            continue
        if one.of.rating > other.of.rating and one.shown_share < other.shown_share:
            return one, other
    return None


def _curves(session: Session, ladder: str, best: Sequence[Standing]) -> Curves | None:
    found = rating_curves(session, ladder, [one.version for one in best], CURVE_POINTS)
    return curves(
        [
            Line(
                _name(one),
                [
                    Point(point.sequence, point.mu - SIGMAS * point.sigma)
                    for point in found.get(one.version, ())
                ],
                address_of_bot(one.bot),
            )
            for one in best
        ]
    )


def _crosstable(session: Session, ladder: str, best: Sequence[Standing]) -> list[CrossRow]:
    """Returns the rows of those that have met another of them."""
    found = crosstable(session, ladder, [one.version for one in best])
    met = {version for pair in found for version in pair}
    shown = [one for one in best if one.version in met]
    return [
        CrossRow(
            row.place,
            row.bot,
            _name(row),
            [
                _cell(ladder, row, column, found.get((row.version, column.version)))
                for column in shown
            ],
        )
        for row in shown
    ]


def _cell(ladder: str, one: Standing, other: Standing, met: Meetings | None) -> Cell | None:
    if met is None:
        return None
    wanted = MatchFilter(
        competition=ladder,
        bot=one.bot,
        number=one.number,
        against=other.bot,
        against_number=other.number,
    )
    return Cell(
        share=met.share,
        shade=heat(met.share, met.jobs),
        says=(
            f"{visible(one.bot)} against {visible(other.bot)}: {met.wins} won, {met.ties} tied,"
            f" {met.losses} lost of {met.matches} matches on {met.jobs} deal sets;"
            f" evidence {decimal(met.evidence)}"
        ),
        address=address_of_list(wanted),
    )


def _name(one: Standing) -> str:
    """Returns what to call a version: with its number if its bot has another one here."""
    return one.bot + (f" v{one.number}" if one.versions_of_bot > 1 else "")


ROUTES = [Route("/ladders", show_all), Route("/ladders/{name}", show)]
