"""Puts a backup into a new data folder, after proving that it is whole and true."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath

import sqlalchemy as sa

from arena.backup.contents import FORMAT, MANIFEST, STORE, Manifest, described, files_below
from arena.bots.source import ContentError, leading_out, try_to_remove
from arena.disk import full_disk, is_full
from arena.errors import ArenaError, Kind
from arena.league import check_rows, rebuild
from arena.records import BadRecord, read, verify_record
from arena.store.data_folder import DataFolder
from arena.store.open import check_store, open_store
from arena.store.queries import ladders
from arena.store.schema import PrivateLog, Record
from arena.store.session import Store
from arena.store.texts import DamagedText, private_log_text, record_text
from arena.store.upgrade import revisions
from arena.store.versions import versions_with_files
from arena.views.view import View

STAGING = "incoming-restore"
LOCK = "arena.lock"


class Restored(View):
    """A backup that was restored: the numbers of what was checked."""

    files: int
    versions: int
    ladders: int
    records: int


class _Unusable(Exception):
    """The backup is not whole, or not true. Its text is the end of a sentence that says why."""


def restore(
    backup: Path, data: DataFolder, progress: Callable[[str], None] = lambda sentence: None
) -> Restored:
    """Restores a backup, a folder or a .tar file, into a folder without an arena. Nothing is left
    there if it fails. Raises ArenaError and DiskFull.

    `progress`: called with sentences about long work.
    """
    if not backup.exists():
        raise ArenaError(Kind.WRONG_INPUT, f"There is no backup {backup}.", "backup")
    with _new_folder(data) as staging:
        try:
            _unpack(backup, staging)
            manifest = _whole(staging)
            progress(f"The {len(manifest.files):,} files are whole. Verifying what was played …")
            restored = _true(DataFolder(staging), len(manifest.files))
        except ArenaError as trouble:
            raise _refused(backup, trouble.sentence.rstrip(".")) from None
        except _Unusable as why:
            raise _refused(backup, str(why)) from None
        (staging / MANIFEST).unlink()
        # A folder has an arena once it has a store, so this comes last.
        for entry in sorted(staging.iterdir(), key=lambda entry: entry.name == STORE):
            entry.replace(data.path / entry.name)
    return restored


def _refused(backup: Path, why: str) -> ArenaError:
    return ArenaError(
        Kind.UNUSABLE,
        f"{backup} cannot be restored: {why}. Nothing was written; use another backup.",
        "backup",
    )


@contextmanager
def _new_folder(data: DataFolder) -> Iterator[Path]:
    """Holds a data folder without an arena, and yields a place in it for what is not finished."""
    created = not data.path.exists()
    if not created and (data.has_store() or any(data.path.iterdir())):
        what = "has an arena" if data.has_store() else "is not empty"
        raise ArenaError(
            Kind.WRONG_INPUT, f"The folder {data.path} {what}: name a new one with --data.", "data"
        )
    with data.hold():
        staging = data.path / STAGING
        try:
            staging.mkdir(0o700)
            yield staging
        except BaseException as error:
            data.lock.unlink(missing_ok=True)
            if isinstance(error, OSError) and is_full(error):
                raise full_disk(data.path) from None
            raise
        finally:
            try_to_remove(staging)
            if created and not any(data.path.iterdir()):
                data.path.rmdir()


def _unpack(backup: Path, staging: Path) -> None:
    try:
        if backup.is_dir():
            shutil.copytree(backup, staging, symlinks=True, dirs_exist_ok=True)
        else:
            with tarfile.open(backup, "r:") as archive:
                _extract(archive, staging)
    except (tarfile.TarError, EOFError) as error:
        raise _Unusable(f"it is no whole archive ({error})") from None


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    """Writes the files and links of an archive into an empty folder, and nothing outside it.
    (`extractall(filter="data")` does the same, but Python has it only since 3.11.4.)"""
    # Links last, and the deepest first: so nothing is written through one.
    for member in sorted(archive, key=lambda one: (one.issym(), -one.name.count("/"))):
        name = PurePosixPath(member.name)
        if name.is_absolute() or ".." in name.parts:
            raise _Unusable(f"its member {member.name!r} leads out of it")
        content = archive.extractfile(member) if member.isreg() else None
        if not content and not member.issym():
            raise _Unusable(f"its member {member.name!r} is neither a file nor a link")
        place = folder / name
        try:
            place.parent.mkdir(0o700, parents=True, exist_ok=True)
            if not content:
                place.symlink_to(member.linkname)
            else:
                with place.open("xb") as file:
                    shutil.copyfileobj(content, file)
        except (FileExistsError, NotADirectoryError):
            raise _Unusable(f"its member {member.name!r} is where another one is") from None


def _whole(folder: Path) -> Manifest:
    """Returns the manifest of a backup whose files are those that it lists. Raises _Unusable."""
    manifest = _manifest(folder)
    found = {path.relative_to(folder).as_posix() for path in files_below(folder)} - {MANIFEST}
    for name in sorted(found ^ manifest.files.keys()):
        what = "an additional file" if name in found else "no file"
        raise _Unusable(f"it has {what} {name}")
    for name, listed in manifest.files.items():
        path = folder / name
        if listed.mode >= 0 and not path.is_symlink():
            path.chmod(listed.mode)
        if described(path) != listed:
            raise _Unusable(f"its file {name} was changed")
    _check_links({name: folder / name for name in found if (folder / name).is_symlink()})
    return manifest


def _check_links(links: dict[str, Path]) -> None:
    """Raises _Unusable for a link that leads out of the backup."""
    try:
        for name in leading_out({name: os.fspath(link.readlink()) for name, link in links.items()}):
            raise _Unusable(f"its link {name} leads out of it")
    except ContentError:
        raise _Unusable("it has too many links to links") from None


def _manifest(folder: Path) -> Manifest:
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise _Unusable(f"it has no {MANIFEST}, so it was cut short or is no backup") from None
    except ValueError:
        raise _Unusable(f"its {MANIFEST} is damaged") from None
    if manifest.sealed() != manifest:
        raise _Unusable(f"its {MANIFEST} was changed")
    ours = revisions()[-1]
    if manifest.format != FORMAT or manifest.tables != ours:
        raise _Unusable(
            f"version {manifest.arena} of the arena made it (tables {manifest.tables}), and this is"
            f" another (tables {ours}); restore it with that version, then run `arena upgrade`"
        )
    return manifest


def _true(data: DataFolder, files: int) -> Restored:
    """Proves that ratings follow from results, and results from records. Raises _Unusable."""
    try:
        check_store(data.path)
    except ArenaError:
        raise _Unusable("its store is damaged") from None
    with closing(open_store(data.path, "write")) as store:
        return Restored(
            files=files,
            versions=_check_versions(store, data),
            ladders=_check_ratings(store),
            records=_check_records(store),
        )


def _check_versions(store: Store, data: DataFolder) -> int:
    with store.reading() as session:
        versions = versions_with_files(session)
    for digest, name in versions.items():
        if not any(place.exists() for place in data.places(digest)):
            raise _Unusable(f"it has no files of {name}")
    return len(versions)


def _check_ratings(store: Store) -> int:
    with store.reading() as session:
        names = [ladder.name for ladder in ladders(session)]
    for name in names:
        if rebuild(store, name):
            raise _Unusable(f"the ratings of the ladder {name} do not follow from its matches")
    return len(names)


def _check_records(store: Store) -> int:
    with store.reading() as session:
        matches = session.scalars(sa.select(Record.match)).all()
        logs = session.scalars(sa.select(PrivateLog.match)).all()
    for match in matches:
        try:
            _check_record(store, match)
        except BadRecord as bad:
            raise _Unusable(f"the record of match {match} is wrong: {bad}") from None
    for match in logs:
        try:
            with store.reading() as session:
                private_log_text(session, match)
        except DamagedText as damage:
            raise _Unusable(f"the private log of match {match} is damaged: {damage}") from None
    return len(matches)


def _check_record(store: Store, match: str) -> None:
    with store.reading() as session:
        record = read(record_text(session, match))
        verdict = verify_record(record)
        if not verdict.ok:
            raise BadRecord(verdict.field, verdict.sentence)
        check_rows(session, match, record, verdict.thinking)
