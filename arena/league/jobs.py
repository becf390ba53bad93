"""Jobs as rows of the store, which never contain the result token."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from uuid import uuid4

from arena.league.ladder.ladders import ladder_seatings
from arena.queue import Clock, Entrant, Job
from arena.store import Format, Ladder, tables


def new_job(ladder: Ladder, entrants: Sequence[Entrant]) -> Job:
    """Creates the ladder's next job. `entrants`: in seat order."""
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
    """Returns the row of a new job."""
    return tables.Job(
        id=job.job_id,
        ladder=job.ladder,
        body=job.model_dump_json(exclude={"result_token"}),
        token_hash=token_hash(job.result_token),
    )


def job_of(row: tables.Job, result_token: str = "") -> Job:
    """Returns the job of a row; `result_token` is needed only to queue it."""
    return Job.model_validate(json.loads(row.body) | {"result_token": result_token})


def with_new_token(row: tables.Job) -> Job:
    """Returns the job of a row with a new result token, whose hash the row then holds."""
    token = secrets.token_hex()
    row.token_hash = token_hash(token)
    return job_of(row, token)


def token_hash(token: str) -> str:
    """Returns the hash that the store keeps of a result token."""
    return sha256(token.encode()).hexdigest()
