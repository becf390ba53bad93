"""Worker processes that end are replaced, but not in a hurry."""

import asyncio
import logging
from pathlib import Path

import pytest

from arena.bots.isolation import Isolation
from arena.hosting import worker_processes
from arena.hosting.worker_processes import FIRST_PAUSE_S, LOOK_EVERY_S, WorkerProcesses
from tests.support.clock import StoppedClock


async def test_a_worker_that_keeps_ending_is_replaced_later_and_later(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    clock: StoppedClock,
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(worker_processes, "TETHER", "raise SystemExit(7)")
    workers = WorkerProcesses(
        1,
        redis="unix:///nowhere",
        key_file=tmp_path / "key",
        versions=tmp_path,
        logs=tmp_path / "logs",
        sandbox=Isolation.NONE,
    )
    with workers:
        keeping = asyncio.create_task(workers.keep_running())
        for longer in (1, 2, 4):
            [process] = workers._processes
            assert process is not None
            await asyncio.to_thread(process.wait)
            await clock.advance(LOOK_EVERY_S)
            await clock.until_alarm(longer * FIRST_PAUSE_S)
            assert workers._processes == [process]  # not yet
            await clock.advance(longer * FIRST_PAUSE_S)
        keeping.cancel()
        await asyncio.wait([keeping])
    assert caplog.text.count("ended with 7 and is replaced") == 3
