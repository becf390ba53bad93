"""`arena disk`: the space that an arena uses."""

from __future__ import annotations

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.keeping.prune import KeepLogsOption, KeepRecordsOption
from arena.cli.output import stdout, table
from arena.operations.running.disk import read_disk
from arena.views.running.disk import Kept

MIB = 1 << 20


@asks_arena
def disk(
    arena: AskedArena,
    keep_records: KeepRecordsOption = "",
    keep_logs: KeepLogsOption = "",
) -> Answer:
    """Show the use of the disk, and what `arena prune` would free.

    Examples:
        arena disk
        arena disk --keep-records 365d --keep-logs 30d
    """
    found = arena.ask(read_disk, keep_records, keep_logs)
    yield found
    stdout.say(f"Free: {found.free / MIB:,.0f} of {found.total / MIB:,.0f} MiB.")
    stdout.print(
        table(("part", "MiB"), [(one.name, f"{one.size / MIB:,.1f}") for one in found.parts])
    )
    stdout.print(
        table(
            ("in the store", "matches", "about MiB", "to prune", "about MiB freed"),
            [_row("records", found.records), _row("private logs", found.logs)],
        )
    )


def _row(name: str, kept: Kept) -> tuple[object, ...]:
    size, freed = (f"{bytes_ / MIB:,.1f}" for bytes_ in (kept.size, kept.freed))
    return name, kept.matches, size, kept.beyond, freed
