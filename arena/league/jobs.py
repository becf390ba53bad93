"""A job in the store: a row without the secret that travels with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from uuid import uuid4

from arena.league.ladders import ladder_seatings
from arena.queue.job import Clock, Entrant, Job
from arena.store import tables
from arena.store.tables import Format, Ladder


def new_job(ladder: Ladder, entrants: Sequence[Entrant]) -> Job:
    """The ladder's next job. `entrants`: in the order of the seats."""
    return Job(
        job_id=uuid4().hex,
        ladder=ladder.name,
        game=ladder.game,
        rules_version=ladder.rules_version,
        options=ladder.options,
        clock=Clock(bank_ms=ladder.bank_ms, increment_ms=ladder.increment_ms),
        entrants=tuple(entrants),
        seatings=ladder_seatings(ladder),
        fresh=ladder.format == Format.DUPLICATE,
        result_token=secrets.token_hex(),
    )


def row_of(job: Job) -> tables.Job:
    """The row of a new job."""
    return tables.Job(
        id=job.job_id,
        ladder=job.ladder,
        body=job.model_dump_json(exclude={"result_token"}),
        token_hash=token_hash(job.result_token),
    )


def job_of(row: tables.Job, result_token: str = "") -> Job:
    """The job of a row, with the token if it is to be put on the queue."""
    return Job.model_validate(json.loads(row.body) | {"result_token": result_token})


def with_new_token(row: tables.Job) -> Job:
    """The job of a row, to be put on the queue again; the row then knows its new token."""
    token = secrets.token_hex()
    row.token_hash = token_hash(token)
    return job_of(row, token)


def token_hash(token: str) -> str:
    """What the store keeps of a result token."""
    return sha256(token.encode()).hexdigest()
