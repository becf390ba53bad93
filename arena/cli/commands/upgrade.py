"""`arena upgrade`: upgrades a data folder to this version of the arena."""

from __future__ import annotations

from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client import held
from arena.errors import CommandError
from arena.league import has_unknown_times
from arena.store import DataFolder, open_store, upgrade_folder


def upgrade(data: DataOption = DEFAULT_DATA, as_json: JsonOption = False) -> None:
    """Upgrade a data folder to this version of the arena.

    The store is backed up in the same folder first.

    Examples:
        arena upgrade --data /srv/arena
    """
    folder = DataFolder(data)
    if not folder.has_store():
        raise CommandError(
            f"There is no arena in {data}: give its data folder with --data.", "data"
        )
    with held(folder):
        backup = upgrade_folder(folder)
        untimed = backup is not None and _has_unknown_times(folder)
    if as_json:
        print_json({"upgraded": backup is not None, "backup": str(backup or "")})
    elif backup is None:
        stdout.say(f"The data folder {data} is up to date.")
    else:
        stdout.say(
            f"The data folder {data} is upgraded; {backup} is a backup of its store.",
        )
        if untimed:
            stdout.say(
                "The times of its bots' decisions are still in the records alone:"
                f" `arena recount --data {data}` counts them."
            )


def _has_unknown_times(folder: DataFolder) -> bool:
    store = open_store(folder.path, "read")
    try:
        with store.reading() as session:
            return has_unknown_times(session)
    finally:
        store.close()
