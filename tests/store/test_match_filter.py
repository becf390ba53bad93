"""A match filter says the same in an address, in a list and in a count."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from sqlalchemy.orm import Session

from arena.errors import Kind
from arena.store import schema
from arena.store.schema import Bot, Job, Match, MatchSeat, Version
from arena.store.session import Store
from arena.views.matches import match_list as find_module
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import Counted, count_matches, find_matches
from arena.views.matches.match_query import from_query, to_query
from tests.support.failing import failing
from tests.support.match_rows import match_row
from tests.support.stored_matches import new_ladder

BEGIN = datetime(2026, 7, 7, tzinfo=UTC)
EVERYTHING = MatchFilter(
    competition="main",
    game="xeri",
    bot="ann & bob",
    number=3,
    against="<script>",
    against_number=2,
    result=Result.LOST,
    faulted=True,
    fault="timeout",
    seat=0,
    seats=2,
    since=BEGIN,
    until=BEGIN + timedelta(hours=7),
    slowest_ms=1000,
    order=Order.WORST,
)


@pytest.mark.parametrize(
    "wanted",
    [MatchFilter(), EVERYTHING, MatchFilter(faulted=True), MatchFilter(bot="a", seat=1)],
    ids=str,
)
def test_an_address_gives_its_filter_back(wanted: MatchFilter) -> None:
    assert from_query(to_query(wanted)) == wanted
    assert to_query(from_query(to_query(wanted))) == to_query(wanted)


def test_an_address_is_short_and_readable() -> None:
    assert to_query(MatchFilter()) == []
    wanted = MatchFilter(bot="a", number=3, faulted=True, since=BEGIN)
    assert to_query(wanted) == [
        ("bot", "a@3"),
        ("fault", "any"),
        ("since", "2026-07-07T00:00:00Z"),
    ]
    assert from_query([("bot", ""), ("seats", " "), ("order", "latest")]) == MatchFilter()
    days = from_query([("since", "2026-07-06"), ("until", "2026-07-06")])
    assert (days.since, days.until) == (BEGIN - timedelta(days=1), BEGIN)
    assert from_query([("since", "2026-07-07T02:00+02:00")]).since == BEGIN


@pytest.mark.parametrize(
    ("query", "field", "sentence"),
    [
        ("game=xeri&game=dingo", "game", "Give game once"),
        ("gmae=xeri", "gmae", "Did you mean game"),
        ("zzz=1", "zzz", "Use competition, ladder, "),
        ("bot=@3", "bot", "BOT@NUMBER"),
        ("bot=a@b", "bot", "whole number from 1"),
        ("bot=a@0", "bot", "whole number from 1"),
        ("bot=a@99999999999", "bot", "whole number from 1"),
        ("result=drawn&bot=a", "result", "one of won, lost, not 'drawn'"),
        ("result=won", "result", "name it as well"),
        ("against=b", "against", "name it as well"),
        ("seat=1", "seat", "name it as well"),
        ("order=worst", "order", "name it with bot"),
        ("order=odd", "order", "one of latest, worst, best"),
        ("fault=tired", "fault", "one of any, start-failed"),
        ("seats=0", "seats", "whole number from 1"),
        ("seats=²", "seats", "whole number from 1"),
        ("slowest=-1", "slowest", "whole number from 0"),
        ("since=yesterday", "since", "like 2026-07-07"),
        ("until=9999-12-31", "until", "like 2026-07-07"),
        ("since=0001-01-01T00:00%2B14:00", "since", "like 2026-07-07"),
        ("since=2026-07-08&until=2026-07-06", "until", "later than since"),
        ("bot=" + "a" * 201, "bot", "at most 200"),
    ],
)
def test_a_filter_that_cannot_be_is_refused_with_a_sentence(
    query: str, field: str, sentence: str
) -> None:
    pairs = [pair.replace("%2B", "+").split("=") for pair in query.split("&")]
    with failing(Kind.WRONG_INPUT) as refused:
        from_query([(name, value) for name, value in pairs])
    assert refused.value.field == field
    assert sentence in refused.value.sentence
    assert refused.value.sentence[-1] in ".?"


def add_match(session: Session, number: int, ladder: str, ranks: str, fault: str) -> None:
    session.add(Job(id=f"job {number}", competition=ladder, body="{}", token_hash="0" * 64))
    session.flush()
    finished_at = BEGIN + timedelta(seconds=number)
    bots = ("a", "b") if number % 2 else ("b", "a")
    seats = [
        {
            "bot": bot,
            "version": f"{bot}{1 + number % 3 % 2}".ljust(64, "0"),
            "score": 0,
            "rank": int(rank),
            "fault_kind": fault if seat == 0 and fault else None,
            "fault_decision": 1 if seat == 0 and fault else None,
            "margin": (int(ranks[1 - seat]) - int(rank)) * (number % 7),
            "decision_counts": [1],
            "slowest_ms": 100 * (number % 5) * seat,
        }
        for seat, (bot, rank) in enumerate(zip(bots, ranks, strict=True))
    ]
    game = "xeri" if ladder == "main" else "trash"
    job = f"job {number}"
    row = match_row(f"{number:03}", job, ladder, finished_at, seats, game=game, started_at=BEGIN)
    session.add(row)


@pytest.fixture
def matches(store: Store) -> Iterator[Session]:
    """Thirty matches of two versions each of a and b on two ladders, with all that can be
    filtered."""
    with store.writing() as session:
        for bot in "ab":
            session.add(Bot(name=bot, owner=bot.upper()))
            session.flush()
            for number in (1, 2):
                digest = f"{bot}{number}".ljust(64, "0")
                session.add(Version(digest=digest, bot=bot, number=number, manifest={}))
        other = new_ladder("other")
        other.game = "trash"
        session.add_all([new_ladder("main"), other])
        session.flush()
        for number in range(30):
            ladder = "main" if number % 4 else "other"
            ranks = ("12", "21", "11")[number % 3]
            fault = {7: "timeout", 11: "crashed"}.get(number % 13, "")
            add_match(session, number, ladder, ranks, fault)
    with store.reading() as session:
        yield session


def every_match(session: Session) -> list[tuple[Match, dict[str, MatchSeat]]]:
    found = session.query(Match).order_by(Match.finished_at.desc()).all()
    return [(match, {seat.bot: seat for seat in match.seats}) for match in found]


def is_wanted(wanted: MatchFilter, match: Match, seats: dict[str, MatchSeat]) -> bool:
    """The filter in plain words, to compare with."""
    own = seats.get(wanted.bot)
    theirs = next((seat for bot, seat in seats.items() if bot != wanted.bot), None)
    judged = [own] if own else list(seats.values())
    assert theirs is not None
    return (
        wanted.competition in ("", match.competition)
        and wanted.game in ("", match.game)
        and (not wanted.bot or own is not None)
        and (not wanted.number or (own is not None and own.version[1] == str(wanted.number)))
        and (not wanted.against_number or theirs.version[1] == str(wanted.against_number))
        and (wanted.result is not Result.WON or (own is not None and own.rank < theirs.rank))
        and (wanted.result is not Result.LOST or (own is not None and own.rank > theirs.rank))
        and (not wanted.faulted or any(seat.fault_kind for seat in judged))
        and (not wanted.fault or any(seat.fault_kind == wanted.fault for seat in judged))
        and (wanted.seat is None or (own is not None and own.seat == wanted.seat))
        and wanted.seats in (0, 2)
        and (wanted.since is None or match.finished_at >= wanted.since)
        and (wanted.until is None or match.finished_at < wanted.until)
        and any(seat.slowest_ms >= wanted.slowest_ms for seat in judged)
    )


WANTED: list[dict[str, Any]] = [
    {"competition": "main"},
    {"game": "trash"},
    {"faulted": True},
    {"faulted": True, "fault": "timeout"},
    {"since": BEGIN + timedelta(seconds=8), "until": BEGIN + timedelta(seconds=22)},
    {"slowest_ms": 300},
    {"seats": 2},
    {"seats": 3},
]
OF_A_BOT: list[dict[str, Any]] = [
    {},
    {"number": 2},
    {"against": "b", "against_number": 1},
    {"result": Result.WON},
    {"result": Result.LOST, "against": "b"},
    {"seat": 1},
    {"order": Order.WORST},
    {"order": Order.BEST, "result": Result.WON},
]


def all_pages(session: Session, wanted: MatchFilter, limit: int) -> list[str]:
    found: list[str] = []
    after = None
    while True:
        page = find_matches(session, wanted, after=after, limit=limit)
        found += [row.match for row in page.matches]
        after = page.next
        if after is None:
            return found


@pytest.mark.parametrize("few", [True, False])
def test_lists_and_counts_have_what_the_filter_says(
    matches: Session, monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    monkeypatch.setattr(find_module, "FEW", 2000 if few else 1)
    every = every_match(matches)
    filters = [MatchFilter(**one) for one in WANTED]
    filters += [
        MatchFilter(**{"bot": "a", **one, **other})
        for one, other in product([{}, *WANTED], OF_A_BOT)
    ]
    several = 0
    for wanted in filters:
        right = [match.id for match, seats in every if is_wanted(wanted, match, seats)]
        found = all_pages(matches, wanted, limit=4)
        assert sorted(found) == sorted(right), wanted
        assert count_matches(matches, wanted) == Counted(len(right)), wanted
        several += len(right) > 4
        if wanted.order is Order.LATEST:
            assert found == right
        else:
            margins = [seats["a"].margin for id_ in found for m, seats in every if m.id == id_]
            assert margins == sorted(margins, reverse=wanted.order is Order.BEST)
    assert several > 20


def test_a_count_is_bounded(matches: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_module, "COUNTED", 10)
    assert str(count_matches(matches)) == "10+"
    assert str(count_matches(matches, MatchFilter(faulted=True))) == "4"
    assert str(Counted(10_000, more=True)) == "10,000+"


def test_rows_have_times_and_margins(matches: Session) -> None:
    [row] = find_matches(matches, MatchFilter(bot="a"), limit=1).matches
    seat = next(seat for seat in row.seats if seat.bot == "a")
    stored = matches.get_one(schema.MatchSeat, (row.match, seat.seat))
    assert (seat.margin, seat.decisions) == (stored.margin, 1)
    assert (seat.total_ms, seat.slowest_ms) == (0, stored.slowest_ms)
