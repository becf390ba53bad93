"""The filter of system calls for bots, as a program for the kernel and as a profile for container
engines.

It forbids calls that reach beyond the sandbox (sockets other than Unix sockets, namespaces and
mounts, other processes' memory, the kernel's own machinery), and allows all others. Sources:
Linux's seccomp_filter.rst, filter.h and unistd.h; for profiles, runtime-spec's config-linux.md.
"""

from __future__ import annotations

import errno
import json
import platform
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

FORBIDDEN = (
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns", "open_by_handle_at"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl"),
    *("kexec_load", "init_module", "finit_module", "delete_module", "name_to_handle_at"),
)
# Refused as by a kernel that does not have them; libraries then do without.
ABSENT = (
    # io_uring opens sockets past this filter, and a filter cannot see the flags of clone3.
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3"),
    # Memory that belongs to no process would escape the sampling of processes' memory.
    *("memfd_create", "memfd_secret", "shmget", "msgget"),
)
# Two bots see the same system files, read-only, and could communicate by locking or opening them. A
# read lock signals nothing to others unless they can query its owner. Builds need locks.
SIGNALLING = ("flock", "inotify_init", "inotify_init1", "fanotify_init")
SIGNALLING_FILE_CONTROL = (5, 36, 1024, 1025, 1026)  # F_GETLK, F_OFD_GETLK; leases; F_NOTIFY

# By name, the numbers on x86-64 and on 64-bit ARM; None: there is no such call.
NUMBERS: Mapping[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "ioctl": (16, 29),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "name_to_handle_at": (303, 264),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "flock": (73, 32),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "fcntl": (72, 25),
}

AF_UNIX = 1
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET; and NEWTIME
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into a terminal
X32 = 0x40000000  # marks the calls of another ABI, whose numbers differ

# Offsets of the data that a filter may read; of arguments, the lower half.
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
# Instructions: load a word; test if equal, if greater or equal, if any bits are set; return.
LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


class Machine(NamedTuple):
    """An architecture.

    `code`: the kernel's code for it.
    `column`: its index in the values of `NUMBERS`.
    `name`: the container engines' name for it.
    """

    code: int
    column: int
    name: str


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, 0, "SCMP_ARCH_X86_64"),
    "aarch64": Machine(0xC00000B7, 1, "SCMP_ARCH_AARCH64"),
}


def system_call_filter(machine: str | None = None, *, building: bool = False) -> bytes:
    """Returns the filter in the format of bubblewrap's `--seccomp`, for bots or for their builds.

    `machine`: the architecture, None for this machine's. Raises KeyError if it is not in
    `MACHINES`.
    """
    code, column, _ = MACHINES[machine or platform.machine()]

    def for_call(name: str, lines: Sequence[bytes]) -> list[bytes]:
        number = NUMBERS[name][column]
        return [] if number is None else _for_call(number, lines)

    not_unix = _unless(IF_EQUAL, FIRST, AF_UNIX, _error(errno.EAFNOSUPPORT))
    lines = [
        *_unless(IF_EQUAL, ARCHITECTURE, code, KILL),
        *(_when(IF_AT_LEAST, NUMBER, X32, _error(errno.ENOSYS)) if column == 0 else ()),
    ]
    for name in FORBIDDEN:
        lines += for_call(name, [_answer(_error(errno.EPERM))])
    for name in ABSENT if building else (*ABSENT, *SIGNALLING):
        lines += for_call(name, [_answer(_error(errno.ENOSYS))])
    lines += for_call("socket", not_unix)
    lines += for_call("socketpair", not_unix)
    lines += for_call("clone", _when(IF_ANY_BIT, FIRST, NEW_NAMESPACES, _error(errno.EPERM)))
    for request in TERMINAL_INPUT:
        lines += for_call("ioctl", _when(IF_EQUAL, SECOND, request, _error(errno.EPERM)))
    for command in () if building else SIGNALLING_FILE_CONTROL:
        lines += for_call("fcntl", _when(IF_EQUAL, SECOND, command, _error(errno.EPERM)))
    lines.append(_answer(ALLOW))
    return b"".join(lines)


def system_call_profile(machine: str | None = None) -> str:
    """Returns the same filter for bots as a profile for container engines. Calls that an engine's
    own profile forbids besides need privileges that bots do not have."""
    column, name = MACHINES[machine or platform.machine()][1:]

    def refuse(calls: Sequence[str], error: int, *arguments: Mapping[str, object]) -> object:
        known = [call for call in calls if NUMBERS[call][column] is not None]
        rule = {"names": known, "action": "SCMP_ACT_ERRNO", "errnoRet": error}
        return rule | ({"args": arguments} if arguments else {})

    def equals(index: int, value: int, mask: int = 0xFFFFFFFF) -> Mapping[str, object]:
        return {"index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}

    not_unix = {"index": 0, "value": AF_UNIX, "op": "SCMP_CMP_NE"}
    one_namespace = (1 << bit for bit in range(32) if NEW_NAMESPACES >> bit & 1)
    rules = [
        refuse(FORBIDDEN, errno.EPERM),
        refuse((*ABSENT, *SIGNALLING), errno.ENOSYS),
        refuse(("socket", "socketpair"), errno.EAFNOSUPPORT, not_unix),
        *(refuse(("clone",), errno.EPERM, equals(0, flag, flag)) for flag in one_namespace),
        *(refuse(("ioctl",), errno.EPERM, equals(1, request)) for request in TERMINAL_INPUT),
        *(
            refuse(("fcntl",), errno.EPERM, equals(1, command))
            for command in SIGNALLING_FILE_CONTROL
        ),
    ]
    return json.dumps(
        {"defaultAction": "SCMP_ACT_ALLOW", "architectures": [name], "syscalls": rules}
    )


def _error(number: int) -> int:
    return ERROR | number


def _line(instruction: int, operand: int, skip_if_true: int = 0, skip_if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", instruction, skip_if_true, skip_if_false, operand)


def _answer(answer: int) -> bytes:
    return _line(ANSWER, answer)


def _when(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    """Returns lines that give the answer if the test holds."""
    return [_line(LOAD, place), _line(test, operand, 0, 1), _answer(answer)]


def _unless(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    return [_line(LOAD, place), _line(test, operand, 1, 0), _answer(answer)]


def _for_call(number: int, lines: Sequence[bytes]) -> list[bytes]:
    """Returns the lines, restricted to one system call."""
    return [_line(LOAD, NUMBER), _line(IF_EQUAL, number, 0, len(lines)), *lines]
