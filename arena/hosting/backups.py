"""Backups of a running arena, again and again."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from arena.backup import back_up
from arena.bots.source import try_to_remove
from arena.disk import DiskFull
from arena.errors import ArenaError
from arena.store.data_folder import DataFolder

log = logging.getLogger(__name__)

TIME = "%Y%m%dT%H%M%SZ"
NAME = re.compile(r"[0-9]{8}T[0-9]{6}Z")
UNFINISHED = re.compile(rf"{NAME.pattern}\.unfinished")
AGAIN_S = 300.0  # after a failure


@dataclass(frozen=True)
class BackupPlan:
    """The backups of an arena.

    `every_s`: the time between two, in seconds.
    `keep`: the number of those that are kept, the latest.
    `folder`: the place of the backups, each a folder named by its time.
    """

    every_s: float
    keep: int
    folder: Path


async def keep_backing_up(data: DataFolder, plan: BackupPlan) -> None:
    """Makes backups until cancelled; the first when the last one is old enough."""
    while True:
        await asyncio.sleep(_due_in_s(plan))
        try:
            await asyncio.to_thread(_back_up, data, plan)
        except (ArenaError, DiskFull, OSError) as failure:
            log.error("no backup was made: %s", failure)
            await asyncio.sleep(min(AGAIN_S, plan.every_s))


def made(folder: Path) -> list[Path]:
    """Returns the backups in a folder, the oldest first."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def last_made_at(folder: Path) -> datetime | None:
    """Returns the time of the latest backup in a folder; None if there is none."""
    backups = made(folder)
    return datetime.strptime(backups[-1].name, TIME).replace(tzinfo=UTC) if backups else None


def _due_in_s(plan: BackupPlan) -> float:
    last = last_made_at(plan.folder)
    if last is None:
        return 0.0
    due = last + timedelta(seconds=plan.every_s)
    return max(0.0, (due - datetime.now(UTC)).total_seconds())


def _back_up(data: DataFolder, plan: BackupPlan) -> None:
    plan.folder.mkdir(0o700, parents=True, exist_ok=True)
    for path in plan.folder.iterdir():  # of an arena that was killed
        if UNFINISHED.fullmatch(path.name):
            try_to_remove(path)
    target = plan.folder / datetime.now(UTC).strftime(TIME)
    manifest = back_up(data, target)
    log.info("made the backup %s, %d files", target, len(manifest.files))
    for path in made(plan.folder)[: -plan.keep]:
        try_to_remove(path)
