"""The rows of machines: seen, counted, blocked and unblocked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.queue import WorkerReport, machine_of
from arena.store.schema import Machine, now, table_of

FORGOTTEN_AFTER = timedelta(days=30)
MACHINES = table_of(Machine)
# Prepared once: the recorder carries it out with every batch.
COUNT = (
    sa.update(MACHINES)
    .where(MACHINES.c.name == sa.bindparam("machine"))
    .values(matches=MACHINES.c.matches + sa.bindparam("more"), seen_at=sa.bindparam("at"))
)
SINCE = "since"
"""In the evidence against a machine: nothing up to then speaks against it."""
BLOCKED = sa.select(MACHINES.c.name).where(MACHINES.c.blocked_at.is_not(None))


def machine_named(session: Session, name: str) -> Machine:
    """Returns the machine of that name. Raises ArenaError."""
    machine = session.get(Machine, name)
    if machine is None:
        known = session.scalars(sa.select(Machine.name).order_by(Machine.name)).all()
        raise ArenaError(Kind.NOT_FOUND, no_such("machine", name, known), "machine")
    return machine


def blocked_machines(session: Session) -> frozenset[str]:
    """Returns the names of the machines that are blocked."""
    return frozenset(session.connection().scalars(BLOCKED))


def block(machine: Machine, reason: str) -> None:
    """Gives the workers of a machine no more jobs; those in play are played to their end."""
    machine.blocked_at, machine.reason = now(), reason


def unblock(machine: Machine) -> None:
    """Lets the workers of a machine play again. The evidence against it begins again."""
    machine.blocked_at, machine.reason = None, ""
    machine.evidence = {SINCE: now().isoformat()}


def count_matches(session: Session, played: Mapping[str, int]) -> None:
    """Counts matches by the machines that have played them."""
    for machine, matches in sorted(played.items()):
        values = {"machine": machine, "more": matches, "at": now()}
        if not session.connection().execute(COUNT, values).rowcount:
            session.add(Machine(name=machine, matches=matches, seen_at=now()))
            session.flush()


def enrol(session: Session, machine: str, address: str) -> None:
    """Notes the address from which a worker has enrolled."""
    row = _seen(session, machine)
    row.address = address


def note_reports(session: Session, reports: Iterable[WorkerReport]) -> None:
    """Notes the versions of workers, and that they have called."""
    for report in reports:
        row = _seen(session, machine_of(report.worker))
        row.version = report.version


def forget_machines(session: Session) -> None:
    """Forgets those that nobody has seen for long and that are not blocked: a fleet of containers
    has a new one with every worker."""
    long_ago = MACHINES.c.seen_at < now() - FORGOTTEN_AFTER
    session.execute(sa.delete(Machine).where(Machine.blocked_at.is_(None), long_ago))


def _seen(session: Session, machine: str) -> Machine:
    row = session.get(Machine, machine)
    if row is None:
        row = Machine(name=machine)
        session.add(row)
        session.flush()
    row.seen_at = now()
    return row
