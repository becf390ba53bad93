"""Worker processes that end are replaced, but not in a hurry."""

import asyncio
import logging
from pathlib import Path

import pytest

from arena.bots.host import Isolation
from arena.hosting import worker_processes
from arena.hosting.worker_processes import WorkerProcesses


async def test_a_worker_that_keeps_ending_is_replaced_later_and_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(worker_processes, "TETHER", "raise SystemExit(7)")
    monkeypatch.setattr(worker_processes, "LOOK_EVERY_S", 0.01)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def shortened(seconds: float) -> None:
        if seconds >= worker_processes.FIRST_PAUSE_S:
            pauses.append(seconds)
        await sleep(min(seconds, 0.01))

    monkeypatch.setattr(asyncio, "sleep", shortened)
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
        async with asyncio.timeout(30):
            while len(pauses) < 3:
                await sleep(0.01)
        keeping.cancel()
        await asyncio.wait([keeping])
    first = worker_processes.FIRST_PAUSE_S
    assert pauses[:3] == [first, 2 * first, 4 * first]
    assert caplog.text.count("ended with 7 and is replaced") >= 3
