"""Comparisons are played to their verdict, whatever is interrupted, and every group once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.comparison import (
    ComparisonJobs,
    change_state,
    create_comparison,
    problems_of,
    read_file,
    write_file,
)
from arena.league.comparison.certificate_check import BadCertificate, read_certificate
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Job
from arena.statistics import Verdict
from arena.store.schema import (
    Comparison,
    ComparisonGroup,
    CompetitionState,
    JobState,
    Rating,
    Version,
    VersionState,
)
from arena.store.schema import Job as JobRow
from arena.store.session import Store
from arena.store.texts import record_text
from arena.store.versions import add_version
from arena.views.comparisons.certificate import Certificate, certificate_of, certify
from arena.views.comparisons.comparison import comparison_of
from arena.views.comparisons.figures import figures
from arena.views.comparisons.plan import Mode, plan_of
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of

State = CompetitionState


def version(session: Any, bot: str, text: str = "") -> Version:
    digest = hashlib.sha256(f"{bot}{text}".encode()).hexdigest()
    return add_version(session, bot=bot, owner="org", version=digest, manifest={})


def create(store: Store, game: str = "xeri", house: Sequence[str] = (), **terms: Any) -> Comparison:
    options = {"deals": 1} if game == "xeri" else {}
    chosen: dict[str, Any] = {"name": "duel", "most_groups": 12, "options": options} | terms
    with store.writing() as session:
        old, new = version(session, "ann"), version(session, "ann", "better")
        return create_comparison(
            session,
            "org",
            game,
            new,
            old,
            [version(session, bot) for bot in house],
            **chosen,
        )


def source(store: Store) -> ComparisonJobs:
    with store.reading() as session:
        return ComparisonJobs(session, session.get_one(Comparison, "duel"))


def made(store: Store, jobs: ComparisonJobs, keep: int = 8) -> list[Job]:
    with store.writing() as session:
        return jobs.make(session, keep)


def document(store: Store) -> dict[str, Any]:
    with store.reading() as session:
        found = comparison_of(session, session.get_one(Comparison, "duel"), is_run=True)
        return found.model_dump(mode="json")


def change(store: Store, state: State) -> None:
    with store.writing() as session:
        change_state(session, session.get_one(Comparison, "duel"), state)


def play(store: Store, rng: Random, *, restarts: float = 0.2, steps: int = 2000) -> None:
    """Plays until nothing is due. `restarts`: how often the league is killed between two steps."""
    jobs, recorder, queued = source(store), Recorder(store), list[Job]()
    for _ in range(steps):
        if rng.random() < restarts:
            jobs = source(store)
        queued += made(store, jobs, rng.randint(1, 6))
        if document(store)["state"] != State.RUNNING:
            return
        job = queued.pop(rng.randrange(len(queued)))
        assert recorder.record(outcome_of(job, rng)) == Recorded()
    raise AssertionError("The comparison does not end.")


def certified(store: Store) -> tuple[Certificate, list[str]]:
    with store.reading() as session:
        certificate = certificate_of(session, session.get_one(Comparison, "duel"))
        started = len(session.scalars(sa.select(ComparisonGroup)).all())
        assert certificate.not_counted == started - len(certificate.groups)
        records = [
            record_text(session, match.match)
            for group in certificate.groups
            for match in group.matches
        ]
        return certificate, records


slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("game", "mode", "seats", "house", "matches"),
    [
        ("xeri", Mode.HEAD_TO_HEAD, None, [], 2),
        ("xeri", Mode.REPLACEMENT, 2, ["bob"], 4),
        slow("insidious-sevens", Mode.HEAD_TO_HEAD, 3, ["bob"], 6),
        slow("insidious-sevens", Mode.REPLACEMENT, 4, ["bob", "cy"], 8),
        slow("seven-euchre", Mode.HEAD_TO_HEAD, 4, [], 2),
        slow("seven-euchre", Mode.REPLACEMENT, 4, ["bob"], 4),
    ],
)
def test_every_kind_is_played_to_its_verdict_and_certified(
    store: Store,
    rng: Random,
    tmp_path: Path,
    game: str,
    mode: Mode,
    seats: int | None,
    house: list[str],
    matches: int,
) -> None:
    create(store, game, house, mode=mode, seats=seats)
    play(store, rng)
    found = document(store)
    assert found["state"] == State.OVER
    assert found["findings"]["verdict"] != Verdict.RUNNING
    certificate, records = certified(store)
    assert certificate.findings.model_dump(mode="json") == found["findings"]
    assert all(len(group.matches) == matches for group in certificate.groups)
    path = tmp_path / "duel.jsonl.gz"
    assert write_file(path, certificate, records) == matches * len(certificate.groups)
    again, lines = read_file(path)
    assert list(problems_of(again, lines)) == []
    with store.reading() as session:
        assert session.scalars(sa.select(Rating)).all() == []
        states = session.scalars(sa.select(JobRow.state)).all()
        assert JobState.QUEUED not in states


def test_every_change_to_the_file_shows(store: Store, rng: Random) -> None:
    create(store)
    play(store, rng)
    certificate, records = certified(store)

    def told(changed: Certificate = certificate, lines: Sequence[str] = records) -> list[str]:
        return list(problems_of(changed, lines))

    assert "is missing" in " ".join(told(lines=records[1:]))
    assert "is there twice" in " ".join(told(lines=[*records, records[0]]))
    assert "cannot be read" in " ".join(told(lines=["{}", *records[1:]]))
    assert "the arena committed" in told(certificate.model_copy(update={"secret": "0" * 64}))[0]
    first, *rest = certificate.groups
    swapped = first.model_copy(update={"matches": tuple(reversed(first.matches))})
    text = " ".join(told(certificate.model_copy(update={"groups": (swapped, *rest)})))
    assert "Group 1: in the record of" in text
    assert "match_number is" in text
    assert "the versions at the seats" in text
    other = (rest[0], first, *rest[1:])
    reordered = certify("duel", certificate.plan, certificate.secret, other, len(other))
    assert "seed_text is" in " ".join(told(reordered))
    with pytest.raises(BadCertificate):
        read_certificate(certificate.to_json() + " ")


def test_a_changed_difference_shows_in_the_records(store: Store, rng: Random) -> None:
    create(store)
    play(store, rng)
    certificate, records = certified(store)
    first, *rest = certificate.groups
    lied = first.model_copy(update={"difference": first.difference + 0.25})
    changed = certificate.model_copy(update={"groups": (lied, *rest)})
    assert list(problems_of(changed, records))  # the findings do not follow
    honest = certify("duel", changed.plan, changed.secret, (lied, *rest), len(changed.groups))
    if len(honest.groups) == len(certificate.groups):
        [told] = problems_of(honest, records)
        assert told.startswith(f"Group 1: the difference is {first.difference:g} by the records")


def test_a_job_that_was_given_up_is_played_again_under_its_number(
    store: Store, rng: Random
) -> None:
    create(store, house=["bob"], mode=Mode.REPLACEMENT)
    jobs = source(store)
    first, second = made(store, jobs, 2)
    assert first.seed_text == second.seed_text
    Recorder(store).park(second.job_id, "No worker has the game.")
    assert made(store, jobs) == []
    problem = document(store)["problem"]
    assert problem.startswith("Group 1: the job ")
    assert "was given up (No worker has the game.)" in problem
    change(store, State.RUNNING)
    again, *others = made(store, jobs, 4)
    assert (again.seed_text, again.entrants) == (second.seed_text, second.entrants)
    assert {job.seed_text for job in others}.isdisjoint({again.seed_text})
    assert document(store)["replayed"] == 1


def test_earlier_comparisons_of_the_same_versions_are_counted_and_warned_of(store: Store) -> None:
    create(store, name="first")
    create(store, name="second", most_groups=13)
    create(store)
    found = document(store)
    assert (found["earlier"], found["replayed"]) == (2, 0)
    assert found["caution"] == (
        "These two versions were compared here 2 times before: in several tries a false"
        ' "better" is more probable than in one.'
    )


def test_a_group_that_waits_for_an_earlier_one_does_not_count(store: Store, rng: Random) -> None:
    create(store)
    first, second, third = made(store, source(store), 3)
    for job in (second, third):
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    made(store, source(store), 1)
    found = document(store)
    assert (found["findings"]["groups"], found["waiting"]) == (0, 2)
    assert Recorder(store).record(outcome_of(first, rng)) == Recorded()
    made(store, source(store), 1)
    found = document(store)
    assert (found["findings"]["groups"], found["waiting"]) == (3, 0)


@pytest.mark.parametrize("side", ["new", "old"])
def test_a_bot_that_keeps_failing_ends_it_without_a_verdict(
    store: Store, rng: Random, side: str
) -> None:
    create(store, most_groups=500)
    with store.reading() as session:
        plan = plan_of(session.get_one(Comparison, "duel"))
    broken = getattr(plan, side)
    recorder, jobs = Recorder(store), source(store)
    while queued := made(store, jobs, keep=2):
        for job in queued:
            at = next(i for i, e in enumerate(job.entrants) if e.version == broken.version)
            recorder.record(outcome_of(job, rng, at_fault=[at]))
    found = document(store)
    assert found["state"] == State.FAILED
    assert found["matches"] == 4
    assert found["problem"].startswith(
        f"{broken} keeps failing: it was at fault in 4 of its last 4 matches, the latest "
    )
    assert found["problem"].endswith(
        ": start-failed: No hello came. Its output: arena bot faults ann"
    )
    assert found["sentence"] == "No verdict: a version kept failing."
    with store.reading() as session, failing(Kind.NOT_NOW, match="has no verdict"):
        certificate_of(session, session.get_one(Comparison, "duel"))


def test_groups_are_counted_by_difference_and_the_share_is_told_in_elo(
    store: Store, rng: Random
) -> None:
    create(store)
    jobs = source(store)
    while queued := made(store, jobs):
        for job in queued:
            Recorder(store).record(outcome_of(job, rng))
    with store.reading() as session:
        found = comparison_of(session, session.get_one(Comparison, "duel"), is_run=False)
    assert sum(groups for _, groups in found.distribution) == found.findings.groups == 12
    assert [one for one, _ in found.distribution] == sorted({one for one, _ in found.distribution})
    changes = {"estimate": None, "mean": 0.28, "interval": (0.0, 0.5)}
    better = found.model_copy(update={"findings": found.findings.model_copy(update=changes)})
    assert figures(better)["Elo"][0] == "+100 (+0 to +191)"
    endless = found.findings.model_copy(update=changes | {"interval": (0.0, 1.0)})
    assert "Elo" not in figures(found.model_copy(update={"findings": endless}))


def test_rare_faults_are_counted_beside_the_verdict(store: Store, rng: Random) -> None:
    create(store)
    recorder, jobs, groups = Recorder(store), source(store), 0
    while queued := made(store, jobs, keep=1):
        for job in queued:
            groups += 1
            recorder.record(outcome_of(job, rng, at_fault=[0] if groups == 5 else []))
    found = document(store)
    assert found["state"] == State.OVER
    assert found["new_faults"] + found["old_faults"] == 2
    assert found["sentence"].endswith(
        f" Seats at fault: {found['new_faults']} of NEW, {found['old_faults']} of OLD."
    )
    with store.reading() as session:
        certificate = certificate_of(session, session.get_one(Comparison, "duel"))
    assert [certificate.faults(one) for one in (0, 1)] == [found["new_faults"], found["old_faults"]]


def newer(store: Store) -> str:
    with store.reading() as session:
        return plan_of(session.get_one(Comparison, "duel")).new.version


def test_the_same_plan_goes_on_and_another_needs_another_name(store: Store) -> None:
    assert create(store, name="").name == create(store, name="").name
    create(store)
    with failing(Kind.TAKEN, match="another plan"):
        create(store, t1=0.3)


def test_pausing_and_cancelling(store: Store) -> None:
    create(store)
    jobs = source(store)
    made(store, jobs)
    change(store, State.PAUSED)
    assert made(store, jobs, 20) == []
    change(store, State.RUNNING)
    assert document(store)["secret"] == ""
    change(store, State.CANCELLED)
    found = document(store)
    assert (found["state"], len(found["secret"])) == (State.CANCELLED, 64)
    with failing(Kind.NOT_NOW, match="The comparison duel is cancelled"):
        change(store, State.RUNNING)


def test_a_retired_version_pauses_it(store: Store) -> None:
    create(store)
    with store.writing() as session:
        session.get_one(Version, newer(store)).state = VersionState.RETIRED
    assert made(store, source(store)) == []
    assert document(store)["problem"] == (
        "The comparison duel cannot go on: ann@2 has been retired or deleted."
    )
    with failing(Kind.NOT_NOW, match="ann@2 has been retired or deleted"):
        change(store, State.RUNNING)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"house": ["bob"]}, "There are places for 0 house bots, not 1"),
        ({"mode": Mode.REPLACEMENT, "seats": 2}, "1 places are left for house bots"),
        ({"house": ["bob", "bob"], "seats": 2}, "bob@1 is compared, or named twice"),
        ({"t0": 0.3}, "t1 must be larger by at least 0.01"),
        ({"alpha": 0.7}, "`alpha`: Input should be less than 0.5"),
        ({"most_groups": 0}, "`most_groups`: Input should be greater than"),
        ({"seats": 9}, "seats, not 9"),
        ({"name": "No Name"}, "A comparison's name consists of"),
    ],
)
def test_a_comparison_that_cannot_be(store: Store, terms: dict[str, Any], sentence: str) -> None:
    with failing(Kind.WRONG_INPUT) as wrong:
        create(store, **terms)
    assert sentence in wrong.value.sentence


def test_a_version_is_not_compared_with_itself(store: Store) -> None:
    with store.writing() as session:
        same = version(session, "ann")
        with failing(Kind.WRONG_INPUT) as wrong:
            create_comparison(session, "org", "xeri", same, same)
    assert "ann@1 and ann@1 are the same version" in wrong.value.sentence
