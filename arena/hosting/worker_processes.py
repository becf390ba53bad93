"""Worker processes on this machine: started together, replaced when they end, stopped together."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from pathlib import Path

from arena.bots import Isolation, sweep
from arena.clock import monotonic
from arena.queue import TETHER

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.3
# A worker that ends soon after its start is replaced later and later.
SOON_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.3, 60.0
STOP_WITHIN_S = 10.0  # all together


class WorkerProcesses:
    """`size` processes of the command `arena worker`, on the queue at `redis`. Use it as a context
    manager, from the main thread.

    Each writes its log to `logs`/worker-N.log. They end with the process that started them.
    """

    def __init__(
        self,
        size: int,
        *,
        redis: str,
        key_file: Path,
        versions: Path,
        logs: Path,
        sandbox: Isolation,
        server: str = "",
    ) -> None:
        self._logs = logs
        self._environment = {**os.environ, "ARENA_REDIS": redis}  # argv would show its password
        self._command = [
            *(sys.executable, "-m", "arena.cli", "worker", "--finish-within", "0"),
            *("--key-file", str(key_file.resolve())),
            *("--versions", str(versions.resolve()), "--sandbox", sandbox.value),
            *(("--server", server) if server else ()),
        ]
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * size

    def __enter__(self) -> WorkerProcesses:
        self._logs.mkdir(0o700, parents=True, exist_ok=True)
        for number in range(len(self._processes)):
            self._start(number)
        return self

    def __exit__(self, *_: object) -> None:
        _end(self._released())

    async def stop(self) -> None:
        """Ends the workers for good."""
        await asyncio.to_thread(_end, self._released())

    def _released(self) -> list[subprocess.Popen[bytes]]:
        """Returns the running processes, which are no longer replaced."""
        processes, self._processes = self._processes, []
        return [process for process in processes if process is not None]

    async def keep_running(self) -> None:
        """Replaces workers that end, until cancelled."""
        await asyncio.gather(*(self._keep(number) for number in range(len(self._processes))))

    async def _keep(self, number: int) -> None:
        started_at, pause_s = monotonic(), FIRST_PAUSE_S
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if not self._has_ended(number):
                continue
            if monotonic() > started_at + SOON_S:
                pause_s = FIRST_PAUSE_S
            await asyncio.to_thread(sweep)
            await asyncio.sleep(pause_s)
            if not self._processes:  # they are being stopped
                return
            self._start(number)
            started_at, pause_s = monotonic(), min(2 * pause_s, LONGEST_PAUSE_S)

    def _has_ended(self, number: int) -> bool:
        process = self._processes[number] if self._processes else None
        if process is None or process.poll() is None:
            return False
        log.warning(
            "worker %d (process %d) ended with %d and is replaced",
            *(number + 1, process.pid, process.returncode),
        )
        return True

    def _start(self, number: int) -> None:
        with (self._logs / f"worker-{number + 1}.log").open("ab") as output:
            self._processes[number] = subprocess.Popen(
                [sys.executable, "-c", TETHER, str(os.getpid()), *self._command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment,
                start_new_session=True,  # Ctrl-C is for the arena, which then stops its workers
            )


def _end(running: list[subprocess.Popen[bytes]]) -> None:
    for process in running:
        process.terminate()
    give_up_at = monotonic() + STOP_WITHIN_S
    for process in running:
        try:
            process.wait(max(0.0, give_up_at - monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            sweep()
