"""Host users for bots, where the arena runs as root: each process in the sandbox is another one.

To the kernel a process in a sandbox belongs to a user of the machine. If that were root, it would
own the machine's devices and programs. If two bots were the same user, each could see how much the
other has used up of what the kernel counts by user, such as descriptors on their way through
sockets. An arena that is not root cannot choose: its bots are its own user.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

# Numbers that neither distributions nor systemd give away; how many of them an arena takes; and the
# first of them as bots see it.
FIRST, LAST, RANGE = 1_900_000_000, 2_100_000_000, 4096
INSIDE = 10_000
SETPRIV = "/usr/bin/setpriv"
NAMESPACE_WITHIN_S = 5.0

# Both shells handle a descriptor of the namespace, which has a single digit because sh knows no
# others. The bot must not inherit it, nor the machine's /dev/null. A program that is not there is
# reported as bubblewrap does.
ENTER = 'exec {fd}<"$1" && shift && exec "$@"'
BECOME = """exec {fd}<&-
command -v "$1" >/dev/null || {{ echo "sh: execvp $1: No such file or directory" >&2; exit 127; }}
exec </dev/null
exec {setpriv} --reuid "$0" --regid "$0" --clear-groups --inh-caps=-all --bounding-set=-all -- "$@"
"""


@dataclass(frozen=True)
class Users:
    """A user namespace in which root is root, and the other users are for bots.

    `namespace`: a file that stands for it.
    `numbers`: counts the processes.
    """

    namespace: str
    numbers: count[int]

    def argv(
        self, bubblewrap: Sequence[str], run: Sequence[str], taken: Collection[int]
    ) -> list[str]:
        """Returns the words that start a sandbox in the namespace, and in it a program as the next
        user. `taken`: descriptors that bubblewrap inherits."""
        fd = next(number for number in range(3, 10) if number not in taken)
        number = INSIDE + next(self.numbers) % RANGE
        return [
            *("/bin/sh", "-c", ENTER.format(fd=fd), "sh", self.namespace),
            *(bubblewrap[0], "--userns", str(fd), *bubblewrap[1:], "--"),
            *("/bin/sh", "-c", BECOME.format(fd=fd, setpriv=SETPRIV), str(number), *run),
        ]


def a_user() -> int:
    """Returns the number of a user for a container."""
    return FIRST + secrets.randbelow(LAST - FIRST)


@cache
def users() -> Users | None:
    """Returns the users for bots, once a process; None if this process cannot give bots other
    users than its own."""
    if os.geteuid() != 0 or not Path(SETPRIV).exists():
        return None
    try:
        namespace = _new_namespace(FIRST + secrets.randbelow((LAST - FIRST) // RANGE) * RANGE)
    except OSError:
        return None
    return Users(f"/proc/{os.getpid()}/fd/{namespace}", count())


def root_in_sandboxes() -> str | None:
    """Returns a sentence on bots that are root to the kernel, with a remedy; None if they are
    not."""
    if os.geteuid() != 0 or users() is not None:
        return None
    return (
        "The arena runs as root and cannot give bots other users, so to the kernel they are root"
        " too: install util-linux (setpriv, unshare), or run the arena as an ordinary user, as"
        " docs/security.md says."
    )


def _new_namespace(first: int) -> int:
    """Returns a descriptor of a new namespace, in which the users from `first` on are those from
    INSIDE on. Raises OSError."""
    with subprocess.Popen(["unshare", "--user", "cat"], stdin=subprocess.PIPE) as holder:
        process = Path("/proc", str(holder.pid))
        _wait_for(process / "ns" / "user")
        for ids in ("uid_map", "gid_map"):
            (process / ids).write_text(f"0 0 1\n{INSIDE} {first} {RANGE}\n")
        return os.open(process / "ns" / "user", os.O_RDONLY | os.O_CLOEXEC)


def _wait_for(namespace: Path) -> None:
    """Waits until a process is in another namespace than this one. Raises OSError."""
    deadline = time.monotonic() + NAMESPACE_WITHIN_S
    while namespace.readlink() == Path("/proc/self/ns/user").readlink():
        if time.monotonic() > deadline:
            raise TimeoutError("unshare does not create a namespace")
        time.sleep(0.001)
