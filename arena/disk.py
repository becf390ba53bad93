"""Disks: what is written there for good; those that cannot be written to, why, and what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})  # a user's quota is a disk of their own
CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
TROUBLE = FULL | CLOSED | {errno.EFBIG, errno.EIO}


class DiskFull(Exception):
    """A disk, or the user's share of it, has no room left. Its text says where."""


def is_full(error: OSError) -> bool:
    """Returns whether the disk, or the user's quota of it, has no room left."""
    return error.errno in FULL


def full_disk(place: Path | str) -> DiskFull:
    """Returns the failure to write to a place, which may be a file or a folder."""
    return DiskFull(f"The disk of {place} is full; make room there.")


def disk_trouble(error: OSError, place: Path | str = "") -> str | None:
    """Returns a sentence about a disk that cannot be written to or read; None if the error is about
    something else.

    `place`: what was being written, unless the error names it.
    """
    if error.errno not in TROUBLE:
        return None
    place = place or error.filename or ""
    why = error.strerror
    if is_full(error):
        full = full_disk(place) if place else f"A disk is full ({why}); make room (see `df`)."
        return f"{full}"
    what = place or "A file"
    if error.errno in CLOSED:
        return f"{what} cannot be used ({why}): check who may read and write it, or use another."
    return f"{what} cannot be written ({why}): check the disk and the limits (see `ulimit -f`)."


def flush(path: Path) -> None:
    """Waits until a file or a folder is on the disk, so that it survives a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
