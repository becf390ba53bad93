"""Signs that an escape bot leaves for its rival and its partner, and its search for theirs."""

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from attempts import FUTEX, Escaped, address_of, checked, libc

# Files that all bots see and none may write to: one for each seat.
SHARED = [Path(os.__file__).with_name(f"{name}.py") for name in ("abc", "ast", "bdb", "cmd")]
DEVICES: list[Path] = []  # those that no two bots should share; anybody may write to them
PORT = 47_000
KEY = 0x5E7E00
OPEN_EVENT = 0x20  # IN_OPEN
GET_HINT, SET_HINT, SHORT_LIVED = 1035, 1036, 2  # F_GET_RW_HINT, F_SET_RW_HINT
LOCK_OPEN_FILE = 37  # F_OFD_SETLK
WAIT, WAKE, ALL = 9, 1, ctypes.c_uint(0xFFFFFFFF)  # FUTEX_WAIT_BITSET, FUTEX_WAKE

kept: list[object] = []
watches: dict[int, int] = {}


def sign_of(seat: int) -> str:
    return f"escape-sign-{seat}"


def leave_signs(seat: int) -> None:
    """Leaves every sign it can; other attempts show what is refused."""
    for leave in (leave_files, listen, lock, remember, queue_up, watch_others, hint, wait):
        with suppress(OSError):
            leave(seat)


def leave_files(seat: int) -> None:
    for folder in ("/tmp", "/dev/shm", "/run/arena", "/var/tmp", "."):
        with suppress(OSError):
            Path(folder, sign_of(seat)).write_text("here I am")


def listen(seat: int) -> None:
    for make, address in (
        (socket.AF_UNIX, "\0" + sign_of(seat)),
        (socket.AF_INET, ("127.0.0.1", PORT + seat)),
    ):
        with suppress(OSError):
            listener = socket.socket(make)
            listener.bind(address)
            listener.listen()
            kept.append(listener)


def lock(seat: int) -> None:
    for device in DEVICES:
        opened = device.open("r+b", buffering=0)
        kept.append(opened)
        lock_byte(opened, seat)
    file = SHARED[seat].open("rb")
    kept.append(file)
    fcntl.lockf(file, fcntl.LOCK_SH)
    fcntl.flock(file, fcntl.LOCK_EX)


def lock_byte(opened: FileIO, number: int) -> None:
    """Locks a byte for this open file, whatever else the process opens and closes."""
    lock = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, number, 1, 0)
    fcntl.fcntl(opened, LOCK_OPEN_FILE, lock)


def remember(seat: int) -> None:
    checked(libc.shmget(KEY + seat, 4096, 0o1666))


def queue_up(seat: int) -> None:
    librt = ctypes.CDLL(None, use_errno=True)
    checked(librt.mq_open(f"/{sign_of(seat)}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None))


def watch_others(seat: int) -> None:
    watch = checked(libc.inotify_init1(os.O_NONBLOCK))
    for other in others(seat):
        libc.inotify_add_watch(watch, os.fsencode(SHARED[other]), OPEN_EVENT)
    watches[seat] = watch


def hint(seat: int) -> None:
    with SHARED[seat].open("rb") as file:
        fcntl.fcntl(file, SET_HINT, struct.pack("Q", SHORT_LIVED))


def wait(seat: int) -> None:
    """Waits for ever, in a thread, at the beginning of a file that others may see."""
    page = mapped(SHARED[seat])
    kept.append(page)
    word = ctypes.c_uint.from_address(address_of(page).value or 0).value
    words = (FUTEX[platform.machine()], address_of(page), WAIT, word, None, None, ALL)

    def wait_again() -> None:
        while libc.syscall(*words) == 0:  # somebody has woken it
            pass

    threading.Thread(target=wait_again, daemon=True).start()


def mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), mmap.PAGESIZE, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)


def others(seat: int) -> Iterator[int]:
    return (other for other in range(len(SHARED)) if other != seat)


# The search for the others' signs. Each function returns whether there is one.


def sees_files(other: int) -> bool:
    folders = ("/tmp", "/dev/shm", "/run/arena", "/var/tmp", ".")
    return any(Path(folder, sign_of(other)).exists() for folder in folders)


def hears_sockets(other: int) -> bool:
    for kind, address in (
        (socket.AF_UNIX, "\0" + sign_of(other)),
        (socket.AF_INET, ("127.0.0.1", PORT + other)),
    ):
        with suppress(OSError), socket.socket(kind) as caller:
            caller.connect(address)
            return True
    return False


def finds_memory(other: int) -> bool:
    return bool(libc.shmget(KEY + other, 4096, 0) >= 0)


def finds_queue(other: int) -> bool:
    return bool(libc.mq_open(f"/{sign_of(other)}".encode(), os.O_RDWR) >= 0)


def meets_locks(other: int) -> bool:
    return meets_locks_on_files(other) or meets_locks_on_devices(other)


def meets_locks_on_devices(other: int) -> bool:
    for device in DEVICES:
        with device.open("r+b", buffering=0) as opened:
            try:
                lock_byte(opened, other)
            except BlockingIOError:
                return True
    return False


def meets_locks_on_files(other: int) -> bool:
    with SHARED[other].open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EWOULDBLOCK:
                return True
        with suppress(OSError):  # F_GETLK reports the process that prevents a write lock
            asked = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            found = fcntl.fcntl(file, fcntl.F_GETLK, asked)
            return struct.unpack("hhqqi", found)[0] != fcntl.F_UNLCK
    return False


def notices_opening(other: int) -> bool:
    for watch in watches.values():
        with suppress(BlockingIOError):
            return bool(os.read(watch, 4096))
    return False


def finds_hint(other: int) -> bool:
    with SHARED[other].open("rb") as file:
        answer = fcntl.fcntl(file, GET_HINT, struct.pack("Q", 0))
    return struct.unpack("Q", answer)[0] == SHORT_LIVED


def wakes(other: int) -> bool:
    page = mapped(SHARED[other])
    woken = libc.syscall(FUTEX[platform.machine()], address_of(page), WAKE, 1)
    return bool(woken > 0)


WAYS: dict[str, Callable[[int], bool]] = {
    "talk to its rival or its partner: by files": sees_files,
    "talk to them: by sockets, abstract ones too": hears_sockets,
    "talk to them: by System V's shared memory": finds_memory,
    "talk to them: by POSIX message queues": finds_queue,
    "talk to them: by watching who opens a file that both see": notices_opening,
    "talk to them: by locks on files and devices that both see": meets_locks,
    "talk to them: by hints that are stored with files": finds_hint,
    "talk to them: by waking who waits at a place in a file": wakes,
}


def look(seat: int, way: str) -> str:
    """Searches for the others' signs. Raises Escaped if it finds one."""
    seen = []
    for other in others(seat):
        with suppress(PermissionError):
            if WAYS[way](other):
                seen.append(other)
    if seen:
        raise Escaped(f"sees the signs of {seen}")
    return "nothing seen"


def be_noticed(seat: int) -> None:
    """Opens the file that others may watch."""
    SHARED[seat].read_bytes()
