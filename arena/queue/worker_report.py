"""The message by which a worker says what it is and does."""

from __future__ import annotations

from arena.queue.job import SignedMessage

KEPT_S = 30
REPORT_EVERY_S = 5.0
LIMIT_BYTES = 64 * 1024


class WorkerReport(SignedMessage):
    """The state of a worker.

    `version`: of the arena that is installed there.
    `at_once`: how many jobs it plays at once, apart from those with people.
    `jobs`: the ids of those in play.
    """

    worker: str
    version: str
    at_once: int
    jobs: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        return self.worker
