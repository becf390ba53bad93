"""The threads of a league or a worker share a few heaps of the C library."""

from __future__ import annotations

import platform
import re
import subprocess
import sys

import pytest

from arena.memory_arenas import ARENAS

THREADS = """
import ctypes, threading
from arena.memory_arenas import limit_memory_arenas

limit_memory_arenas()
library, gate = ctypes.CDLL(None), threading.Barrier(12)
library.malloc.restype = library.fdopen.restype = ctypes.c_void_p

def allocate():
    gate.wait()
    library.malloc(100_000)
    gate.wait()

threads = [threading.Thread(target=allocate) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
output = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, output)
library.fflush(output)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="The option is of glibc.")
def test_many_threads_allocate_from_few_heaps() -> None:
    command = [sys.executable, "-c", THREADS]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 1 <= len(re.findall("<heap ", told)) <= ARENAS
