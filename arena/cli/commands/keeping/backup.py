"""`arena backup` and `arena restore`: copies of a data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.backup import back_up
from arena.backup import restore as restored_from
from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, print_view, stderr, stdout
from arena.store.data_folder import DataFolder


def backup(
    target: Annotated[
        Path, typer.Argument(help="A new folder or, if the name ends in .tar, a new file.")
    ],
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Copy an arena, also while it runs.

    Examples:
        arena backup /backups/monday
        arena backup /backups/monday.tar --data /srv/arena
    """
    manifest = back_up(DataFolder(data), target)
    if as_json:
        print_json({"backup": str(target), "files": len(manifest.files), "digest": manifest.digest})
    else:
        stdout.say(f"The backup {target} is complete: {len(manifest.files):,} files.")


def restore(
    backup: Annotated[Path, typer.Argument(help="The folder or .tar file of a backup.")],
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Verify a backup and put it into a new data folder.

    Every file must have its digest, every record must verify, and the ratings must follow from the
    matches.

    Examples:
        arena restore /backups/monday.tar --data /srv/new-arena
    """
    restored = restored_from(backup, DataFolder(data), stderr.say)
    if as_json:
        print_view(restored)
    else:
        stdout.say(
            f"{backup} is restored in {data}. Verified files: {restored.files:,}; versions of bots:"
            f" {restored.versions:,}; records: {restored.records:,}; ladders with their ratings:"
            f" {restored.ladders:,}."
        )
