"""Ladders: the list, and the page of each with standings, curves, crosstable and recent matches.

The standings and the recent matches are also served alone, for pages that replace them in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.games import load
from arena.league import ladder_standings, obstacle
from arena.league.views import (
    RECENT,
    LadderRow,
    Meetings,
    crosstable,
    ladder_activity,
    ladder_stamp,
    match_totals,
    rating_curves,
    rows_of,
)
from arena.store.matches import MatchFilter, find_matches
from arena.store.queries import Placing, ladder_named, ladders
from arena.store.schema import CompetitionState, Entry, Ladder
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
from arena.web.site import Site, site_of

AT_ONCE = 50  # rows of the standings
CURVES, CURVE_POINTS = 8, 37
CROSSED = 12
LATEST = 12
PARTS = ("standings", "recent")
SIGMAS = 3  # to either side of mu in the picture of the uncertainty; the rating is its left end


@dataclass(frozen=True)
class Row:
    """A row of the standings. `shows_number`: another version of the bot is on the ladder too."""

    of: LadderRow
    interval: Interval
    spark: Sparkline | None
    shows_number: bool

    @property
    def share(self) -> float | None:
        """The share of matches won, a tie being half; None before the first."""
        taken = self.of.seats_taken
        return (self.of.wins + self.of.ties / 2) / taken if taken else None


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

    place: int
    bot: str
    name: str
    cells: Sequence[Cell | None]


def show_all(request: Request) -> Response:
    """Returns the list of ladders."""
    site = site_of(request)
    with site.store.reading() as session:
        entered = sa.select(Entry.ladder, sa.func.count()).group_by(Entry.ladder)
        bots = dict(session.execute(entered).all())
        played = match_totals(session, [ladder.name for ladder in ladders(session)])
        found = [
            (ladder, bots.get(ladder.name, 0), played.get(ladder.name, 0), state_of(site, ladder))
            for ladder in ladders(session)
        ]
        return render(request, "ladders.html", ladders=found)


def show(request: Request) -> Response:
    """Returns the page of a ladder, or the part of it that is asked for; 304 if nothing on it has
    changed."""
    site, name = site_of(request), request.path_params["name"]
    part, start = _part(request), _start(request)
    with site.store.reading() as session:
        ladder = ladder_named(session, name)
        state, activity = state_of(site, ladder), ladder_activity(session, name)

        def make() -> Response:
            context: dict[str, Any] = {
                "ladder": ladder,
                "state": state,
                "activity": activity,
            }
            if part != "recent":
                placings = ladder_standings(session, name)
                context |= _standings(session, ladder, placings, start)
            if part != "standings":
                latest = find_matches(session, MatchFilter(competition=name), limit=LATEST)
                context["recent"] = latest.matches
            if part:
                return render(request, f"parts/ladder_{part}.html", **context)
            return render(
                request,
                "ladder.html",
                **context,
                obstacle=obstacle(session, ladder),
                curves=_curves(session, name, placings[:CURVES]),
                crosstable=_crosstable(session, name, placings[:CROSSED]),
            )

        stamp = ladder_stamp(session, name, activity)
        return conditional(request, tag_of(name, part, start, stamp, state), make)


def state_of(site: Site, ladder: Ladder) -> str:
    """Returns the present state: the store's "running" only means that it is not paused."""
    if ladder.state != CompetitionState.RUNNING:
        return str(ladder.state)
    holder = site.folder.holder()
    return "running" if holder is not None and holder.runs(ladder.name) else "not being run"


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


def _standings(
    session: Session, ladder: Ladder, placings: Sequence[Placing], start: int
) -> dict[str, Any]:
    rows = rows_of(session, ladder.name, placings[start : start + AT_ONCE])
    drawn = intervals([(row.mu, SIGMAS * row.sigma) for row in rows])
    versions = Counter(placing.entry.bot for placing in placings)
    return {
        "rows": [
            Row(row, interval, sparkline(row.recent), versions[row.bot] > 1)
            for row, interval in zip(rows, drawn, strict=True)
        ],
        "total": len(placings),
        "start": start,
        "at_once": AT_ONCE,
        "trend_jobs": RECENT,
        "two_sides": len(set(load(ladder.game).teams(ladder.seats))) == 2,
    }


def _curves(session: Session, ladder: str, placings: Sequence[Placing]) -> Curves | None:
    versions = [placing.entry.version for placing in placings]
    found = rating_curves(session, ladder, versions, CURVE_POINTS)
    names = _names(placings)
    return curves(
        [
            Line(
                names[placing.entry.version],
                [
                    Point(point.sequence, point.mu - SIGMAS * point.sigma)
                    for point in found.get(placing.entry.version, ())
                ],
                address_of_bot(placing.entry.bot),
            )
            for placing in placings
        ]
    )


def _crosstable(session: Session, ladder: str, placings: Sequence[Placing]) -> list[CrossRow]:
    """Returns the rows of those that have met anybody of the others."""
    versions = [placing.entry.version for placing in placings]
    found = crosstable(session, ladder, versions)
    met = {version for pair in found for version in pair}
    shown = [placing for placing in placings if placing.entry.version in met]
    names = _names(placings)
    return [
        CrossRow(
            row.place,
            row.entry.bot,
            names[row.entry.version],
            [
                _cell(ladder, row, column, found.get((row.entry.version, column.entry.version)))
                for column in shown
            ],
        )
        for row in shown
    ]


def _cell(ladder: str, row: Placing, column: Placing, met: Meetings | None) -> Cell | None:
    if met is None:
        return None
    one, other = row.entry, column.entry
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


def _names(placings: Sequence[Placing]) -> dict[str, str]:
    """Returns what to call each version: with its number if its bot has another one here."""
    versions = Counter(placing.entry.bot for placing in placings)
    return {
        placing.entry.version: placing.entry.bot
        + (f" v{placing.entry.number}" if versions[placing.entry.bot] > 1 else "")
        for placing in placings
    }


ROUTES = [Route("/ladders", show_all), Route("/ladders/{name}", show)]
