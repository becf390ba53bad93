"""Jobs as rows of the store, which never contain the result token."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from uuid import uuid4

from arena.league.competitions import seatings_of
from arena.match import Seating
from arena.queue import Clock, Entrant, Job
from arena.store import schema
from arena.store.schema import Competition, Format


def new_job(
    competition: Competition,
    entrants: Sequence[Entrant],
    seed_text: str = "",
    seatings: Sequence[Seating] = (),
) -> Job:
    """Creates a job of a competition. `entrants`: in the seat order of its first match.

    `seed_text`: the text from which the deals follow; empty: the worker draws a secret.
    `seatings`: of the entrants; empty: those that follow from the competition's format.
    """
    return Job(
        job_id=uuid4().hex,
        competition=competition.name,
        game=competition.game,
        rules_version=competition.rules_version,
        options=competition.options,
        clock=Clock(bank_ms=competition.bank_ms, increment_ms=competition.increment_ms),
        entrants=tuple(entrants),
        seatings=tuple(seatings) or seatings_of(competition),
        seed_text=seed_text,
        fresh=competition.format == Format.DUPLICATE,
        result_token=secrets.token_hex(),
    )


def row_of(job: Job) -> schema.Job:
    """Returns the row of a new job."""
    return schema.Job(
        id=job.job_id,
        competition=job.competition,
        body=job.model_dump_json(exclude={"result_token"}),
        token_hash=token_hash(job.result_token),
    )


def job_of(body: str, result_token: str = "") -> Job:
    """Returns the job of a row's body; `result_token` is needed only to queue it."""
    return Job.model_validate(json.loads(body) | {"result_token": result_token})


def with_new_token(row: schema.Job) -> Job:
    """Returns the job of a row with a new result token, whose hash the row then holds."""
    token = secrets.token_hex()
    row.token_hash = token_hash(token)
    return job_of(row.body, token)


def token_hash(token: str) -> str:
    """Returns the hash that the store keeps of a result token."""
    return sha256(token.encode()).hexdigest()
