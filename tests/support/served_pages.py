"""The pages of a data folder, served by `arena web` in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests.support.patience import PATIENCE_S, until

ARENA = (sys.executable, "-m", "arena.cli")


@dataclass(frozen=True)
class Served:
    """The pages. `origin`: such as http://127.0.0.1:40123. `pid`: of the process that serves
    them."""

    origin: str
    pid: int


@contextmanager
def served_pages(data: Path, *options: str) -> Iterator[str]:
    """Serves the pages for as long as the context lasts; yields their origin."""
    with pages_process(data, *options) as served:
        yield served.origin


@contextmanager
def pages_process(
    data: Path,
    *options: str,
    arena: tuple[str | Path, ...] = ARENA,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Served]:
    """Serves the pages for as long as the context lasts.

    `arena`: the command line's program; `environment`: its variables, if not those of the tests.
    """
    # What it says goes into a file: a pipe that nobody reads would block it once it is full.
    with NamedTemporaryFile() as told:
        process = subprocess.Popen(
            [*arena, "web", "--data", data, "--listen", "127.0.0.1:0", *options],
            env=environment,
            stderr=told,
        )

        def said() -> str:
            return Path(told.name).read_text()

        def address() -> re.Match[str] | None:
            assert process.poll() is None, said()
            return re.search(r"Pages at (\S+)/ ", said())

        try:
            found = until(address, "the address of the pages", said=said)
            yield Served(found[1], process.pid)
        finally:
            process.terminate()
            try:
                code = process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
            assert code == 0, said()
            assert "Traceback" not in said(), said()
