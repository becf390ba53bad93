"""Kills the sandboxes of an arena that is gone: `python kill_sandboxes.py FD MARK`.

Its standard input ends with the arena. FD is a socket whose other end is held by whatever is to be
a sandbox, from the fork on, and by the first process of each as long as it lives; bots do not hold
it. Until that end is closed, what has the word MARK on its command line, and is this user's, is
killed, again and again: a process between fork and exec does not have it yet.

bubblewrap arranges for its own end only while it starts (`--die-with-parent`), and too late if the
arena is dead by then. As `supervise.py`, this needs nothing but the standard library.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

PAUSE_S = 0.05
# The mark is among the first words.
WORDS_BYTES = 1 << 16


def main(fd: int, mark: str) -> None:
    os.read(sys.stdin.fileno(), 1)
    while not is_closed(fd, within=PAUSE_S):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and entry.name != str(os.getpid()):
                with suppress(OSError):  # it has ended
                    if has_word(entry, mark) and is_own(entry):
                        os.kill(int(entry.name), signal.SIGKILL)


def is_closed(fd: int, within: float) -> bool:
    """Whether the other end is, or will be; nobody writes to it."""
    return select.select([fd], [], [], within)[0] != []


def is_own(process: Path) -> bool:
    # Not the owner of the folder: that is root for what may not be looked into.
    status = (process / "status").read_text(errors="replace")
    uids = next(line for line in status.splitlines() if line.startswith("Uid:"))
    return int(uids.split()[1]) == os.getuid()


def has_word(process: Path, word: str) -> bool:
    with (process / "cmdline").open("rb") as file:
        return word.encode() in file.read(WORDS_BYTES).split(b"\0")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
