"""The system calls that are refused to bots: those that reach beyond the sandbox (sockets other
than Unix sockets, namespaces and mounts, other processes' memory, the kernel's own machinery), and
those by which two bots on one machine could talk (docs/decisions/0018).

Sources: Linux's unistd.h, fcntl.h, futex.h, mman.h and sched.h.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

# The operations of conditions; all but the last are instructions of the kernel's.
IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, IF_OTHER = 0x15, 0x35, 0x45, -1
ALL_BITS = 0xFFFFFFFF


class Refusal(NamedTuple):
    """Calls that are refused for some arguments only.

    `calls`: their names.
    `error`: what they answer.
    `conditions`: pairs of an argument's index and a condition; all must hold.
    """

    calls: Sequence[str]
    error: int
    conditions: Sequence[tuple[int, Condition]]


class Condition(NamedTuple):
    """A condition on the lower half of an argument.

    `operation`: IF_EQUAL, IF_OTHER, IF_AT_LEAST or IF_ANY_BIT.
    `mask`: the bits that count.
    """

    operation: int
    operand: int
    mask: int = ALL_BITS


def _is(value: int, mask: int = ALL_BITS) -> Condition:
    return Condition(IF_EQUAL, value, mask)


FORBIDDEN = (
    *("mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "unshare", "setns", "open_by_handle_at"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl"),
    *("kexec_load", "init_module", "finit_module", "delete_module", "name_to_handle_at"),
    "syslog",  # the kernel notes there whose program crashed
)
# Refused as by a kernel that does not have them; libraries then do without.
ABSENT = (
    # io_uring opens sockets past this filter, and a filter cannot see the flags of clone3.
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3"),
    # Memory that belongs to no process would escape the sampling of processes' memory.
    *("memfd_create", "memfd_secret", "shmget", "msgget"),
)
# Everybody sees the same system files, read-only. Which parts are in memory outlives a build.
PAGES = ("fadvise64", "readahead", "mincore", "move_pages", "migrate_pages", "process_madvise")
# The calls from here on are refused to bots only. Builds need some of them, and what they do with
# them ends with the build. Two bots could communicate by locking or opening system files.
SIGNALLING = (
    *("flock", "inotify_init", "inotify_init1", "fanotify_init"),
    *("process_mrelease", "sync", "syncfs"),
    # The kernel limits these two for a machine or a user; the number that is left is a signal.
    *("io_setup", "mq_open"),
    "futex_waitv",  # a filter cannot see which futexes are shared
    "pidfd_open",  # the inode of what it opens counts the processes of the machine
)
# Bots do without calls newer than Linux 5.17, which nobody has examined: cachestat, futex_wake and
# listmount are among them. An engine's profile cannot compare numbers.
NEWER, NEWER_BY_NAME = 450, ("cachestat", "futex_wake", "futex_requeue", "statmount", "listmount")


NOT_UNIX = Condition(IF_OTHER, 1)  # AF_UNIX
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET; and NEWTIME
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into a terminal
# Hints on a file's use, which the kernel stores with the file.
FILE_HINTS = (1035, 1036, 1037, 1038)
MADVISE_EVICT = (20, 21)  # MADV_COLD, MADV_PAGEOUT
ALWAYS_REFUSED = (
    Refusal(("clone",), errno.EPERM, [(0, Condition(IF_ANY_BIT, NEW_NAMESPACES))]),
    *(Refusal(("ioctl",), errno.EPERM, [(1, _is(request))]) for request in TERMINAL_INPUT),
    *(Refusal(("fcntl",), errno.EPERM, [(1, _is(command))]) for command in FILE_HINTS),
    # Their flags reveal whether data is in memory (RWF_NOWAIT), or remove it (RWF_DONTCACHE).
    Refusal(("preadv2", "pwritev2"), errno.EOPNOTSUPP, [(5, Condition(IF_AT_LEAST, 1))]),
    *(Refusal(("madvise",), errno.EINVAL, [(2, _is(advice))]) for advice in MADVISE_EVICT),
)

# A read lock signals nothing to others unless they can query its owner: F_GETLK, F_OFD_GETLK. The
# rest: F_SETSIG; leases; F_NOTIFY; the size of pipes, which is an account of the user.
FILE_CONTROL = (5, 36, 10, 1024, 1025, 1026, 1031, 1032)
# A futex without FUTEX_PRIVATE_FLAG in a file that two bots see, read-only too, belongs to both.
# Nobody needs to wake other processes; but glibc waits in this way for the end of a thread, which
# the kernel announces (9, FUTEX_WAIT_BITSET). The other way to wait (0) answers that the value has
# changed: musl then tries again.
OPERATION = ~0x100 & ALL_BITS  # without FUTEX_CLOCK_REALTIME
FUTEX_WAIT = 0
FUTEX_OTHERS = (*range(1, 9), *range(10, 14))
# Signals from here on are queued. How many more can be is an account of the user.
QUEUED_SIGNALS = 34
PR_SET_PDEATHSIG = 1
MAP_HUGETLB = 0x40000
# The kernel takes these from one counter for the machine: numbers of sockets and of namespaces, and
# of processes, as the inodes of descriptors for them.
SOL_SOCKET = 1
COUNTED = (57, 71, 76, 77)  # SO_COOKIE, SO_NETNS_COOKIE, SO_PASSPIDFD, SO_PEERPIDFD
CLONE_PIDFD = 0x1000
REFUSED_TO_BOTS = (
    *(Refusal(("fcntl",), errno.EPERM, [(1, _is(command))]) for command in FILE_CONTROL),
    Refusal(("futex",), errno.EAGAIN, [(1, _is(FUTEX_WAIT, OPERATION))]),
    *(
        Refusal(("futex",), errno.EPERM, [(1, _is(operation, OPERATION))])
        for operation in FUTEX_OTHERS
    ),
    Refusal(("mbind",), errno.EPERM, [(5, Condition(IF_AT_LEAST, 1))]),
    Refusal(("mmap",), errno.ENOMEM, [(3, _is(MAP_HUGETLB, MAP_HUGETLB))]),
    # As if the queue were full.
    Refusal(("timer_create", "rt_sigqueueinfo", "rt_tgsigqueueinfo"), errno.EAGAIN, []),
    Refusal(
        ("kill", "tkill", "pidfd_send_signal"),
        errno.EAGAIN,
        [(1, Condition(IF_AT_LEAST, QUEUED_SIGNALS))],
    ),
    Refusal(("tgkill",), errno.EAGAIN, [(2, Condition(IF_AT_LEAST, QUEUED_SIGNALS))]),
    Refusal(("clone",), errno.EINVAL, [(0, Condition(IF_ANY_BIT, 0x60))]),  # the signal at its end
    Refusal(("clone",), errno.EINVAL, [(0, Condition(IF_ANY_BIT, CLONE_PIDFD))]),
    *(
        Refusal(
            ("getsockopt", "setsockopt"),
            errno.ENOPROTOOPT,
            [(1, _is(SOL_SOCKET)), (2, _is(option))],
        )
        for option in COUNTED
    ),
    Refusal(
        ("prctl",),
        errno.EINVAL,
        [(0, _is(PR_SET_PDEATHSIG)), (1, Condition(IF_AT_LEAST, QUEUED_SIGNALS))],
    ),
)

# By name, the numbers on x86-64 and on 64-bit ARM; None: there is no such call.
NUMBERS: Mapping[str, tuple[int, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "getsockopt": (55, 209),
    "setsockopt": (54, 208),
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
    "pidfd_open": (434, 434),
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
    "syslog": (103, 116),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "mincore": (27, 232),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "io_setup": (206, 0),
    "mq_open": (240, 180),
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_requeue": (456, 456),
    "cachestat": (451, 451),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "madvise": (28, 233),
    "mbind": (237, 235),
    "mmap": (9, 222),
    "timer_create": (222, 107),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "pidfd_send_signal": (424, 424),
    "prctl": (157, 167),
}


def refusals(*, building: bool) -> Iterator[Refusal]:
    """Yields everything that is refused to bots, or to their builds."""
    yield from () if building else REFUSED_TO_BOTS
    yield from ALWAYS_REFUSED
    yield Refusal(("socket", "socketpair"), errno.EAFNOSUPPORT, [(0, NOT_UNIX)])
    yield Refusal(FORBIDDEN, errno.EPERM, [])
    yield Refusal((*ABSENT, *PAGES), errno.ENOSYS, [])
    yield from () if building else (Refusal(SIGNALLING, errno.ENOSYS, []),)
