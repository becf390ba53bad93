"""Bounds the logs of the processes that an arena starts, which append to files in its folder."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

LOOK_EVERY_S = 30.0
LIMIT_BYTES = 10 * 1024 * 1024
KEPT = 3


async def keep_rotating(folders: Sequence[Path]) -> None:
    """Rotates the logs in these folders until cancelled."""
    while True:
        await asyncio.to_thread(rotate, folders)
        await asyncio.sleep(LOOK_EVERY_S)


def rotate(folders: Sequence[Path]) -> None:
    """Copies each log that is longer than LIMIT_BYTES to NAME.1 and empties it; older ones become
    NAME.2 and so on, up to KEPT.

    The processes keep the file open and append, so it stays the same file. A line that is written
    between copying and emptying is lost.
    """
    for log in [file for folder in folders for file in folder.glob("*.log")]:
        if log.stat().st_size <= LIMIT_BYTES:
            continue
        for number in range(KEPT - 1, 0, -1):
            older = log.with_name(f"{log.name}.{number}")
            if older.exists():
                older.replace(log.with_name(f"{log.name}.{number + 1}"))
        shutil.copyfile(log, log.with_name(f"{log.name}.1"))
        os.truncate(log, 0)
