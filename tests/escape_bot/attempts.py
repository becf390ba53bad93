"""The attempts of the escape bot: one function each, in the order in which they are tried.

Each returns its result in a few words. An attempt that succeeds raises Escaped.
"""

import ctypes
import errno
import mmap
import os
import platform
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

MIB = 1 << 20
Targets = Mapping[str, Any]
Attempt = Callable[[Targets], str]

HARMLESS: dict[str, Attempt] = {}
"""After these the bot plays on."""

WORDS = {
    errno.EPERM: "refused",
    errno.EACCES: "refused",
    errno.EROFS: "refused",
    errno.ENOSYS: "refused",
    errno.EAFNOSUPPORT: "refused",
    errno.ENOENT: "not there",
    errno.ESRCH: "not there",
    errno.ECONNREFUSED: "nobody there",
    errno.ENOSPC: "full",
    errno.EMFILE: "refused",
    errno.EAGAIN: "refused",
    errno.EOPNOTSUPP: "refused",
    errno.ENOPROTOOPT: "refused",
}


class Escaped(Exception):
    """Raised when an attempt succeeded; the text describes how."""


def attempt(what: str, attempts: dict[str, Attempt] = HARMLESS) -> Callable[[Attempt], Attempt]:
    def add(function: Attempt) -> Attempt:
        attempts[what] = function
        return function

    return add


def fails(*tries: Callable[[], object]) -> str:
    """Tries everything, and returns the reason it failed."""
    words: list[str] = []
    for number, one in enumerate(tries):
        try:
            result = one()
        except OSError as error:
            words.append(WORDS.get(error.errno or 0, repr(error)))
        else:
            raise Escaped(f"try {number}: {result!r}")
    return " or ".join(sorted(set(words)))


def checked(result: int) -> int:
    """Returns the result of a function of the C library."""
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


libc = ctypes.CDLL(None, use_errno=True)
IO_SETUP = {"x86_64": 206, "aarch64": 0}
FUTEX = {"x86_64": 202, "aarch64": 98}


def address_of(page: mmap.mmap) -> ctypes.c_void_p:
    """Returns where a file that may only be read is mapped, which ctypes does not say."""
    view = PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(page), ctypes.byref(view), 0)
    return ctypes.c_void_p(view.address)


class PyBuffer(ctypes.Structure):
    """The beginning of Python's Py_buffer, and room for the rest."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_char * 128))


@attempt("read another bot's files")
def read_another_bot(targets: Targets) -> str:
    return fails(lambda: list(Path(targets["rival"]).iterdir()))


@attempt("read the arena's data")
def read_data(targets: Targets) -> str:
    return fails(
        lambda: Path(targets["data"], "arena.sqlite3").read_bytes(),
        lambda: list(Path(f"/proc/{targets['arena_pid']}/root").iterdir()),
    )


@attempt("read accounts and keys of the machine")
def read_accounts(_: Targets) -> str:
    return fails(
        lambda: Path("/etc/shadow").read_bytes(),
        lambda: Path("/etc/gshadow").read_bytes(),
        lambda: Path("/root/.profile").read_bytes(),
    )


@attempt("find the arena's secrets in an environment")
def read_environments(targets: Targets) -> str:
    environments = [str(os.environ).encode()]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environments.append((process / "environ").read_bytes())
        except OSError:
            continue
    if any(targets["secret"].encode() in environment for environment in environments):
        raise Escaped("the secret is there")
    return "not there"


@attempt("write outside its own places")
def write_outside(targets: Targets) -> str:
    places = (".", "/", "/usr", "/usr/lib", "/etc", "/dev", "/run/arena", "/home", "/var/tmp")
    own_code = (sys.prefix, Path(os.__file__).parent, targets["data"], targets["rival"])
    for place in {*places, *own_code} - {*targets["own"]}:
        fails(Path(place, "escaped").touch)
    return "refused"


@attempt("fill the disk: `/tmp`")
def fill_tmp(_: Targets) -> str:
    return filled("/tmp")


@attempt("fill the disk: `/dev/shm`")
def fill_shm(_: Targets) -> str:
    return filled("/dev/shm")


def filled(folder: str) -> str:
    path = Path(folder, "filling")
    try:
        with path.open("wb", buffering=0) as file:
            for _ in range(16 + 1):
                file.write(b"x" * MIB)
            size = path.stat().st_size
    except OSError as error:
        return f"{WORDS[error.errno or 0]} after 16 MiB"
    finally:
        path.unlink(missing_ok=True)
    if size < 17 * MIB:
        return "full after 16 MiB"
    raise Escaped(f"17 MiB lie in {folder}")


@attempt("fill the disk with what it prints")
def print_much(_: Targets) -> str:
    for _line in range(4096):
        print("x" * 1023)
    sys.stdout.flush()
    return "the last 64 KiB are kept"


@attempt("open ever more files")
def open_files(_: Targets) -> str:
    files = []
    try:
        while len(files) <= 1024:
            files.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        return f"{WORDS[error.errno or 0]} after 1,024"
    finally:
        for file in files:
            os.close(file)
    raise Escaped("more than 1,024 files are open")


@attempt("have memory that no process has: memfd, System V")
def nobodys_memory(_: Targets) -> str:
    return fails(
        lambda: os.memfd_create("escape"),
        lambda: checked(libc.shmget(0, MIB, 0o1600)),
        lambda: checked(libc.msgget(0, 0o1600)),
    )


@attempt("reach a TCP server of the machine")
def dial_tcp(targets: Targets) -> str:
    return fails(lambda: socket.create_connection(("127.0.0.1", targets["tcp"]), timeout=2))


@attempt("send a UDP datagram")
def send_udp(targets: Targets) -> str:
    def send() -> int:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            return udp.sendto(b"escaped", ("127.0.0.1", targets["udp"]))

    return fails(send)


@attempt("open sockets of other families: IPv6, netlink, packet, vsock, kernel cryptography")
def other_families(_: Targets) -> str:
    # By number, because some builds of Python lack the names.
    return fails(
        lambda: socket.socket(10, socket.SOCK_STREAM),
        lambda: socket.socket(16, socket.SOCK_RAW),
        lambda: socket.socket(17, socket.SOCK_RAW),
        lambda: socket.socket(40, socket.SOCK_STREAM),
        lambda: socket.socket(38, socket.SOCK_SEQPACKET),
    )


@attempt("resolve a name")
def resolve(targets: Targets) -> str:
    try:
        found = socket.getaddrinfo(targets["host"], 80)
    except socket.gaierror:
        return "not resolved"
    raise Escaped(f"{targets['host']} is {found}")


@attempt("reach another Unix socket, by path")
def dial_path(targets: Targets) -> str:
    return fails(lambda: dialled(targets["unix"]))


@attempt("reach another Unix socket, abstract")
def dial_abstract(targets: Targets) -> str:
    return fails(lambda: dialled("\0" + targets["abstract"]))


def dialled(address: str) -> str:
    with socket.socket(socket.AF_UNIX) as unix:
        unix.connect(address)
    return address


@attempt("see or signal processes that are not its own")
def signal_others(targets: Targets) -> str:
    fails(lambda: os.kill(targets["arena_pid"], 0))
    mine = os.getuid()
    for process in Path("/proc").glob("[0-9]*"):
        if not (process / "status").exists():
            continue  # the sandbox's first process is hidden
        status = (process / "status").read_text()
        if int(process.name) > 1000 or f"Uid:\t{mine}\t" not in status:
            raise Escaped(f"sees {process.name}")
    return "sees only its own"


@attempt("trace a process, read its memory")
def trace(_: Targets) -> str:
    parent, room = os.getppid() or 1, struct.pack("LL", 0, 0)
    return fails(
        lambda: checked(libc.ptrace(16, parent, 0, 0)),  # PTRACE_ATTACH
        lambda: checked(libc.process_vm_readv(parent, room, 1, room, 1, 0)),
    )


@attempt("mount")
def mount(_: Targets) -> str:
    return fails(
        lambda: checked(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)),
        lambda: checked(libc.umount2(b"/tmp", 0)),
    )


@attempt("make a namespace in its own")
def nest(_: Targets) -> str:
    user, mounts, network = 0x10000000, 0x00020000, 0x40000000
    return fails(*(lambda f=f: checked(libc.unshare(f)) for f in (user, mounts, network)))


@attempt("become root, or get a privilege")
def become_root(_: Targets) -> str:
    status = Path("/proc/self/status").read_text()
    if "CapEff:\t0000000000000000" not in status or "NoNewPrivs:\t1" not in status:
        raise Escaped(status)
    no_such_user = errno.EINVAL
    try:
        os.setuid(0)
    except OSError as error:
        if error.errno not in (errno.EPERM, no_such_user):
            raise
    return fails(lambda: os.chroot("/"), lambda: os.setgroups([0]))


@attempt("reach the machine's devices and its kernel")
def devices(_: Targets) -> str:
    pattern = Path("/proc/sys/kernel/core_pattern")
    fails(
        *(lambda name=name: bytes_of(name) for name in ("/dev/mem", "/dev/vda", "/proc/kcore")),
        lambda: os.open("/proc/sysrq-trigger", os.O_WRONLY),
        # Through this file, root can have the kernel start any program.
        lambda: pattern.write_text(pattern.read_text()),
    )
    return fails(lambda: os.mknod("/tmp/device", 0o20600, os.makedev(1, 1)))


def bytes_of(path: str) -> bytes:
    """Returns the first bytes; a file that is covered by an empty one has none."""
    with Path(path).open("rb") as file:
        if found := file.read(16):
            return found
    raise PermissionError(errno.EACCES, "empty")


@attempt("change the machine's devices: their permissions, their times")
def change_devices(_: Targets) -> str:
    # To what they are: whoever may do so may do more.
    def permissions(device: Path) -> None:
        device.chmod(device.stat().st_mode)

    def times(device: Path) -> None:
        status = device.stat()
        os.utime(device, ns=(status.st_atime_ns, status.st_mtime_ns))

    devices = [Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom")]
    return fails(
        *(
            lambda change=change, device=device: change(device)
            for change in (permissions, times)
            for device in devices
        )
    )


@attempt("read what the machine does: counters of files, processes, locks, terminals")
def read_counters(_: Targets) -> str:
    names = (
        *("stat", "loadavg", "vmstat", "locks", "interrupts", "diskstats", "zoneinfo", "keys"),
        *("sys/fs/aio-nr", "sys/fs/file-nr", "sys/fs/inode-nr", "sys/kernel/pty/nr", "cgroups"),
        *("sys/kernel/random/entropy_avail", "pressure/cpu", "timer_list", "slabinfo"),
    )
    return fails(*(lambda name=name: bytes_of(f"/proc/{name}") for name in names))


@attempt("learn what of a file is in memory, or remove it from there")
def ask_for_pages(_: Targets) -> str:
    file = os.open(os.__file__, os.O_RDONLY)
    page = mmap.mmap(file, mmap.PAGESIZE, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)
    place = address_of(page)
    room = bytearray(16)
    try:
        return fails(
            lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED),
            lambda: os.preadv(file, [room], 0, os.RWF_NOWAIT),
            lambda: checked(libc.mincore(place, mmap.PAGESIZE, bytes(16))),
            lambda: checked(libc.readahead(file, ctypes.c_long(0), mmap.PAGESIZE)),
        )
    finally:
        os.close(file)


@attempt("use up what the machine or its user has few of: timers, queues, requests to the disk")
def use_up(_: Targets) -> str:
    room = ctypes.create_string_buffer(64)
    return fails(
        lambda: checked(libc.timer_create(1, None, room)),
        lambda: checked(libc.sigqueue(os.getpid(), 64, None)),
        lambda: checked(libc.mq_open(b"/queue", os.O_CREAT | os.O_RDWR, 0o600, None)),
        lambda: checked(libc.syscall(IO_SETUP[platform.machine()], 1, room)),
        os.openpty,
    )


@attempt("get numbers that count the machine's sockets, namespaces and processes")
def get_numbers(_: Targets) -> str:
    mine, other = socket.socketpair(socket.AF_UNIX)
    with mine, other:
        return fails(
            lambda: mine.getsockopt(socket.SOL_SOCKET, 57, 8),  # SO_COOKIE
            lambda: mine.getsockopt(socket.SOL_SOCKET, 71, 8),  # SO_NETNS_COOKIE
            lambda: mine.getsockopt(socket.SOL_SOCKET, 77, 4),  # SO_PEERPIDFD
            lambda: mine.setsockopt(socket.SOL_SOCKET, 76, 1),  # SO_PASSPIDFD
            lambda: os.pidfd_open(os.getpid()),
        )


@attempt("outlive the match: a daemon, its parent gone, in a session of its own")
def outlive(targets: Targets) -> str:
    daemon = "import signal, time\nfor n in (1, 2, 15): signal.signal(n, 1)\ntime.sleep(600)"
    words = [sys.executable, "-c", daemon, targets["mark"]]
    parent = f"import subprocess; subprocess.Popen({words}, start_new_session=True)"
    subprocess.run([sys.executable, "-c", parent], check=True)
    return "it ends with the match"
