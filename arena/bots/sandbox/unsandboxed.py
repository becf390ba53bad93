"""Runs bots without a sandbox: only for bots that you trust."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.bots.local import Access
from arena.bots.process import Launch, supervise
from arena.bots.sandbox.runtimes import Runtimes
from arena.bots.source import Program
from arena.bots.stream import SOCKET

# Programs need these to find their parts; the bot gets no other variables of the arena's.
PASSED_ON = ("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")


def unsandboxed_launch(program: Program, runtimes: Runtimes, access: Access) -> Launch:
    """Returns the launch of a bot. As in the sandbox, `python` is the one of the runtimes."""
    environment = access.environment(f"unix:{access.folder / SOCKET}")
    return _launch(program, runtimes, environment, program.manifest.run)


def unsandboxed_build(program: Program, runtimes: Runtimes, scratch: Path) -> Launch:
    """Returns the launch of the bot's build, in its folder. `scratch`: a folder for its temporary
    files."""
    places = {"HOME": str(scratch), "TMPDIR": str(scratch)}
    return _launch(program, runtimes, places, program.manifest.build or ())


def _launch(
    program: Program, runtimes: Runtimes, environment: Mapping[str, str], run: Sequence[str]
) -> Launch:
    passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    path = os.environ.get("PATH", os.defpath)
    found = runtimes.environment(str(runtimes.python), lambda named: str(named.folder), path)

    def argv(fd: int, _: int) -> list[str]:
        return [sys.executable, "-I", "-S", supervise.__file__, str(fd), *run]

    return Launch(
        argv=argv,
        environment={**passed_on, **found, **environment},
        folder=program.folder,
        own_processes=0,
    )
