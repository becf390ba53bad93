"""Removes the control groups of an arena that has ended: `python remove_groups.py MARK FOLDER`.

When its standard input ends, as it does with the arena, this script kills everything in the groups
of that arena below the folder, and removes them. What is frozen would otherwise stay for ever. When
the input brings a byte, the arena has removed its groups itself. Like `supervise.py`, it uses the
standard library only.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

GROUPS = "sevens"  # the beginning of a group's name; then come the arena's mark and a number
TRIES = 200
PAUSE_S = 0.01


def main(mark: str, folder: str) -> None:
    if os.read(sys.stdin.fileno(), 1):
        return
    groups = [*Path(folder).glob(f"{GROUPS}-{mark}-*")]
    for _ in range(TRIES):
        groups = [group for group in groups if not try_to_remove(group)]
        if not groups:
            return
        time.sleep(PAUSE_S)


def try_to_remove(group: Path) -> bool:
    """Kills all processes in the group. Returns True once the group no longer exists."""
    for last in (False, True):
        try:
            group.rmdir()
        except FileNotFoundError:
            return True
        except OSError:  # something is still in it
            if not last:
                kill_all(group)
        else:
            return True
    return False


def kill_all(group: Path) -> None:
    """Kills everything in the group, frozen or not."""
    with suppress(OSError):  # the group has just been removed
        for number in (group / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
