"""What pages ask the store, answered from matches that were really recorded."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import Kind
from arena.league.ladder.rate import rebuild
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Job
from arena.store import schema
from arena.store.queries import job_counts
from arena.store.remote_bots import (
    add_remote_version,
    forget_connections,
    renew_token,
    set_connected,
)
from arena.store.schema import CompetitionState, Entry, EntryState, Ladder
from arena.store.session import Store
from arena.views.bot import bot_card, owned_bots
from arena.views.competition import competition_cards
from arena.views.decision_times import decision_times
from arena.views.ladders.ladder import JobCounts, ladder_counts, ladder_stamp
from arena.views.ladders.rating_curve import rating_curves
from arena.views.ladders.rating_history import rating_history
from arena.views.ladders.standing import standings
from arena.views.matches.deal_group import group_of, is_in_play
from arena.views.matches.fault import find_faults
from arena.views.matches.match_filter import MatchFilter, Result
from arena.views.matches.match_list import count_matches, find_matches
from arena.views.results import (
    Meetings,
    crosstable,
    results_by_opponent,
    results_by_seat,
    results_by_size,
)
from arena.views.search import search
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]
JOBS = 30


@pytest.fixture
def session(store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random) -> Iterator[Session]:
    """A ladder of single matches on which thirty were played, some with faults, and three are
    waiting."""
    recorder = Recorder(store)
    jobs = jobs_of(new_ladder(options={"deals": 1}), JOBS + 3)
    for number, job in enumerate(jobs[:JOBS]):
        outcome = outcome_of(job, rng, at_fault=[0] if number % 7 == 0 else [])
        assert recorder.record(outcome) == Recorded()
    rebuild(store, "main")
    with store.reading() as session:
        yield session


def total(session: Session, **wanted: object) -> int:
    return count_matches(session, MatchFilter(**wanted)).number  # type: ignore[arg-type]


def test_the_table_of_a_ladder_agrees_with_its_lists(session: Session) -> None:
    rows = standings(session, "main")
    assert [row.rating for row in rows] == sorted((row.rating for row in rows), reverse=True)
    for row in rows:
        assert row.matches == row.seats_taken == total(session, bot=row.bot)
        assert row.wins == total(session, bot=row.bot, result=Result.WON)
        assert row.matches - row.wins - row.ties == total(session, bot=row.bot, result=Result.LOST)
        assert row.faults == total(session, bot=row.bot, faulted=True)
        history = rating_history(session, "main", row.bot, limit=100).changes
        assert row.recent == tuple(change.after.mu for change in reversed(history[:20]))
        assert row.trend == pytest.approx(row.mu - row.recent[0])
        assert row.mean_rank is not None
        assert row.fit is not None
    part = standings(session, "main", offset=1, limit=2)
    assert part == rows[1:3]
    with failing(Kind.NOT_FOUND, match="Did you mean main"):
        standings(session, "mian")


def test_a_ladder_that_nobody_played_has_a_table(store: Store, new_ladder: NewLadder) -> None:
    new_ladder()
    with store.reading() as session:
        rows = standings(session, "main")
        assert [(row.mean_rank, row.recent, row.trend) for row in rows] == [(None, (), 0.0)] * 5
        assert rating_curves(session, "main", [rows[0].version]) == {rows[0].version: ()}
        assert decision_times(session, [rows[0].version], "main") is None


def test_the_stamp_of_a_ladder_changes_with_it(store: Store, session: Session, rng: Random) -> None:
    stamps = [ladder_stamp(session, "main")]
    assert ladder_stamp(session, "main") == stamps[0]
    session.rollback()
    with store.writing() as writing:
        writing.execute(
            sa.update(Entry).where(Entry.ladder == "main").values(state=EntryState.WITHDRAWN)
        )
    stamps.append(ladder_stamp(session, "main"))
    session.rollback()
    with store.writing() as writing:
        writing.get_one(Ladder, "main").state = CompetitionState.PAUSED
    session.expire_all()
    stamps.append(ladder_stamp(session, "main"))
    assert len(set(stamps)) == 3


def test_a_ladder_is_counted_by_the_few_jobs_that_have_no_number(
    store: Store, session: Session
) -> None:
    session.rollback()
    with store.writing() as writing:
        # Nobody is rated if every team was at fault.
        job = schema.Job(id="x", competition="main", body="", token_hash="")
        job.state = schema.JobState.RECORDED
        writing.add(job)
    counts = ladder_counts(session, ["main"])["main"]
    assert (counts.matches, counts.rated_jobs) == (JOBS, JOBS)
    assert counts.jobs == JobCounts(queued=3, recorded=JOBS + 1, parked=0)
    right = job_counts(session, "main")
    assert counts.jobs == JobCounts.model_validate({str(one): right[one] for one in right})


def test_the_stamp_of_a_ladder_changes_when_a_remote_bot_comes_or_goes(
    store: Store, session: Session
) -> None:
    with store.writing() as writing:
        add_remote_version(writing, "far", "Ann")
        renew_token(writing, "far")
    changes: list[Callable[[Session], None]] = [
        lambda writing: set_connected(writing, "far", True),
        lambda writing: set_connected(writing, "far", False),
        lambda writing: set_connected(writing, "far", True),
        forget_connections,
    ]
    stamps = [ladder_stamp(session, "main")]
    for change in changes:
        session.rollback()
        with store.writing() as writing:
            change(writing)
        stamps.append(ladder_stamp(session, "main"))
    assert len(set(stamps)) == 1 + len(changes)


def test_the_crosstable_agrees_with_lists_of_pairs(session: Session) -> None:
    rows = standings(session, "main")
    table = crosstable(session, "main", [row.version for row in rows])
    for one in rows:
        for other in rows:
            met = table.get((one.version, other.version))
            wanted = {"bot": one.bot, "against": other.bot}
            if met is None:
                assert total(session, **wanted) == 0
                continue
            assert met.matches == met.jobs == total(session, **wanted)
            assert met.wins == total(session, **wanted, result=Result.WON)
            assert met.losses == total(session, **wanted, result=Result.LOST)
            back = table[other.version, one.version]
            assert met.points + back.points == met.matches
            assert met.share == pytest.approx(1 - back.share)
            assert met.evidence == -back.evidence
    by_opponent = results_by_opponent(session, [rows[0].version], "main")
    assert {one.version: one.meetings for one in by_opponent} == {
        other: met for (one, other), met in table.items() if one == rows[0].version
    }
    assert by_opponent == results_by_opponent(session, [rows[0].version])
    assert [one.meetings.matches for one in by_opponent] == sorted(
        (one.meetings.matches for one in by_opponent), reverse=True
    )


@pytest.mark.parametrize(
    ("meetings", "evidence"),
    [
        ((0, 0, 0, 0, 0), 0.0),
        ((1, 1, 1, 0, 1), 0.7),  # one win says little
        ((10, 10, 10, 0, 10), 3.0),
        ((10, 20, 10, 0, 0), 0.0),  # every duplicate group was split
        ((100, 100, 0, 0, 100), -10.0),
    ],
)
def test_evidence_grows_with_jobs_and_with_how_clear_they_are(
    meetings: tuple[int, ...], evidence: float
) -> None:
    jobs, matches, wins, ties, squares = meetings
    found = Meetings(
        jobs=jobs, matches=matches, wins=wins, ties=ties, squares=squares, firsts=wins, faults=0
    )
    assert found.evidence == pytest.approx(evidence, abs=0.06)


def test_results_by_seat_and_size_sum_up_to_the_whole(session: Session) -> None:
    for row in standings(session, "main"):
        by_seat = results_by_seat(session, [row.version], "main")
        [by_size] = results_by_size(session, [row.version])
        assert {one.place for one in by_seat} <= {0, 1}
        assert (by_size.place, by_size.matches) == (2, row.matches)
        assert sum(one.matches for one in by_seat) == row.matches
        assert sum(one.wins for one in by_seat) == by_size.wins == row.wins
        assert by_size.mean_rank == pytest.approx(row.mean_rank)
        for one in by_seat:
            assert one.matches == total(session, bot=row.bot, seat=one.place)


def test_decision_times_stand_beside_the_clock(session: Session) -> None:
    for row in standings(session, "main"):
        found = decision_times(session, [row.version], "main")
        assert found is not None
        assert (found.bank_ms, found.increment_ms) == (60_000, 200)
        matches = find_matches(session, MatchFilter(bot=row.bot), limit=100).matches
        seats = [seat for match in matches for seat in match.seats if seat.bot == row.bot]
        assert found.decisions == sum(seat.decisions or 0 for seat in seats) > 0
        assert found.total_ms == sum(seat.total_ms or 0 for seat in seats)
        assert found.slowest_ms == max(seat.slowest_ms or 0 for seat in seats) == 7
        assert found.mean_ms == 7.0  # `outcome_of` gives every choice of a bot so long
        assert [(bar.least_ms, bar.most_ms) for bar in found.bars] == [
            (0, 0),
            (1, 1),
            (2, 3),
            (4, 7),
        ]


def test_curves_have_every_point_of_a_short_history(session: Session) -> None:
    rows = standings(session, "main")
    curves = rating_curves(session, "main", [row.version for row in rows])
    for row in rows:
        history = rating_history(session, "main", row.bot, limit=100).changes
        right = [(change.sequence, *dict(change.after).values()) for change in reversed(history)]
        curve = curves[row.version]
        assert [(one.sequence, one.mu, one.sigma) for one in curve] == right
        assert all(one.at is not None for one in curve)
        assert (curve[-1].mu, curve[-1].sigma) == (row.mu, row.sigma)


def test_curves_of_a_long_history_are_thinned_between_their_ends(session: Session) -> None:
    row = max(standings(session, "main"), key=lambda row: row.matches)
    whole = rating_curves(session, "main", [row.version])[row.version]
    thinned = rating_curves(session, "main", [row.version], points=6)[row.version]
    assert 3 < len(thinned) <= 6 < len(whole)
    assert set(thinned) < set(whole)
    assert (thinned[0], thinned[-1]) == (whole[0], whole[-1])
    assert list(thinned) == sorted(thinned, key=lambda point: point.sequence)


def test_a_bot_and_its_owner(session: Session) -> None:
    rows = {row.bot: row for row in standings(session, "main")}
    card = bot_card(session, "ann")
    assert (card,) == owned_bots(session, "Ann").bots
    assert (card.owner, card.remote, card.connected) == ("Ann", False, None)
    [version] = card.versions
    assert card.version() == card.version(1) == version
    assert card.version(2) is None
    [on_ladder] = version.ladders
    row = rows["ann"]
    assert (on_ladder.ladder, on_ladder.game, on_ladder.state) == ("main", "xeri", "active")
    assert (on_ladder.place, on_ladder.of) == (row.place, 5)
    assert (on_ladder.rating, on_ladder.matches) == (pytest.approx(row.rating), row.matches)
    assert on_ladder.fit == row.fit
    assert version.faults == len(find_faults(session, bot="ann").faults)
    with failing(Kind.NOT_FOUND, match="Did you mean ann"):
        bot_card(session, "anne")
    with failing(Kind.NOT_FOUND, match="Did you mean Ann"):
        owned_bots(session, "Anne")


def test_cards_of_competitions(session: Session) -> None:
    [card] = competition_cards(session, game="xeri")
    assert [card] == competition_cards(session) == competition_cards(session, kinds=["ladder"])
    assert (card.name, card.kind, card.game, card.seats) == ("main", "ladder", "xeri", 2)
    assert (card.entrants, card.matches, card.queued) == (5, JOBS, 3)
    best = standings(session, "main")[:3]
    assert [leader.bot for leader in card.leaders] == [row.bot for row in best]
    assert [leader.rating for leader in card.leaders] == pytest.approx([row.rating for row in best])
    assert competition_cards(session, game="trash") == []
    assert competition_cards(session, kinds=["tournament"]) == []


def test_search(session: Session) -> None:
    match = find_matches(session, limit=1).matches[0].match
    assert search(session, "AN").bots == (("ann", "Ann"),)
    assert search(session, "an").owners == ("Ann",)
    assert [one.name for one in search(session, "ai").competitions] == ["main"]
    assert search(session, "Rummy").games == ("seven-rummy",)
    assert search(session, match[:9]).matches == (match,)
    assert match in search(session, match).matches
    for nothing in ("", "  ", "%", "_nn", "a" * 500, "zzzz"):
        assert not search(session, nothing)
    assert len(search(session, "e", limit=2).games) == 2


def test_a_job_is_a_group_and_never_in_play(session: Session) -> None:
    row = find_matches(session, limit=1).matches[0]
    group = group_of(session, row.match[:12])
    assert (group.kind, group.competition, group.complete) == ("job", "main", True)
    assert (group.jobs, group.matches) == ((row.job,), (row,))
    assert not is_in_play(session, row.match)
    with failing(Kind.NOT_FOUND):
        group_of(session, "zzz")
