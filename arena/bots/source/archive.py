"""A bot as one file to send: packs it as a tar.gz, and unpacks one or a zip archive
without trusting its sender."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from gzip import GzipFile
from pathlib import Path, PurePosixPath
from typing import IO, Protocol, cast

from arena.bots.source.files import BYTES_LIMIT, FILES_LIMIT, IGNORED, Entry
from arena.bots.source.gzip_stream import BadGzip, GzipStream
from arena.bots.source.tar_stream import BLOCK_BYTES, BadTar, Member, TarStream
from arena.bots.source.tree import (
    DEPTH_LIMIT,
    ENTRIES_LIMIT,
    NAME_LIMIT_BYTES,
    ContentError,
    leading_out,
    open_file,
)
from arena.bots.source.zip_archive import SIGNATURES, BadZip, ZipArchive

PACKED_LIMIT_BYTES = 100 * 1024 * 1024  # of a submission; the files that a build left may be larger
COMPRESSION = 6  # three times as fast as the maximum, for a few percent more bytes
# All files, and for each the usual two blocks of headers and padding.
UNPACKED_LIMIT_BYTES = BYTES_LIMIT + FILES_LIMIT * 2 * BLOCK_BYTES
TARGET_LIMIT_BYTES = 1024  # of a link
PART_LIMIT_BYTES = 255  # between the slashes of a name, as in file systems
SET_ID = 0o6000


class ArchiveError(ValueError):
    """An archive cannot be packed or unpacked. Its text is a sentence, which names the member if it
    is about one."""


class Archive(Protocol):
    """A TarStream or a ZipArchive."""

    position: int

    def members(self) -> Iterator[Member]: ...

    def content(self) -> Iterator[bytes]: ...


def pack(entries: Sequence[Entry], file: IO[bytes]) -> None:
    """Writes a bot's files as an archive. The same files always give the same archive."""
    with (
        GzipFile(
            filename="", mode="wb", compresslevel=COMPRESSION, fileobj=file, mtime=0
        ) as packed,
        tarfile.open(
            fileobj=cast("IO[bytes]", packed), mode="w", format=tarfile.PAX_FORMAT
        ) as archive,
    ):
        for entry in entries:
            _add(archive, entry)


def pack_to_submit(entries: Sequence[Entry], file: IO[bytes]) -> None:
    """Packs a submission. Raises ArchiveError if the archive is too large to send."""
    pack(entries, file)
    if file.tell() > PACKED_LIMIT_BYTES:
        raise ArchiveError(
            f"The packed bot has {file.tell() >> 20} MiB; at most {PACKED_LIMIT_BYTES >> 20} can be"
            " sent. Leave out what it does not need to run."
        )


def unpack(file: IO[bytes], folder: Path) -> set[str]:
    """Unpacks an untrusted tar.gz or zip archive into an empty folder. Raises ArchiveError. Returns
    the paths of the folders in IGNORED, which it leaves out.

    Writes nothing outside the folder, nothing that is never part of a bot, and no more than a bot
    may have. Only a little of it is in memory at any time.
    """
    is_zip = file.read(len(SIGNATURES[0])) in SIGNATURES
    file.seek(0)
    if is_zip:
        return _unpack(ZipArchive(file), folder, "zip archive")
    return _unpack(TarStream(GzipStream(file), UNPACKED_LIMIT_BYTES), folder, "tar.gz")


def unpack_tar(stream: IO[bytes], folder: Path) -> None:
    """Unpacks a tar archive that is not compressed and is read forwards only, as `unpack` does."""
    _unpack(TarStream(stream, UNPACKED_LIMIT_BYTES), folder, "tar archive")


def _unpack(archive: Archive, folder: Path, format: str) -> set[str]:
    count = 0
    links: dict[PurePosixPath, Member] = {}
    folders: set[PurePosixPath] = set()
    left_out: set[str] = set()
    before = "the beginning"
    try:
        for member in archive.members():
            before = repr(member.name)
            count += 1
            if count > FILES_LIMIT:
                raise ArchiveError(f"The archive has more than {FILES_LIMIT:,} members.")
            name = _checked(member, archive.position)
            folders.update(name.parents)
            if count + len(folders) > ENTRIES_LIMIT:
                most = f"{ENTRIES_LIMIT:,} files and folders"
                raise ArchiveError(f"The archive has more than {most}.")
            if ignored := _ignored(name):
                left_out.add(ignored)
                continue
            if member.kind == tarfile.SYMTYPE:
                if links.setdefault(name, member) is not member:
                    raise _twice(member)
            elif member.kind == tarfile.DIRTYPE:
                _make_folder(folder / name, member)
            else:
                _write(folder / name, member, archive)
    except (BadTar, BadGzip, BadZip, OSError) as problem:
        raise _failure(before, problem, format) from None
    # Links come last: so nothing is written through one, and where one leads depends on the others.
    for name, member in links.items():
        _link(folder / name, member, folder)
    _check_links(links)
    return left_out


def _ignored(name: PurePosixPath) -> str:
    """Returns the path of the outermost ignored folder that a member is in; empty if there is
    none."""
    for depth, part in enumerate(name.parts, 1):
        if part in IGNORED:
            return "/".join(name.parts[:depth])
    return ""


def _add(archive: tarfile.TarFile, entry: Entry) -> None:
    member = tarfile.TarInfo(entry.name)
    if entry.kind == "link":
        member.type, member.linkname = tarfile.SYMTYPE, str(entry.path.readlink())
        archive.addfile(member)
        return
    member.mode = 0o755 if entry.kind == "executable" else 0o644
    with open_file(entry.path) as content:
        member.size = os.fstat(content.fileno()).st_size
        archive.addfile(member, content)


def _checked(member: Member, position: int) -> PurePosixPath:
    """Returns a member's path below the folder. Raises ArchiveError if it must not be there."""
    if problem := _problem(member, position):
        raise ArchiveError(f"The archive's member {member.name[:NAME_LIMIT_BYTES]!r} {problem}.")
    return PurePosixPath(member.name)


def _problem(member: Member, position: int) -> str | None:
    """Returns the fault of a member, as the rest of a sentence after its name, or None."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        return "leads out of the bot's folder"
    if "\0" in member.name or "\0" in member.target:
        return "has a name that no file can have"
    longest = max((len(os.fsencode(part)) for part in name.parts), default=0)
    if len(os.fsencode(member.name)) > NAME_LIMIT_BYTES or longest > PART_LIMIT_BYTES:
        return f"has a name longer than {NAME_LIMIT_BYTES} bytes, or {PART_LIMIT_BYTES} in a part"
    if len(name.parts) > DEPTH_LIMIT:
        return f"is nested more than {DEPTH_LIMIT} folders deep"
    if len(os.fsencode(member.target)) > TARGET_LIMIT_BYTES:
        return f"is a link to a path longer than {TARGET_LIMIT_BYTES:,} bytes"
    if member.kind == tarfile.LNKTYPE:
        return f"is a hard link to {member.target!r}; pack a copy instead (tar --hard-dereference)"
    if member.kind not in (*tarfile.REGULAR_TYPES, tarfile.DIRTYPE, tarfile.SYMTYPE):
        return "is neither a file nor a folder nor a link"
    if member.mode & SET_ID and member.kind != tarfile.DIRTYPE:
        return "would run as another user (setuid or setgid); remove that permission"
    if position + member.size > UNPACKED_LIMIT_BYTES:
        return (
            f"makes the bot larger than {BYTES_LIMIT >> 20} MiB unpacked; leave out what it does"
            " not need to run"
        )
    return None


def _make_folder(place: Path, member: Member) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise _twice(member) from None


def _write(place: Path, member: Member, archive: Archive) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("xb")
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise _twice(member) from None
    with file:
        for piece in archive.content():
            file.write(piece)
    place.chmod(0o755 if member.mode & 0o100 else 0o644)


def _link(place: Path, member: Member, folder: Path) -> None:
    above = place.relative_to(folder).parents
    try:
        if any((folder / parent).is_symlink() for parent in above):
            raise _twice(member)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(member.target)
    except OSError:  # it exists, or its folder is a file
        raise _twice(member) from None


def _check_links(links: Mapping[PurePosixPath, Member]) -> None:
    """Raises ArchiveError for a link that leads out."""
    members = {str(name): member for name, member in links.items()}
    try:
        for name in leading_out({name: member.target for name, member in members.items()}):
            raise ArchiveError(
                f"The archive's member {name!r} is a link to {members[name].target!r}, which leads"
                " out of the bot's folder; put a copy there instead."
            )
    except ContentError as mistake:
        raise ArchiveError(str(mistake)) from None


def _twice(member: Member) -> ArchiveError:
    return ArchiveError(
        f"The archive's member {member.name!r} cannot be unpacked where another one is."
    )


def _failure(before: str, problem: Exception, format: str) -> Exception:
    """Returns the error to raise for a failure of the stream. The sender is not to blame for a
    full disk."""
    if isinstance(problem, OSError) and problem.errno is not None:
        return problem
    return ArchiveError(f"The archive is not a readable {format}: after {before}, {problem}.")
