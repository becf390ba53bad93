"""Outcomes are recorded once, if they are true."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.league.job_rows import new_job, row_of
from arena.league.ladder.rate import rebuild
from arena.league.recorder import AlreadySettled, Dropped, Parked, Recorded, Recorder, Refused
from arena.queue.job import Entrant, Job, Outcome, PlayedMatch
from arena.queue.redis_queue import Delivered
from arena.ratings import Skill, surprise
from arena.records.record import SealedRecord, canonical, read_compressed, seal
from arena.store import schema
from arena.store.schema import (
    Base,
    Format,
    JobState,
    Ladder,
    Match,
    Partners,
    Rating,
    Record,
    Version,
)
from arena.store.session import Store
from arena.store.texts import private_log_text, record_text
from arena.views.matches.match import match_named
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.job_outcomes import body_of, log_of, outcome_of, reported

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]


def everything(store: Store) -> dict[str, list[Any]]:
    with store.reading() as session:
        return {
            table.name: sorted(map(repr, session.execute(sa.select(table))))
            for table in Base.metadata.sorted_tables
        }


def job_row(store: Store, job: Job) -> schema.Job:
    with store.reading() as session:
        return session.get_one(schema.Job, job.job_id)


def delivered(job: Job, outcome: Outcome | None, times: int, problem: str = "") -> Delivered:
    return Delivered(b"1-0", job.job_id, times, outcome, problem)


@pytest.fixture
def recorder(store: Store) -> Recorder:
    return Recorder(store)


@pytest.fixture
def job(new_ladder: NewLadder, jobs_of: JobsOf) -> Job:
    [job] = jobs_of(new_ladder(), 1)
    return job


def test_a_true_outcome_is_recorded_with_all_that_belongs_to_it(
    store: Store, recorder: Recorder, job: Job, rng: Random
) -> None:
    outcome = outcome_of(job, rng, attempt=2)
    assert recorder.record(outcome) == Recorded()
    record = read_compressed(outcome.matches[0].record).record
    with store.reading() as session:
        row = match_named(session, record.match_id[:10])
        assert (row.match, row.job, row.attempt, row.rated) == (
            record.match_id,
            job.job_id,
            2,
            True,
        )
        assert [seat.score for seat in row.seats] == list(record.result.scores)
        assert [seat.bot for seat in row.seats] == [entrant.bot for entrant in job.entrants]
        assert row.finished_at.isoformat() == "2026-07-07T08:01:07.777000+00:00"
        assert record_text(session, row.match) == canonical(record)
        assert session.get_one(Record, row.match).body == outcome.matches[0].record
        assert private_log_text(session, row.match) == outcome.matches[0].private_log
        ladder = session.get_one(Ladder, job.competition)
        even = surprise([[Skill()], [Skill()]], [1, 2], ladder.draw_probability)
        tie = [seat.rank for seat in row.seats] == [1, 1]
        assert session.get_one(Match, row.match).surprise == (0 if tie else even)
        for entrant in job.entrants:
            rating = session.get_one(Rating, (job.competition, entrant.version))
            assert (rating.matches, rating.sigma < 8) == (1, True)
            assert session.get_one(Version, entrant.version).attempts == 2
    kept = job_row(store, job)
    assert (kept.state, kept.sequence, kept.attempts) == (JobState.RECORDED, 1, 2)


def test_a_second_delivery_changes_nothing_also_after_a_restart(
    store: Store, recorder: Recorder, job: Job, rng: Random
) -> None:
    outcome = outcome_of(job, rng)
    assert recorder.record(outcome) == Recorded()
    before = everything(store)
    assert recorder.record(outcome) == AlreadySettled()
    assert Recorder(store).record(outcome) == AlreadySettled()
    assert recorder.record(outcome_of(job, rng)) == AlreadySettled()
    assert everything(store) == before


def test_an_outcome_that_fails_to_be_written_leaves_nothing_and_can_come_again(
    store: Store, recorder: Recorder, job: Job, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(store)

    def fail(*_: Any) -> None:
        raise RuntimeError("power cut")

    outcome = outcome_of(job, rng)
    with monkeypatch.context() as patch:
        patch.setattr("arena.league.recorder.rate_job", fail)
        with pytest.raises(RuntimeError):
            recorder.record(outcome)
    assert everything(store) == before
    assert recorder.record(outcome) == Recorded()


def changed(outcome: Outcome, **fields: Any) -> Outcome:
    """Returns the outcome with its first record changed and sealed again."""
    record = read_compressed(outcome.matches[0].record).record
    for name, value in fields.items():
        *path, last = name.split("__")
        part: Any = record
        for step in path:
            part = part[int(step)] if step.isdigit() else getattr(part, step)
        if isinstance(value, dict):
            getattr(part, last).update(value)
        else:
            setattr(part, last, value)
    played = PlayedMatch(record=body_of(seal(record).record), private_log=log_of(record))
    return outcome.model_copy(update={"matches": (played, *outcome.matches[1:])})


LIES = {
    "another job": ({"job_id": "f" * 32}, "job_id: must be"),
    "another attempt": ({"attempt": 2}, "attempt: must be 1, not 2"),
    "another match": ({"match_number": 2}, "match_number: must be 1, not 2"),
    "another game": ({"game": "seven-euchre"}, "game: must be 'xeri', not 'seven-euchre'"),
    "other rules": ({"rules_version": 9}, "rules_version: must be 1, not 9"),
    "other options": ({"options": {"deals": "4"}}, "options: must be {"),
    "another clock": ({"clock__bank_ms": 1}, "clock.bank_ms: must be 60000, not 1"),
    "another bot": ({"seats__0__bot": "mallory"}, r"seats\[0\].bot: must be '\w+', not 'mallory'"),
    "another version": ({"seats__1__version": "0" * 64}, r"seats\[1\].version: must be"),
    "another seating": ({"seats__0__entrant": 1}, r"seats\[0\].entrant: must be 0, not 1"),
    "other teams": ({"seats__0__team": 1}, r"seats\[0\].team: must be 0, not 1"),
    "deals it chose itself": ({"deal_source__seed_text": "mine"}, "deal_source.seed_text: must be"),
    "a secret kept": ({"deal_source__secret": ""}, "secret revealed: must be True"),
    "another secret": ({"deal_source__secret": "0" * 64}, "deal_source.secret: "),
    "another move": ({"choices__0__action": "pass"}, r"choices\[0\].action: "),
    "another result": ({"result__reason": "limit"}, "result.reason: "),
}


@pytest.mark.parametrize(("lie", "sentence"), LIES.values(), ids=LIES)
def test_a_record_that_contradicts_the_job_or_the_rules_is_refused(
    store: Store,
    recorder: Recorder,
    job: Job,
    rng: Random,
    lie: dict[str, Any],
    sentence: str,
) -> None:
    before = everything(store)
    verdict = recorder.record(changed(outcome_of(job, rng), **lie))
    assert isinstance(verdict, Refused)
    assert verdict.sentence.startswith("Match 1, ")
    assert re.search(sentence, verdict.sentence), verdict.sentence
    assert everything(store) == before


def test_a_job_with_a_seed_text_is_played_with_its_deals(
    store: Store, recorder: Recorder, new_ladder: NewLadder, rng: Random
) -> None:
    ladder = new_ladder()
    with store.writing() as session:
        ann, bob = session.scalars(sa.select(Version).order_by(Version.bot).limit(2))
        entrants = [Entrant(bot=one.bot, version=one.digest) for one in (ann, bob)]
        job = new_job(ladder, entrants, seed_text="round 1")
        session.add(row_of(job))
    for other in ("", "round 2"):
        verdict = recorder.record(outcome_of(job.model_copy(update={"seed_text": other}), rng))
        assert isinstance(verdict, Refused)
        assert "deal_source.seed_text: must be 'round 1'" in verdict.sentence
    assert recorder.record(outcome_of(job, rng)) == Recorded()


@pytest.mark.parametrize("sentence", ["x" * 501, "It ended.\nIts last output: y", "\x1b]0;z\x07"])
def test_a_public_sentence_is_short_and_on_one_line(
    recorder: Recorder, job: Job, rng: Random, sentence: str
) -> None:
    outcome = outcome_of(job, rng, at_fault=[0])
    verdict = recorder.record(changed(outcome, faults__0__sentence=sentence))
    assert isinstance(verdict, Refused)
    assert "faults[0].sentence: must be" in verdict.sentence
    assert len(verdict.sentence) < 1000


@pytest.mark.parametrize("name", ["x" * 101, "an arena\nforged line", "\u202e"])
def test_so_is_the_name_of_the_arena_that_played(
    recorder: Recorder, job: Job, rng: Random, name: str
) -> None:
    verdict = recorder.record(changed(outcome_of(job, rng), arena=name))
    assert isinstance(verdict, Refused)
    assert "arena: must be" in verdict.sentence


def test_the_reason_of_a_parked_job_is_short_and_on_one_line(
    recorder: Recorder, store: Store, job: Job
) -> None:
    recorder.park(job.job_id, "\x1b[2J\nforged " + "x" * 1_000_000)
    with store.reading() as session:
        reason = session.get_one(schema.Job, job.job_id).reason
    assert reason.startswith("\\x1b[2J\\nforged xxx")
    assert len(reason) < 1600


def test_a_record_in_another_form_than_the_canonical_one_is_refused(
    recorder: Recorder, job: Job, rng: Random
) -> None:
    outcome = outcome_of(job, rng)
    sealed = read_compressed(outcome.matches[0].record)
    spaced = SealedRecord(sealed.record, json.dumps(json.loads(sealed.text), ensure_ascii=False))
    played = PlayedMatch(record=spaced.compressed(), private_log=log_of(sealed.record))
    verdict = recorder.record(outcome.model_copy(update={"matches": (played,)}))
    assert isinstance(verdict, Refused)
    assert "Match 1: The text is not in canonical form" in verdict.sentence


def test_a_record_that_was_not_sealed_again_is_refused(
    recorder: Recorder, job: Job, rng: Random
) -> None:
    outcome = outcome_of(job, rng)
    record = read_compressed(outcome.matches[0].record).record
    record.finished_at = "2026-07-07T09:00:00.000Z"
    played = PlayedMatch(record=body_of(record), private_log=log_of(record))
    verdict = recorder.record(outcome.model_copy(update={"matches": (played,)}))
    assert isinstance(verdict, Refused)
    assert "Match 1, digest: Only the digest differs" in verdict.sentence


def test_an_outcome_without_the_token_is_dropped_and_the_job_goes_on(
    store: Store, recorder: Recorder, job: Job, rng: Random
) -> None:
    forged = outcome_of(job, rng).model_copy(update={"result_token": "guessed"})
    assert recorder.record(forged) == Dropped("The result token is not that of the job.")
    assert recorder.settle([delivered(job, forged, times=9)])
    assert job_row(store, job).state == JobState.QUEUED
    assert recorder.record(outcome_of(job, rng)) == Recorded()


def test_a_token_is_not_in_the_store(store: Store, job: Job) -> None:
    assert job.result_token not in repr(everything(store))


def test_an_outcome_of_an_unknown_job_is_dropped(recorder: Recorder, job: Job, rng: Random) -> None:
    stranger = job.model_copy(update={"job_id": "f" * 32})
    assert isinstance(recorder.record(outcome_of(stranger, rng)), Dropped)


def test_a_failed_job_is_parked_with_the_reason(
    store: Store, recorder: Recorder, job: Job, rng: Random
) -> None:
    failure = "Its worker was lost in each of 3 attempts."
    outcome = reported(job, [], attempt=3).model_copy(update={"failure": failure})
    assert recorder.record(outcome) == Parked()
    row = job_row(store, job)
    assert (row.state, row.reason, row.attempts) == (JobState.PARKED, failure, 3)
    with store.reading() as session:
        assert session.get_one(Version, job.entrants[0].version).attempts == 3
    assert recorder.record(outcome_of(job, rng)) == AlreadySettled()


@pytest.mark.parametrize(("absent", "level"), [(False, "ERROR"), (True, "INFO")])
def test_the_absence_of_a_bot_is_no_error_of_the_arena(
    recorder: Recorder, job: Job, absent: bool, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    outcome = reported(job, [], attempt=1).model_copy(update={"failure": "Gone.", "absent": absent})
    assert recorder.record(outcome) == Parked()
    [line] = [one for one in caplog.records if "is parked: Gone." in one.getMessage()]
    assert line.levelname == level


def test_a_result_refused_three_times_parks_its_job(
    store: Store, recorder: Recorder, job: Job, rng: Random
) -> None:
    wrong = changed(outcome_of(job, rng), result__reason="limit")
    assert not recorder.settle([delivered(job, wrong, times=1)])
    assert not recorder.settle([delivered(job, wrong, times=2)])
    assert job_row(store, job).state == JobState.QUEUED
    assert recorder.settle([delivered(job, wrong, times=3)])
    row = job_row(store, job)
    assert row.state == JobState.PARKED
    assert row.reason.startswith("Its result was refused 3 times: Match 1, result.reason: ")


def test_bytes_that_are_no_outcome_park_the_job_too(
    store: Store, recorder: Recorder, job: Job
) -> None:
    assert recorder.settle([delivered(job, None, times=3, problem="It cannot be unpacked.")])
    assert job_row(store, job).reason == "Its result was refused 3 times: It cannot be unpacked."


def states(store: Store) -> dict[str, JobState]:
    with store.reading() as session:
        return {row.id: row.state for row in session.scalars(sa.select(schema.Job))}


def match_ids(store: Store) -> set[str]:
    with store.reading() as session:
        return {match.id for match in session.scalars(sa.select(schema.Match))}


def batch_of(jobs: list[Job], outcomes: list[Outcome]) -> list[Delivered]:
    return [delivered(job, one, times=1) for job, one in zip(jobs, outcomes, strict=True)]


def test_results_that_arrive_together_are_recorded_like_those_that_arrive_alone(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    jobs = jobs_of(new_ladder(options={"deals": 1}), 8)
    batch = batch_of(jobs, [outcome_of(job, rng) for job in jobs])
    assert recorder.settle(batch) == batch
    assert set(states(store).values()) == {JobState.RECORDED}
    with store.reading() as session:
        numbers = [session.get_one(schema.Job, job.job_id).sequence for job in jobs]
    assert numbers == list(range(1, 9))  # in the order of their arrival
    assert rebuild(store, "main") == []


def test_a_result_that_cannot_be_recorded_does_not_spoil_its_batch(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    """Its match has the id of another, which only the database notices."""
    jobs = jobs_of(new_ladder(options={"deals": 1}), 6)
    outcomes = [outcome_of(job, rng) for job in jobs]
    taken = read_compressed(outcomes[1].matches[0].record).record.match_id
    bad = rng.choice([0, 3, 5])
    outcomes[bad] = changed(outcomes[bad], match_id=taken)
    outcomes[4] = changed(outcomes[4], result__reason="limit")
    batch = batch_of(jobs, outcomes)
    settled = recorder.settle(batch)
    first_to_have_it = min(bad, 1)
    refused = {4, max(bad, 1)}
    assert settled == [one for place, one in enumerate(batch) if place not in refused]
    assert batch[first_to_have_it] in settled
    assert {place for place, job in enumerate(jobs) if states(store)[job.job_id] == "queued"} == (
        refused
    )
    assert taken in match_ids(store)
    assert len(match_ids(store)) == 4
    assert rebuild(store, "main") == []
    again = [batch_of(jobs, outcomes)[place] for place in refused]
    assert recorder.settle(again) == []


def test_a_result_that_arrives_twice_at_once_is_recorded_once(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    one, other = jobs_of(new_ladder(options={"deals": 1}), 2)
    outcomes = [outcome_of(job, rng) for job in (one, other)]
    batch = batch_of([one, other, one], [*outcomes, outcomes[0]])
    assert recorder.settle(batch) == batch
    assert len(match_ids(store)) == 2
    assert rebuild(store, "main") == []


def test_a_batch_may_have_results_of_all_kinds(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    jobs = jobs_of(new_ladder(options={"deals": 1}), 5)
    true, failed, forged, empty, told = (outcome_of(job, rng) for job in jobs)
    recorder.record(told)
    failed = failed.model_copy(update={"matches": (), "failure": "Its worker was lost."})
    forged = forged.model_copy(update={"result_token": "guessed"})
    batch = batch_of(jobs, [true, failed, forged, empty, told])
    batch[3] = delivered(jobs[3], None, times=1, problem="It cannot be unpacked.")
    assert recorder.settle(batch) == [batch[place] for place in (0, 1, 2, 4)]
    found = states(store)
    assert [found[job.job_id] for job in jobs] == [
        JobState.RECORDED,
        JobState.PARKED,
        JobState.QUEUED,
        JobState.QUEUED,
        JobState.RECORDED,
    ]
    assert recorder.dropped == 1


@pytest.fixture
def group(new_ladder: NewLadder, jobs_of: JobsOf) -> Job:
    """A duplicate group: two versions, each its own partner, that swap places."""
    terms = {"format": Format.DUPLICATE, "partners": Partners.SAME}
    [job] = jobs_of(new_ladder("seven-euchre", **terms), 1)
    return job


def test_a_duplicate_group_is_recorded_as_a_whole_and_rated_once(
    store: Store, recorder: Recorder, group: Job, rng: Random
) -> None:
    assert (group.seatings, group.fresh) == (((0, 1, 2, 3), (1, 0, 3, 2)), True)
    assert recorder.record(outcome_of(group, rng)) == Recorded()
    with store.reading() as session:
        assert [row.number for row in find_matches(session).matches] == [2, 1]
        versions = {entrant.version for entrant in group.entrants}
        assert len(versions) == 2
        for version in versions:
            assert session.get_one(Rating, (group.competition, version)).matches == 2
        assert session.scalar(sa.select(sa.func.count()).select_from(schema.RatingChange)) == 2
    assert job_row(store, group).sequence == 1


def test_half_a_group_is_refused(recorder: Recorder, group: Job, rng: Random) -> None:
    outcome = outcome_of(group, rng)
    half = outcome.model_copy(update={"matches": outcome.matches[:1]})
    assert recorder.record(half) == Refused("The job has 2 matches, the outcome 1.")


def test_a_group_on_different_deals_is_refused(recorder: Recorder, group: Job, rng: Random) -> None:
    first, second = outcome_of(group, rng), outcome_of(group, rng)
    mixed = first.model_copy(update={"matches": (first.matches[0], second.matches[1])})
    verdict = recorder.record(mixed)
    assert isinstance(verdict, Refused)
    assert verdict.sentence.startswith("Match 2, deal_source.commitment: must be")


def test_faults_are_counted_and_a_match_without_a_sound_team_is_not_rated(
    store: Store, recorder: Recorder, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    ladder = new_ladder()
    one_failed, both_failed = jobs_of(ladder, 2)
    assert recorder.record(outcome_of(one_failed, rng, at_fault={0})) == Recorded()
    assert recorder.record(outcome_of(both_failed, rng, at_fault={0, 1})) == Recorded()
    assert job_row(store, one_failed).sequence == 1
    assert job_row(store, both_failed).sequence is None
    culprit = one_failed.entrants[0]
    with store.reading() as session:
        page = find_matches(session, MatchFilter(bot=culprit.bot))
        row = next(row for row in page.matches if row.job == one_failed.job_id)
        assert [seat.rank for seat in row.seats] == [2, 1]
        [fault] = row.seats[0].faults
        assert (fault.kind, fault.decision, fault.sentence) == ("start-failed", 0, "No hello came.")
        assert not row.seats[1].faults
        unrated = next(r for r in find_matches(session).matches if r.job == both_failed.job_id)
        assert not unrated.rated
        faults = session.execute(sa.select(sa.func.sum(Version.faults))).scalar_one()
        assert faults == session.execute(sa.select(sa.func.sum(Rating.faults))).scalar_one() == 3
