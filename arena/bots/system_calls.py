"""The filter of system calls for bots in the sandbox, as a program for the kernel.

What bots need is left alone; forbidden is what reaches beyond the sandbox: sockets other than
Unix ones, namespaces and mounts, other processes' memory, the kernel's own machinery. Sources:
Linux's seccomp_filter.rst, filter.h and unistd.h.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

FORBIDDEN = (
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns", "open_by_handle_at"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl"),
    *("kexec_load", "init_module", "finit_module", "delete_module"),
)
# Answered as by a kernel that does not have them: io_uring opens sockets past this filter, and the
# flags of clone3 cannot be looked at. Libraries do without both.
ABSENT = ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3")

# By name, the number on x86-64 and on 64-bit ARM.
NUMBERS = {
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
}

AF_UNIX = 1
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET; and NEWTIME
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into somebody's terminal
X32 = 0x40000000  # marks the calls of another ABI, with other numbers

# Where the kernel puts what a filter may look at; of arguments the lower half.
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
# Instructions: load a word; go on if equal, if greater or equal, if bits are set; and answers.
LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


class Machine(NamedTuple):
    """An architecture. `code`: the kernel's; `column`: its place in `NUMBERS`."""

    code: int
    column: int


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, 0),
    "aarch64": Machine(0xC00000B7, 1),
}


def system_call_filter(machine: str | None = None) -> bytes:
    """Returns the filter as bubblewrap's `--seccomp` reads it. Raises KeyError for an architecture
    that is not in `MACHINES`; None: this one."""
    code, column = MACHINES[machine or platform.machine()]

    def number(name: str) -> int:
        return NUMBERS[name][column]

    lines = [
        *_unless(IF_EQUAL, ARCHITECTURE, code, KILL),
        *(_when(IF_AT_LEAST, NUMBER, X32, _error(errno.ENOSYS)) if column == 0 else ()),
    ]
    for name in FORBIDDEN:
        lines += _when(IF_EQUAL, NUMBER, number(name), _error(errno.EPERM))
    for name in ABSENT:
        lines += _when(IF_EQUAL, NUMBER, number(name), _error(errno.ENOSYS))
    not_unix = _unless(IF_EQUAL, FIRST, AF_UNIX, _error(errno.EAFNOSUPPORT))
    lines += _for_call(number("socket"), not_unix)
    lines += _for_call(number("socketpair"), not_unix)
    lines += _for_call(
        number("clone"), _when(IF_ANY_BIT, FIRST, NEW_NAMESPACES, _error(errno.EPERM))
    )
    for request in TERMINAL_INPUT:
        lines += _for_call(number("ioctl"), _when(IF_EQUAL, SECOND, request, _error(errno.EPERM)))
    lines.append(_answer(ALLOW))
    return b"".join(lines)


def _error(number: int) -> int:
    return ERROR | number


def _line(instruction: int, operand: int, skip_if_true: int = 0, skip_if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", instruction, skip_if_true, skip_if_false, operand)


def _answer(what: int) -> bytes:
    return _line(ANSWER, what)


def _when(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    """If the test holds, this is the answer."""
    return [_line(LOAD, place), _line(test, operand, 0, 1), _answer(answer)]


def _unless(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    return [_line(LOAD, place), _line(test, operand, 1, 0), _answer(answer)]


def _for_call(number: int, lines: Sequence[bytes]) -> list[bytes]:
    """The lines, for one system call only."""
    return [_line(LOAD, NUMBER), _line(IF_EQUAL, number, 0, len(lines)), *lines]
