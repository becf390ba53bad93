"""Makes a backup of a data folder, whether or not its arena runs.

The store is copied first, as of one moment. A version's files are in their place before the store
names it, so all that the copy names is there to be copied, unless its bot is being deleted: then
the copy is taken again.
"""

from __future__ import annotations

import shutil
import tarfile
import time
from contextlib import closing, suppress
from pathlib import Path

from arena import __version__
from arena.backup.contents import MANIFEST, STORE, Manifest, described, files_below
from arena.bots.source import try_to_remove
from arena.disk import flush, full_disk, is_full
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.open import check_store, open_store
from arena.store.schema import now
from arena.store.upgrade import copy_database, revisions
from arena.store.versions import versions_with_files

UNFINISHED = ".unfinished"
TAR = ".tar"
TRIES, PAUSE_S = 30, 1.0
"""The deletion of a bot, between its files and its rows, takes a moment."""


def back_up(data: DataFolder, target: Path) -> Manifest:
    """Writes a backup to a new folder or, if its name ends in .tar, to a new file. It gets its name
    once it is complete. Raises ArenaError and DiskFull."""
    if target.exists():
        raise ArenaError(
            Kind.WRONG_INPUT, f"{target} exists already: name a new folder or file.", "target"
        )
    _check_apart(data, target)
    open_store(data.path, "read").close()  # raises if there is none, or of another version
    unfinished = target.with_name(f"{target.name}{UNFINISHED}")
    packed = target.with_name(f"{target.name}{UNFINISHED}{TAR}")
    try_to_remove(unfinished)
    try:
        unfinished.mkdir(0o700, parents=True)
        manifest = _filled(data, unfinished)
        if target.suffix == TAR:
            _pack(unfinished, packed)
            packed.replace(target)
        else:
            unfinished.replace(target)
    except OSError as error:
        if is_full(error):
            raise full_disk(target.parent) from None
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The backup {target} cannot be written ({error.strerror or error}).",
            "target",
        ) from None
    finally:
        try_to_remove(unfinished)
        packed.unlink(missing_ok=True)
    return manifest


def _check_apart(data: DataFolder, target: Path) -> None:
    """Raises ArenaError for a target inside of what is copied."""
    for place in (data.versions, data.played, data.logs):
        if target.resolve().is_relative_to(place.resolve()):
            raise ArenaError(
                Kind.WRONG_INPUT, f"{target} is in a folder that is copied: name another.", "target"
            )


def _filled(data: DataFolder, folder: Path) -> Manifest:
    store = folder / STORE
    for _ in range(TRIES):
        try_to_remove(folder / data.versions.name)
        copy_database(data.database, store)
        missing = _copy_versions(data, folder)
        if not missing:
            break
        time.sleep(PAUSE_S)
    else:
        raise ArenaError(
            Kind.DAMAGED,
            f"The files of {missing} are missing from {data.versions}: put them back from an older"
            " backup, or delete the bot with `arena bot delete`.",
            "data",
        )
    _check_sound(data, folder)
    for key in (data.queue_key, data.pages_key):
        with suppress(FileNotFoundError):
            _copy(key, folder / key.name)
    for place in (data.logs, data.played):
        _copy_what_is_there(place, folder / place.name)
    names = sorted(path.relative_to(folder).as_posix() for path in files_below(folder))
    manifest = Manifest(
        arena=__version__,
        tables=revisions()[-1],
        made_at=now(),
        files={name: described(folder / name) for name in names},
    ).sealed()
    _write(folder / MANIFEST, manifest.model_dump_json(indent=1).encode())
    return manifest


def _check_sound(data: DataFolder, folder: Path) -> None:
    """Raises ArenaError if the copied store is damaged: a backup of it would be of no use."""
    try:
        check_store(folder)
    except ArenaError:
        raise ArenaError(
            Kind.DAMAGED,
            f"The store {data.database} is damaged, so no backup was made; `arena doctor` says"
            " more.",
            "data",
        ) from None


def _copy_versions(data: DataFolder, folder: Path) -> str:
    """Copies the files of the versions that the copied store names. Returns the name of one whose
    files are missing; empty if there is none."""
    copies = DataFolder(folder)
    with closing(open_store(folder, "read")) as store, store.reading() as session:
        versions = versions_with_files(session)
    for digest, name in versions.items():
        places = [place for place in data.places(digest) if place.exists()]
        if not places:
            return name
        try:
            for place in places:
                _copy_tree(place, copies.versions / place.name)
        except FileNotFoundError:
            return name
    return ""


def _copy_tree(source: Path, target: Path) -> None:
    """Copies all files below a folder. Raises OSError."""
    for path in files_below(source):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(0o700, parents=True, exist_ok=True)
        _copy(path, copy)


def _copy_what_is_there(source: Path, target: Path) -> None:
    """Does the same for files that may be removed meanwhile."""
    for path in files_below(source):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            _copy(path, copy)


def _copy(source: Path, target: Path) -> None:
    """Copies a file or link, and waits until the disk has it."""
    shutil.copy2(source, target, follow_symlinks=False)
    if not target.is_symlink():
        flush(target)


def _write(file: Path, content: bytes) -> None:
    file.touch(0o600)
    file.write_bytes(content)
    flush(file)


def _pack(folder: Path, file: Path) -> None:
    """Writes a folder as an archive, the manifest last."""
    file.unlink(missing_ok=True)
    file.touch(0o600)
    names = sorted(path.relative_to(folder).as_posix() for path in files_below(folder))
    names.sort(key=lambda name: name == MANIFEST)
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            archive.add(folder / name, name, recursive=False)
    flush(file)
