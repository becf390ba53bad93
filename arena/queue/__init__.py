"""Carries jobs to workers and outcomes back, on Redis streams."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.queue.broadcast import Broadcast, BroadcastFailed, Seen
    from arena.queue.cancellation import cancellations, raise_swallowed
    from arena.queue.embedded_valkey import TETHER, EmbeddedValkey
    from arena.queue.job import Clock, Entrant, Job, Origin, Outcome, PlayedMatch
    from arena.queue.live_match import Extent, LiveFault, LiveMatch
    from arena.queue.queue_watch import QueueSilent, QueueState, QueueWatch
    from arena.queue.redis_address import check_address
    from arena.queue.redis_queue import (
        LEASE_S,
        RENEW_EVERY_S,
        Delivered,
        Lease,
        Queue,
        QueueUnreachable,
        machine_of,
    )
    from arena.queue.signing_key import made_key, read_key
    from arena.queue.worker_report import REPORT_EVERY_S, WorkerReport

__all__ = [
    "LEASE_S",
    "RENEW_EVERY_S",
    "REPORT_EVERY_S",
    "TETHER",
    "Broadcast",
    "BroadcastFailed",
    "Clock",
    "Delivered",
    "EmbeddedValkey",
    "Entrant",
    "Extent",
    "Job",
    "Lease",
    "LiveFault",
    "LiveMatch",
    "Origin",
    "Outcome",
    "PlayedMatch",
    "Queue",
    "QueueSilent",
    "QueueState",
    "QueueUnreachable",
    "QueueWatch",
    "Seen",
    "WorkerReport",
    "cancellations",
    "check_address",
    "machine_of",
    "made_key",
    "raise_swallowed",
    "read_key",
]

__getattr__ = on_demand(__name__)
