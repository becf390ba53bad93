"""`arena prune`: drops records and private logs of old matches."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client.folder_access import changing
from arena.league import Limit, Retention, limit_of
from arena.league import prune as pruned_of
from arena.store.data_folder import DataFolder
from arena.store.open import check_there

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


def prune(
    keep_records: KeepRecordsOption = "",
    keep_logs: KeepLogsOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Drop records and private logs of old matches.

    A running arena does the same with these options of `arena serve`.

    Examples:
        arena prune --keep-records 365d --keep-logs 30d    # by age
        arena prune --keep-records 100000                  # the latest
    """
    retention = retention_of(keep_records, keep_logs) or Retention()
    folder = DataFolder(data)
    check_there(folder)
    with changing(folder, "data") as store:
        pruned = pruned_of(store, retention)
    if as_json:
        print_json(asdict(pruned))
    else:
        stdout.say(f"Dropped {pruned.records:,} records and {pruned.logs:,} private logs.")
