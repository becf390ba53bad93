"""`arena prune`: drops records and private logs of old matches."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import stdout
from arena.league import Limit, Retention, limit_of

KeepRecordsOption = Annotated[
    str,
    typer.Option(metavar="LIMIT", help="Records to keep: 90d, 100000 or 90d,100000; else all."),
]
KeepLogsOption = Annotated[
    str, typer.Option(metavar="LIMIT", help="Private logs to keep; like --keep-records.")
]


def retention_of(keep_records: str, keep_logs: str) -> Retention | None:
    """Returns what is to be kept; None if that is everything. Raises ArenaError."""
    retention = Retention(limit_of(keep_records, "keep_records"), limit_of(keep_logs, "keep_logs"))
    return None if retention == Retention(Limit(), Limit()) else retention


@asks_arena
def prune(
    arena: AskedArena,
    keep_records: KeepRecordsOption = "",
    keep_logs: KeepLogsOption = "",
) -> Answer:
    """Drop records and private logs of old matches.

    `arena disk` with these options shows what that frees; a running arena does it by itself with
    those of `arena serve`.

    Examples:
        arena prune --keep-records 365d --keep-logs 30d    # by age
        arena prune --keep-records 100000                  # the latest
    """
    from arena.operations.running.disk import prune_matches

    pruned = arena.ask(prune_matches, keep_records, keep_logs)
    yield pruned
    stdout.say(f"Dropped {pruned.records:,} records and {pruned.logs:,} private logs.")
