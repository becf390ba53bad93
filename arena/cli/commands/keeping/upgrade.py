"""`arena upgrade`: upgrades a data folder to this version of the arena."""

from __future__ import annotations

from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client.folder_access import held
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.upgrade import upgrade_folder


def upgrade(data: DataOption = DEFAULT_DATA, as_json: JsonOption = False) -> None:
    """Upgrade a data folder to this version of the arena.

    The store is backed up in the same folder first.

    Examples:
        arena upgrade --data /srv/arena
    """
    folder = DataFolder(data)
    if not folder.has_store():
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"There is no arena in {data}: give its data folder with --data.",
            "data",
        )
    with held(folder):
        backup = upgrade_folder(folder)
    if as_json:
        print_json({"upgraded": backup is not None, "backup": str(backup or "")})
    elif backup is None:
        stdout.say(f"The data folder {data} is up to date.")
    else:
        stdout.say(f"The data folder {data} is upgraded; {backup} is a backup of its store.")
