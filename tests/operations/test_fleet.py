"""The machines of workers: listed, blocked by commands of organisers and on their page."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league import fleet
from arena.operations.running.fleet import block_machine, list_machines, unblock_machine
from arena.queue import WorkerReport
from arena.queue.signing_key import made_key
from arena.store import tokens
from arena.store.schema import AuditLine, Job, Machine, Role, now
from arena.views.running.machines import machines_of
from tests.support.asked import Asked, Asker
from tests.support.stored_matches import MATCH
from tests.support.visitor import Answer, Visitor

WHY = "Its fan is broken."


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    """An organiser of an arena for which the machine host has played a match with a crash."""
    with arena.store.writing() as session:
        fleet.count_matches(session, {"host": 1})
        fleet.count_matches(session, {"host": 2, "other": 1})
        fleet.enrol(session, "host", "10.0.0.5")
        fleet.note_reports(session, [WorkerReport(worker="host-7", version="7.7", at_once=2)])
        session.execute(sa.update(Job).values(machine="host", recorded_at=now()))
    return arena.asker("Org", Role.ORGANISER)


async def test_what_is_known_of_machines_is_listed(arena: Asked, organiser: Asker) -> None:
    listed = await organiser.ask(list_machines)
    assert "does not answer" in listed.trouble
    host, other = listed.machines
    assert (host.machine, host.version, host.address, host.matches) == (
        "host",
        "7.7",
        "10.0.0.5",
        3,
    )
    assert (host.faults, host.matches_a_minute) == ({"crashed": 1}, 0.1)
    assert (host.seen_at is None, host.blocked_at, host.workers) == (False, None, ())
    assert (other.machine, other.matches, other.faults) == ("other", 1, {})
    with arena.store.reading() as session:
        [job] = session.scalars(sa.select(Job.id))
        reports = [
            WorkerReport(worker="host-7", version="7.8", at_once=2, jobs=(job, "gone")),
            WorkerReport(worker="new-1", version="7.8", at_once=1),
        ]
        host, new, _ = machines_of(session, reports)
    [worker] = host.workers
    assert (worker.worker, worker.version, worker.at_once) == ("host-7", "7.8", 2)
    assert [(one.job, one.competition) for one in worker.jobs] == [(job, "main")]
    assert (new.machine, new.version, new.matches, new.faults) == ("new", "7.8", 0, {})


async def test_machines_that_are_long_gone_are_forgotten_unless_they_are_blocked(
    arena: Asked, organiser: Asker
) -> None:
    await organiser.ask(block_machine, "host", WHY)
    with arena.store.writing() as session:
        session.execute(sa.update(Machine).values(seen_at=now() - timedelta(days=31)))
        fleet.count_matches(session, {"here": 1})
        fleet.forget_machines(session)
    listed = await organiser.ask(list_machines)
    assert [one.machine for one in listed.machines] == ["here", "host"]


async def test_a_machine_is_blocked_and_unblocked(arena: Asked, organiser: Asker) -> None:
    blocked = (await organiser.ask(block_machine, "host", WHY)).machine
    assert (blocked.blocked_at is None, blocked.reason) == (False, WHY)
    with arena.store.reading() as session:
        assert fleet.blocked_machines(session) == {"host"}
    twice = await organiser.refused(block_machine, "host", WHY)
    assert (twice.kind, twice.sentence) == (Kind.NOT_NOW, f"host is blocked already: {WHY}")
    unknown = await organiser.refused(block_machine, "hots", WHY)
    assert (unknown.kind, unknown.field) == (Kind.NOT_FOUND, "machine")
    assert "Did you mean host?" in unknown.sentence
    unblocked = (await organiser.ask(unblock_machine, "host")).machine
    assert (unblocked.blocked_at, unblocked.reason) == (None, "")
    free = await organiser.refused(unblock_machine, "host")
    assert free.sentence == "host is not blocked."
    with arena.store.reading() as session:
        changed = session.scalars(sa.select(AuditLine.operation).where(AuditLine.outcome == "done"))
        assert changed.all() == ["block_machine", "unblock_machine"]


async def test_the_page_lists_and_blocks_for_organisers_alone(
    arena: Asked, organiser: Asker
) -> None:
    made_key(arena.data.pages_key)
    with arena.store.writing() as session:
        org = tokens.create_token(session, "Org", Role.ORGANISER)[1]
        ann = tokens.create_token(session, "Ann", Role.OWNER)[1]

    def visited() -> list[Answer]:
        origin = f"http://{arena.address}"
        visitor, owner = Visitor(origin).log_in(org), Visitor(origin).log_in(ann)
        return [
            visitor.get("/organiser"),
            visitor.get("/do/block_machine?machine=host"),
            visitor.post("/do/block_machine", {"machine": "host", "reason": WHY}),
            visitor.get("/organiser/workers"),
            visitor.post("/do/block_machine", {"machine": "host", "reason": ""}),
            owner.get("/organiser/workers"),
            owner.post("/do/block_machine", {"machine": "other", "reason": WHY}),
            Visitor(origin).get("/organiser"),
        ]

    home, form, done, listed, wrong, forbidden, refused, stranger = await asyncio.to_thread(visited)
    assert 'href="/organiser/workers"' in home.text
    assert 'name="machine" value="host"' in form.text
    assert (done.status, done.location) == (303, "/organiser/workers")
    assert f": {WHY}" in listed.text
    assert MATCH not in listed.text
    assert "it is empty; write a sentence" in wrong.text
    assert (forbidden.status, refused.status, stranger.status) == (403, 403, 303)
    with arena.store.reading() as session:
        assert fleet.blocked_machines(session) == {"host"}
