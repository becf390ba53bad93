"""The space that an arena uses, and old records and private logs that are dropped."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field
from sqlalchemy.orm import Session

from arena.league import Limit, Retention, beyond, limit_of, prune
from arena.operations.caller import ORGANISERS
from arena.operations.operation import Changing, Reading, Text, changes, reads
from arena.store.data_folder import DataFolder
from arena.store.schema import Match, PrivateLog, Record
from arena.views.running.disk import DiskUse, Kept, Part, PrunedMatches

SAMPLE = 200
"""The latest rows, by whose mean the size of all is estimated: to measure all would read them."""
Keep = Annotated[Text, Field(description="Such as 90d, 100000 or 90d,100000; empty: everything.")]


@reads("/disk", ORGANISERS)
def read_disk(asked: Reading, keep_records: Keep = "", keep_logs: Keep = "") -> DiskUse:
    """The space that the arena uses, and how much less it would be if only so many records and
    private logs were kept."""
    free = shutil.disk_usage(asked.folder.path)
    return DiskUse(
        free=free.free,
        total=free.total,
        parts=_parts(asked.folder),
        records=_kept(asked.session, Record, limit_of(keep_records, "keep_records")),
        logs=_kept(asked.session, PrivateLog, limit_of(keep_logs, "keep_logs")),
    )


@changes("POST", "/disk/prune", ORGANISERS)
def prune_matches(call: Changing, keep_records: Keep = "", keep_logs: Keep = "") -> PrunedMatches:
    """Drop the records and private logs of old matches for good: those beyond the limits. Results
    stay, and with them ratings and standings."""
    retention = Retention(limit_of(keep_records, "keep_records"), limit_of(keep_logs, "keep_logs"))
    pruned = prune(call.store, retention)
    return PrunedMatches(records=pruned.records, logs=pruned.logs)


def _parts(folder: DataFolder) -> tuple[Part, ...]:
    database = sum(path.stat().st_size for path in folder.path.glob(f"{folder.database.name}*"))
    places = {
        "versions": folder.versions,
        "logs": folder.logs,
        "backups": folder.backups,
        "played": folder.played,
        "queue": folder.valkey,
    }
    return (
        Part(name="store", size=database),
        *(Part(name=name, size=_size(path)) for name, path in places.items()),
    )


def _size(folder: Path) -> int:
    """Returns the bytes of a folder's files, without those that vanish meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.lstat().st_size
    return total


def _kept(session: Session, table: type[Record | PrivateLog], limit: Limit) -> Kept:
    matches = session.scalar(sa.select(sa.func.count()).select_from(table)) or 0
    latest = (
        sa.select(sa.func.length(table.body).label("size"))
        .join(Match, Match.id == table.match)
        .order_by(Match.finished_at.desc(), Match.id.desc())
        .limit(SAMPLE)
        .subquery()
    )
    mean = float(session.scalar(sa.select(sa.func.avg(latest.c.size))) or 0)
    old = beyond(session, table, limit)
    return Kept(matches=matches, size=round(matches * mean), beyond=old, freed=round(old * mean))
