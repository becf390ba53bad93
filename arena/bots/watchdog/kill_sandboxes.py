"""Kills the sandboxes of an arena that has ended: `python kill_sandboxes.py FD MARK`.

Its standard input ends with the arena. FD is a socket. Everything that is about to become a sandbox
holds the other end from its fork on, and so does the first process of each sandbox for as long as
it lives; bots do not. Until that end is closed, this script repeatedly kills every process of this
user that has MARK as an argument: repeatedly, because a process between fork and exec does not have
it yet.

bubblewrap asks to be killed with its parent (`--die-with-parent`) only while it starts, which is
too late if the arena is dead by then. Like `supervise.py`, this script uses the standard library
only.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

PAUSE_S = 0.05
# The mark is among the first arguments.
ARGV_BYTES = 1 << 16


def main(fd: int, mark: str) -> None:
    os.read(sys.stdin.fileno(), 1)
    while not is_closed(fd, within=PAUSE_S):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and entry.name != str(os.getpid()):
                with suppress(OSError):  # it has ended
                    if has_argument(entry, mark) and is_own(entry):
                        os.kill(int(entry.name), signal.SIGKILL)


def is_closed(fd: int, within: float) -> bool:
    """True if the other end, to which nothing is written, is closed within that many seconds."""
    return select.select([fd], [], [], within)[0] != []


def is_own(process: Path) -> bool:
    # Not by the owner of the folder: that is root for processes that may not be inspected.
    status = (process / "status").read_text(errors="replace")
    uids = next(line for line in status.splitlines() if line.startswith("Uid:"))
    return int(uids.split()[1]) == os.getuid()


def has_argument(process: Path, mark: str) -> bool:
    with (process / "cmdline").open("rb") as file:
        return mark.encode() in file.read(ARGV_BYTES).split(b"\0")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
