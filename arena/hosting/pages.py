"""The pages of a running arena: a process of their own, so that visitors never slow the arena."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path

from arena.queue import TETHER
from arena.web import Settings
from arena.web.http import PagesListener

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.3, 60.0
STOP_WITHIN_S = 6.0  # the process ends itself within 5


@dataclass(frozen=True)
class Pages:
    """The pages of a data folder.

    `listener`: the socket on which visitors are awaited. It is handed to the process, so that a
      replaced one keeps the address.
    `folder`: the data folder.
    `settings`: the organiser's choices.
    """

    listener: PagesListener
    folder: Path
    settings: Settings

    @property
    def reached_at(self) -> str:
        """The origin by which this machine's browsers, at least, reach the pages."""
        return self.settings.origin or self.listener.address.rstrip("/")

    async def run(self) -> None:
        """Serves until cancelled, with a new process for each that ends."""
        pause_s = FIRST_PAUSE_S
        while True:
            process = await self._start()
            try:
                await process.wait()
            finally:
                await _end(process)
            log.warning("the pages ended with %d and are started again", process.returncode)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _start(self) -> Process:
        descriptor = self.listener.socket.fileno()
        with (self._logs() / "pages.log").open("ab") as output:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", TETHER, str(os.getpid())),
                *(sys.executable, "-m", "arena.cli", "web", "--data", str(self.folder)),
                *("--descriptor", str(descriptor), "--settings", self.settings.to_json()),
                *self._certificate(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[descriptor],
                start_new_session=True,  # Ctrl-C is for the arena, which then stops its pages
            )

    def _logs(self) -> Path:
        logs = self.folder / "logs"
        logs.mkdir(0o700, parents=True, exist_ok=True)
        return logs

    def _certificate(self) -> list[str]:
        certificate = self.listener.certificate
        if certificate is None:
            return []
        return ["--tls-cert", str(certificate.chain), "--tls-key", str(certificate.key)]


async def _end(process: Process) -> None:
    """Ends the process if it still runs."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_WITHIN_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
