"""A bot's process without a sandbox: for bots one trusts, and where there is no bubblewrap."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.bots import leash
from arena.bots.gateway import SOCKET
from arena.bots.launch import Access, Launch
from arena.bots.source import Program

# What programs need to find their parts; nothing of the arena's.
PASSED_ON = ("HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")


def plain_launch(program: Program, runtime: Path, access: Access) -> Launch:
    """Returns how to start the bot; `python` is that of the runtime, as in the sandbox."""
    path = f"{runtime / 'bin'}:{os.environ.get('PATH', os.defpath)}"
    passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    address = f"unix:{access.folder / SOCKET}"

    def words(fd: int, _: int) -> list[str]:
        return [sys.executable, "-I", "-S", leash.__file__, str(fd), *program.manifest.run]

    return Launch(
        words=words,
        environment={"PATH": path, **passed_on, **access.environment(address)},
        folder=program.folder,
        own_processes=0,
    )
