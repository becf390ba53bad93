"""A machine on which bots fail is taken out of play, and what it played is as if it had never
been."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.hosting.fleet_watch import FleetWatch
from arena.hosting.metrics import Metrics
from arena.league import fleet
from arena.league.ladder import enter
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import create_ladder
from arena.league.recorder import Recorded, Recorder
from arena.queue import WorkerReport
from arena.queue.job import Job
from arena.store import schema
from arena.store.queries import ladder_named
from arena.store.schema import AuditLine, Entry, EntryState, Machine, Match, Rating, VoidMatch
from arena.store.session import Store
from arena.views.activity import machines_lately
from arena.views.audit_line import audit_lines
from tests.support.job_outcomes import outcome_of
from tests.support.new_store import new_store
from tests.support.played_competitions import BOTS, version

JOBS = 160


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path / "data")
    create_ladder(store, "main", "xeri", draw_probability=0.05)
    with store.writing() as session:
        for bot in BOTS:
            enter(session, ladder_named(session, "main"), version(session, bot).digest)
    yield store
    store.close()


def record(store: Store, job: Job, machine: str, rng: Random) -> None:
    failing = range(len(job.entrants)) if machine == "bad-host" else ()
    outcome = outcome_of(job, rng, at_fault=failing)
    worker = {"worker": f"{machine}-7"}
    assert Recorder(store).record(outcome.model_copy(update=worker)) == Recorded()


def test_a_machine_on_which_bots_fail_is_blocked_and_its_matches_are_void(
    store: Store, tmp_path: Path
) -> None:
    rng = Random(7)
    metrics = Metrics(tmp_path)
    watch = FleetWatch(store, "unix:///nowhere", bytes(32), metrics)
    with store.writing() as session:
        jobs = LadderJobs(session, ladder_named(session, "main"), rng).make(session, JOBS)
    for number, job in enumerate(jobs[:-2]):
        record(store, job, ("bad-host", "good-host")[number % 2], rng)
        if number % 10 == 9:
            watch.note((WorkerReport(worker="bad-host-7", version="7", at_once=1),))
            with store.reading() as session:
                if fleet.blocked_machines(session):
                    break
    shown = metrics.exposition(None, {}).decode()
    seen = 'sevens_machine_seen_timestamp_seconds{machine="%s",state="%s"}'
    assert seen % ("bad-host", "quarantined") in shown
    assert seen % ("bad-host", "open") not in shown
    with store.reading() as session:
        assert fleet.blocked_machines(session) == {"bad-host"}
        machine = session.get_one(Machine, "bad-host")
        assert machine.reason.startswith("Quarantined by the arena: bots have failed here more")
        assert machine.version == "7"
        machines = {one.name: one.state.value for one in machines_lately(session)}
        assert machines == {"bad-host": "quarantined", "good-host": "open"}
        [line] = audit_lines(session).lines
        assert (line.who, line.operation, line.outcome) == ("(arena)", "quarantine_machine", "done")
        assert (line.arguments["machine"], line.arguments["left"]) == ("bad-host", 0)
        assert machines_of_void(session) == {"bad-host"}
        void = session.scalars(sa.select(VoidMatch.match)).all()
        assert line.arguments["void"] == {"main": len(void)}
        assert session.scalar(sa.select(sa.func.sum(Rating.faults))) == 0
        states = set(session.scalars(sa.select(Entry.state)))
        assert states == {EntryState.ACTIVE}
    record(store, jobs[-2], "bad-host", rng)  # it was in play
    record(store, jobs[-1], "good-host", rng)
    watch.note(())
    watch.note(())
    with store.writing() as session:
        assert machines_of_void(session) == {"bad-host"}
        assert session.scalar(sa.select(sa.func.count()).select_from(VoidMatch)) == len(void) + 1
        assert session.scalar(sa.select(sa.func.count()).select_from(AuditLine)) == 2
        machine = fleet.machine_named(session, "bad-host")
        fleet.unblock(machine)
        session.flush()
        assert (machine.evidence.keys(), fleet.blocked_machines(session)) == (
            {"since"},
            frozenset(),
        )


def machines_of_void(session: Session) -> set[str | None]:
    found = sa.select(schema.Job.machine).join(Match, Match.job == schema.Job.id)
    return set(session.scalars(found.join(VoidMatch, VoidMatch.match == Match.id)))
