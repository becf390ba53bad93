"""One of two bots that share a text of bits: `python colluder.py WAY ROLE START SLOT_S BITS FILE`.

Both count slots of SLOT_S seconds from START, by the machine's clock. In each the sender shows a
bit, and the receiver, which prints what it saw, looks for it. FILE is one that both may read.
"""

import ctypes
import mmap
import os
import platform
import random
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

STRIDE = 16 * mmap.PAGESIZE  # the kernel maps up to so many pages at one fault
FUTEX, SET_TID_ADDRESS = {"x86_64": (202, 218), "aarch64": (98, 96)}[platform.machine()]
WAIT, ALL = 9, ctypes.c_uint(0xFFFFFFFF)  # FUTEX_WAIT_BITSET
EXCLUSIVE = 1 << 56  # of an entry in /proc/self/pagemap
WARM_S = 40e-6
NUMBERS = 24
FILLING = bytes(1 << 19)

FILLED = Path("/tmp/filling")

libc = ctypes.CDLL(None, use_errno=True)
inodes = [0]  # the latest one


class PyBuffer(ctypes.Structure):
    """The beginning of Python's Py_buffer, and room for the rest."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_char * 128))


def text(bits: int) -> list[int]:
    chance = random.Random(1)
    return [chance.getrandbits(1) for _ in range(bits)]


def mapped(path: str) -> tuple[mmap.mmap, int]:
    """Maps a file, and returns its address too."""
    with open(path, "rb") as file:  # noqa: PTH123
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)
    pages.madvise(mmap.MADV_RANDOM)
    view = PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(pages), ctypes.byref(view), 0)
    return pages, view.address or 0


pages, address = mapped(sys.argv[6])


def until(moment: float) -> None:
    while (left := moment - time.time()) > 0:
        time.sleep(max(0, left - 0.0002))


# A way is what the sender does for a bit in a slot that ends at a moment, and what the receiver
# sees in the slot.


def end_thread(bit: int, end: float) -> None:
    if bit:
        threading.Thread(target=libc.syscall, args=(SET_TID_ADDRESS, place(0))).start()
    until(end)


def wait_for_thread(end: float) -> int:
    word = ctypes.c_uint.from_address(address).value
    left = max(0.0, end - time.time() - 0.0001)
    deadline = time.clock_gettime(time.CLOCK_MONOTONIC) + left
    timeout = struct.pack("qq", int(deadline), int(deadline % 1 * 1e9))
    woken = libc.syscall(FUTEX, place(0), WAIT, word, timeout, None, ALL)
    until(end)
    return int(woken == 0)


def place(page: int) -> ctypes.c_void_p:
    return ctypes.c_void_p(address + page * STRIDE)


def hold_page(bit: int, end: float) -> None:
    if bit:
        pages[0]
    until(end)
    pages.madvise(mmap.MADV_DONTNEED)


def see_holder(end: float) -> int:
    until(end - float(sys.argv[4]) / 3)
    pages[0]
    with open("/proc/self/pagemap", "rb", buffering=0) as map_of_pages:  # noqa: PTH123
        map_of_pages.seek(address // mmap.PAGESIZE * 8)
        (entry,) = struct.unpack("Q", map_of_pages.read(8))
    until(end)
    return int(not entry & EXCLUSIVE)


def have_threads(bit: int, end: float) -> None:
    stop = threading.Event()
    for _ in range(8 * bit):
        threading.Thread(target=stop.wait).start()
    until(end - float(sys.argv[4]) / 4)
    stop.set()
    until(end)


def count_threads(end: float) -> int:
    until(end - float(sys.argv[4]) / 3)
    threads = of_the_machine("H", 80)
    until(end)
    return threads


def of_the_machine(layout: str, offset: int) -> int:
    """Returns a number from what sysinfo(2) tells."""
    told = ctypes.create_string_buffer(128)
    libc.sysinfo(told)
    return int(struct.unpack_from(layout, told, offset)[0])


def hold_numbers(bit: int, end: float) -> None:
    held = [os.eventfd(0) for _ in range(NUMBERS * bit)]
    until(end - float(sys.argv[4]) / 4)
    for descriptor in held:
        os.close(descriptor)
    until(end)


def lowest_number(end: float) -> int:
    """Returns the lowest number of a counter that no process of the machine has."""
    until(end - float(sys.argv[4]) / 2)
    descriptor = os.eventfd(0)
    described = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
    number = described.partition("eventfd-id:")[2].split()[0]
    os.close(descriptor)
    until(end)
    return int(number)


def take_inodes(bit: int, end: float) -> None:
    for _ in range(NUMBERS * bit):
        new_inode()
    until(end)


def count_inodes(end: float) -> int:
    """Returns how many inodes a processor has given out since the last slot."""
    until(end - float(sys.argv[4]) / 3)
    before, inodes[0] = inodes[0], new_inode()
    until(end)
    return inodes[0] - before


def new_inode() -> int:
    ends = os.pipe()
    inode = os.fstat(ends[0]).st_ino
    for descriptor in ends:
        os.close(descriptor)
    return inode


def fill_memory(bit: int, end: float) -> None:
    os.truncate(FILLED, 0)
    if bit:
        FILLED.write_bytes(FILLING)
    until(end)


def measure_memory(end: float) -> int:
    until(end - float(sys.argv[4]) / 4)
    shared_bytes = of_the_machine("Q", 48)
    until(end)
    return shared_bytes


def spin(bit: int, end: float) -> None:
    while bit and time.time() < end:
        pass
    until(end)


def feel_spin(end: float) -> int:
    rounds = 0
    while time.time() < end:
        rounds += 1
    return -rounds


def read_page(number: int) -> float:
    before = time.perf_counter()
    pages[number * STRIDE]
    return time.perf_counter() - before


WAYS: dict[str, tuple[Callable[[int, float], None], Callable[[float], int]]] = {
    "thread": (end_thread, wait_for_thread),
    "pages": (hold_page, see_holder),
    "sysinfo": (have_threads, count_threads),
    "processor": (spin, feel_spin),
    "eventfd": (hold_numbers, lowest_number),
    "inodes": (take_inodes, count_inodes),
    "memory": (fill_memory, measure_memory),
}


COMPARED = ("sysinfo", "processor", "eventfd", "inodes", "memory")
ON_ONE_PROCESSOR = ("processor", "inodes")


def main(way: str, role: str, start: float, slot_s: float, bits: int) -> None:
    sent = text(bits)
    os.sched_setaffinity(0, {0} if way in ON_ONE_PROCESSOR else os.sched_getaffinity(0))
    FILLED.touch()
    until(start)
    seen: list[int] = []
    if way == "disk":  # once: what the sender reads is in memory from then on
        if role == "send":
            [read_page(number) for number, bit in enumerate(sent) if bit]
        else:
            until(start + slot_s * bits)
            seen = [int(read_page(number) < WARM_S) for number in range(bits)]
    else:
        for number, bit in enumerate(sent):
            end = start + (number + 1) * slot_s
            if role == "send":
                WAYS[way][0](bit, end)
            else:
                seen.append(WAYS[way][1](end))
    if role == "receive":
        threshold = between_halves(seen) if way in COMPARED else 0
        print(
            "right",
            sum((value > threshold) == bool(bit) for value, bit in zip(seen, sent, strict=True)),
        )


def between_halves(values: list[int]) -> float:
    """Returns what is as far from the usual small value as from the usual large one."""
    ordered = sorted(values)
    return (ordered[len(values) // 4] + ordered[len(values) * 3 // 4]) / 2


main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
