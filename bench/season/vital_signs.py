"""An arena as its monitoring sees it: whether it is ready, and how much memory it takes."""

from __future__ import annotations

import ssl
import threading
import time
from collections import defaultdict
from contextlib import suppress
from typing import Self

import httpx
import psutil

from bench.chaos.stage import Stage
from bench.process_memory import mebibytes, memory_of

LOOK_EVERY_S = 1.0
PATIENCE_S = 5.0


class VitalSigns:
    """Looks at an arena once a second, in a thread of its own, while the context lasts.

    `not_ready_s`: the seconds for which `/readyz` did not say that all is well.
    `peaks`: the most memory of each process, in MiB.
    """

    def __init__(self, stage: Stage) -> None:
        self.not_ready_s = 0.0
        self.peaks: defaultdict[str, float] = defaultdict(float)
        self._stage = stage
        self._client = httpx.Client(
            base_url=stage.origin,
            verify=ssl.create_default_context(cafile=str(stage.chain)),
            timeout=PATIENCE_S,
        )
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._client.close()

    def is_ready(self) -> bool:
        """True if every part of the arena works."""
        try:
            return self._client.get("/readyz").is_success
        except httpx.HTTPError:
            return False

    def _run(self) -> None:
        looked_at = time.monotonic()
        while not self._is_over.wait(LOOK_EVERY_S):
            is_ready, now = self.is_ready(), time.monotonic()
            if not is_ready:
                self.not_ready_s += now - looked_at
            looked_at = now
            for name, size in self._memory().items():
                self.peaks[name] = max(self.peaks[name], size)

    def _memory(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, kept in list(self._stage.kept.items()):
            with suppress(psutil.Error):  # it has ended, or ends at this moment
                process = psutil.Process(kept.process.pid)
                found |= memory_of(process) if name == "serve" else {name: mebibytes(process)}
        return found
