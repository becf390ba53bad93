"""The page of a bot: its versions, how its rating went, its results, times, faults and matches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.records import bounds_of, bucket_of
from arena.store.people import GUESTS
from arena.store.queries import ladder_named
from arena.store.schema import NOBODY
from arena.views.bot import BotCard, bot_card
from arena.views.decision_times import Histogram, decision_times
from arena.views.ladders.ladder import ladder_stamp
from arena.views.ladders.rating_curve import rating_curves
from arena.views.matches.fault import find_faults
from arena.views.matches.match import Match
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.views.results import results_by_opponent, results_by_seat, results_by_size
from arena.web import charts
from arena.web.conditional import conditional, tag_of
from arena.web.formats import seconds
from arena.web.rendering import render
from arena.web.site import site_of

SIGMAS = 3  # to either side of mu in the curve's band; its lower edge is the rating
BANDS = 2  # curves with bands in one picture; more hide each other
OPPONENTS, FAULTS, LATEST, FORM = 30, 12, 15, 60


def show(request: Request) -> Response:
    """Returns the page of a bot; 304 if nothing on it has changed."""
    with site_of(request).store.reading() as session:
        card = bot_card(session, request.path_params["name"])
        ladder = _ladder(card, request.query_params.get("ladder", ""))
        wanted = MatchFilter(bot=card.bot, competition=ladder)
        matches = find_matches(session, wanted, limit=FORM).matches

        def make() -> Response:
            versions = [version.version for version in card.versions]
            times = decision_times(session, versions, ladder)
            opponents = results_by_opponent(session, versions, ladder, OPPONENTS + 1)
            return render(
                request,
                "bot.html",
                card=card,
                is_deleted=card.owner == NOBODY,
                guests=GUESTS,
                ladder=ladder,
                ladders=_ladders(card),
                game=ladder_named(session, ladder).game if _is_opponent(card) else "",
                curves=_curves(session, card, ladder),
                opponents=opponents[:OPPONENTS],
                more_opponents=len(opponents) > OPPONENTS,
                seats=results_by_seat(session, versions, ladder),
                sizes=results_by_size(session, versions, ladder),
                times=times,
                histogram=times and _histogram(times),
                faults=find_faults(session, bot=card.bot, competition=ladder, limit=FAULTS).faults,
                form=charts.strip([outcome_of(match, card.bot) for match in reversed(matches)]),
                matches=matches[:LATEST],
                played=len(matches),
            )

        stamps = [ladder_stamp(session, one) for one in _ladders(card)]
        latest = matches[0].match if matches else ""
        return conditional(request, tag_of(card, ladder, latest, *stamps), make)


def outcome_of(match: Match, bot: str) -> tuple[charts.Outcome, bool]:
    """Returns a bot's result in a match by its best seat, and whether it was at fault."""
    own = [seat for seat in match.seats if seat.bot == bot]
    best = min(own, key=lambda seat: seat.rank)
    others = [seat.rank for seat in match.seats if seat.team != best.team]
    if not others or best.rank < min(others):
        outcome = charts.Outcome.WON
    else:
        outcome = charts.Outcome.TIED if best.rank == min(others) else charts.Outcome.LOST
    return outcome, any(seat.faults for seat in own)


def _is_opponent(card: BotCard) -> bool:
    """Returns whether people can choose the bot as their opponent."""
    return not card.remote and any(
        place.state == "active" for version in card.versions for place in version.ladders
    )


def _ladders(card: BotCard) -> list[str]:
    """Returns the ladders of a bot, that with most of its matches first."""
    matches: dict[str, int] = {}
    for place in chain.from_iterable(version.ladders for version in card.versions):
        matches[place.ladder] = matches.get(place.ladder, 0) + place.matches
    return sorted(matches, key=lambda name: (-matches[name], name))


def _ladder(card: BotCard, wanted: str) -> str:
    """Returns the ladder that the page is about; empty if the bot is on none. Raises ArenaError."""
    known = _ladders(card)
    if wanted and wanted not in known:
        raise ArenaError(
            Kind.NOT_FOUND, no_such("ladder", wanted, known, f"with the bot {card.bot}")
        )
    return wanted or next(iter(known), "")


def _curves(session: Session, card: BotCard, ladder: str) -> charts.Curves | None:
    """Draws the curve of each version that is on the ladder, the latest first."""
    there = [
        version
        for version in card.versions
        if any(place.ladder == ladder for place in version.ladders)
    ][: charts.STYLES]
    found = rating_curves(session, ladder, [version.version for version in there])
    margins = SIGMAS if len(there) <= BANDS else 0
    return charts.curves(
        [
            charts.Line(
                f"v{version.number}",
                [
                    charts.Point(point.sequence, point.mu, margins * point.sigma)
                    for point in found.get(version.version, ())
                ],
            )
            for version in there
        ]
    )


def _histogram(times: Histogram) -> charts.Histogram:
    """Draws the times up to the most that a decision can take."""
    limit = times.bank_ms + times.increment_ms
    counts: Sequence[int] = [bar.decisions for bar in times.bars]
    bounds = [bounds_of(bucket) for bucket in range(max(len(counts), bucket_of(limit) + 1))]
    bins = [
        charts.Bin(
            low=least,
            high=most + 1,
            count=counts[bucket] if bucket < len(counts) else 0,
            text=seconds(least) if bucket else "< 1 ms",
        )
        for bucket, (least, most) in enumerate(bounds)
    ]
    return charts.histogram(bins, limit)


# The names of bots that were never checked may have any characters.
ROUTES = [Route("/bots/{name:path}", show)]
