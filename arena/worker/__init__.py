"""Takes a job, starts the bots, plays it and reports the outcome."""

from arena.worker.broadcaster import broadcasting
from arena.worker.play_job import play_job
from arena.worker.process_pool import Pool
from arena.worker.version_cache import BROKEN_OFF, Fetch, FetchedVersions
from arena.worker.worker import Worker

__all__ = [
    "BROKEN_OFF",
    "Fetch",
    "FetchedVersions",
    "Pool",
    "Worker",
    "broadcasting",
    "play_job",
]
