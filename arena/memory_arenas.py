"""The heaps of the C library from which the threads of a process allocate."""

from __future__ import annotations

import ctypes

M_ARENA_MAX, ARENAS = -8, 2
"""The option of mallopt(3), and the heaps that threads share: with the default of eight a core,
their free memory grows for hours, since each thread fills one after another."""


def limit_memory_arenas() -> None:
    """Has all threads allocate from ARENAS heaps, where the C library has the option (glibc)."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(M_ARENA_MAX, ARENAS)
