"""Analyses a match: in a process of its own, so that the worker's event loop goes on."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

from arena.bots import ArenaFailure
from arena.errors import Exit
from arena.foreign_text import REASON_LIMIT_BYTES, beginning
from arena.queue import Lease, Outcome
from arena.worker.lending import Unplayable
from arena.worker.play_job import game_of_job

# `arena/analysis/__main__.py`. It is not imported: the views it needs know the database.
ANALYST = (sys.executable, "-m", "arena.analysis")


async def analyse_job(lease: Lease) -> Outcome:
    """Returns the outcome of a job whose match is to be analysed. Raises Unplayable and
    ArenaFailure."""
    game_of_job(lease.job)
    return Outcome(
        job_id=lease.job.job_id,
        attempt=lease.attempt,
        worker=lease.worker,
        result_token=lease.job.result_token,
        analysis=await _analysis_of(lease.job.record),
    )


async def _analysis_of(record: bytes) -> str:
    analyst = await asyncio.create_subprocess_exec(
        *ANALYST, str(len(record)), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert analyst.stdin is not None
    assert analyst.stdout is not None
    assert analyst.stderr is not None
    try:
        analyst.stdin.write(record)
        found, said = await asyncio.gather(analyst.stdout.read(), analyst.stderr.read())
        code = await analyst.wait()
    finally:
        if analyst.returncode is None:
            analyst.kill()
            await analyst.wait()
    sentence = said.decode(errors="replace")
    if code == Exit.WRONG_INPUT:
        raise Unplayable(sentence)
    if code:
        end = beginning(sentence.strip().rpartition("\n")[2], REASON_LIMIT_BYTES)
        raise ArenaFailure(f"The process of the analysis ended with exit code {code}. {end}")
    return found.decode()
