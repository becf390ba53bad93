"""The machines whose workers play: listed, blocked and unblocked."""

from __future__ import annotations

import asyncio

from arena.errors import ArenaError, Kind
from arena.league import fleet
from arena.operations.caller import ORGANISERS
from arena.operations.operation import Changing, Reading, Reason, Text, changes, reads
from arena.queue import QueueSilent, QueueWatch, WorkerReport, read_key
from arena.store.data_folder import DataFolder
from arena.views.running.machines import Machines, OneMachine, machine_of_row, machines_of

NOT_RUNNING = "No arena runs on this data folder at present."


@reads("/machines", ORGANISERS)
def list_machines(asked: Reading) -> Machines:
    """The machines whose workers have called: version, address, when they were last seen, what they
    have played, how often bots were at fault there, and the workers that are there with their
    jobs."""
    try:
        reports, trouble = _reports(asked.folder), ""
    except QueueSilent as silent:
        reports, trouble = (), str(silent)
    return Machines(trouble=trouble, machines=machines_of(asked.session, reports))


@changes("POST", "/machines/{machine}/block", ORGANISERS)
def block_machine(call: Changing, machine: Text, reason: Reason) -> OneMachine:
    """Give the workers of a machine no more jobs. What they play is played to its end. The reason
    is for organisers."""
    with call.store.writing() as session:
        row = fleet.machine_named(session, machine)
        if row.blocked_at is not None:
            raise ArenaError(Kind.NOT_NOW, f"{machine} is blocked already: {row.reason}", "machine")
        fleet.block(row, reason)
        return OneMachine(machine=machine_of_row(session, row))


@changes("POST", "/machines/{machine}/unblock", ORGANISERS)
def unblock_machine(call: Changing, machine: Text) -> OneMachine:
    """Give the workers of a blocked machine jobs again."""
    with call.store.writing() as session:
        row = fleet.machine_named(session, machine)
        if row.blocked_at is None:
            raise ArenaError(Kind.NOT_NOW, f"{machine} is not blocked.", "machine")
        fleet.unblock(row)
        return OneMachine(machine=machine_of_row(session, row))


def _reports(folder: DataFolder) -> tuple[WorkerReport, ...]:
    """Raises QueueSilent."""
    holder = folder.holder()
    if holder is None or not holder.redis:
        raise QueueSilent(NOT_RUNNING)

    async def look(redis: str) -> tuple[WorkerReport, ...]:
        watch = QueueWatch(redis)
        try:
            return await watch.reports(read_key(folder.queue_key))
        finally:
            await watch.close()

    return asyncio.run(look(holder.redis))
