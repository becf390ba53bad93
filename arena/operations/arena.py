"""The arena itself, and the search through everything in it that has a name."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena import __version__
from arena.operations.caller import ORGANISERS
from arena.operations.operation import AnyText, Limit, Number, Reading, Text, reads
from arena.views import search as found_by_name
from arena.views.activity import Activity, activity_of
from arena.views.arena import ArenaView, software_of
from arena.views.audit_line import AuditLines, audit_lines
from arena.views.matches.match_query import since_of
from arena.views.search import Found

if TYPE_CHECKING:
    from arena.queue import QueueState


@reads("/")
def read_arena(asked: Reading) -> ArenaView:
    """The version of the arena, where it listens by gRPC for bots and workers, and the software
    that bots find there."""
    holder = asked.folder.holder()
    return ArenaView(
        version=__version__,
        grpc=holder.grpc if holder is not None else "",
        software=software_of(holder),
    )


@reads("/audit", ORGANISERS)
def read_audit(
    asked: Reading,
    since: Annotated[
        Text, Field(description="A day or a moment, such as 2026-07-07; empty: the beginning.")
    ] = "",
    caller: Text = "",
    after: Number = 0,
    limit: Limit = 50,
) -> AuditLines:
    """The changes that were asked for, the latest first: who, when, what, and with which outcome.
    What was refused to others than organisers is not among them."""
    moment = since_of("since", since) if since else None
    return audit_lines(asked.session, since=moment, caller=caller, after=after, limit=limit)


@reads("/activity", ORGANISERS)
def read_activity(asked: Reading) -> Activity:
    """The queue, the workers and the competitions that go on, at this moment."""
    holder = asked.folder.holder()
    if holder is None or not holder.redis:
        return activity_of(asked.session, None, "No arena runs on this data folder at present.")
    from arena.queue import QueueSilent  # Redis takes long to load

    try:
        return activity_of(asked.session, asyncio.run(_looked_at(holder.redis)))
    except QueueSilent as silent:
        return activity_of(asked.session, None, str(silent))


async def _looked_at(redis: str) -> QueueState:
    from arena.queue import QueueWatch

    watch = QueueWatch(redis)
    try:
        return await watch.look()
    finally:
        await watch.close()


@reads("/search")
def search(asked: Reading, q: AnyText = "") -> Found:
    """Bots, owners, competitions, games and matches with this text in their names."""
    return found_by_name.search(asked.session, q)
