"""`arena upgrade`: upgrades a data folder to this version of the arena."""

from __future__ import annotations

from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client.data_folder import held
from arena.client.errors import CommandError
from arena.store.data_folder import DataFolder


def upgrade(data: DataOption = DEFAULT_DATA, as_json: JsonOption = False) -> None:
    """Back up the store of a data folder, then upgrade it to this version of the arena."""
    # Imported only here: Alembic takes as long to import as everything else.
    from arena.store.upgrade import upgrade_folder

    folder = DataFolder(data)
    if not folder.has_store():
        raise CommandError(
            f"There is no arena in {data}: give its data folder with --data.", "data"
        )
    with held(folder):
        backup = upgrade_folder(folder)
    if as_json:
        print_json({"upgraded": backup is not None, "backup": str(backup or "")})
    elif backup is None:
        stdout.print(f"The data folder {data} is up to date.", markup=False)
    else:
        stdout.print(
            f"The data folder {data} is upgraded; {backup} is a backup of its store.",
            markup=False,
        )
