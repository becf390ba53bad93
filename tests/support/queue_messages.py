"""Messages for the tests of the queue."""

from arena.queue.job import Clock, Entrant, Job, Outcome
from arena.queue.live_match import Extent, LiveMatch
from arena.queue.redis_queue import Lease

KEY = bytes(range(32))


def new_job(job_id: str) -> Job:
    return Job(
        job_id=job_id,
        competition="main",
        game="xeri",
        rules_version=1,
        options={"to": "101"},
        clock=Clock(),
        entrants=(Entrant(bot="ann", version="0" * 64), Entrant(bot="bob", version="1" * 64)),
        seatings=((0, 1), (1, 0)),
        result_token=f"token of {job_id}",
    )


def outcome_of(lease: Lease) -> Outcome:
    return Outcome(
        job_id=lease.job.job_id,
        attempt=lease.attempt,
        worker=lease.worker,
        result_token=lease.job.result_token,
    )


def live_match(job_id: str, choices: int = 1) -> LiveMatch:
    """Returns a match in which seats choose in turn."""
    return LiveMatch(
        job_id=job_id,
        attempt=1,
        match_number=1,
        started_at="2026-11-25T02:00:00.000+00:00",
        shuffles=(("7H", "7S"),),
        picks=(),
        choices=tuple((number % 2, f"play {number}", 5) for number in range(choices)),
        faults=(),
        extents=(Extent(age_ms=0, shuffles=1, picks=0, choices=choices, faults=0),),
    )
