"""Reads an untrusted tar archive member by member, in bounded memory.

It uses the standard library's `tarfile` only to parse single headers. The rest of that module reads
headers of any length, keeps all of them, and takes garbage in the middle for the end.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

BLOCK_BYTES = tarfile.BLOCKSIZE
PIECE_BYTES = 64 * 1024
# Long names and other extensions precede their member, in headers of their own.
EXTENSIONS_LIMIT = 4
EXTENSION_LIMIT_BYTES = 16 * 1024
IGNORED = (tarfile.XGLTYPE,)  # extensions for the whole archive
EXTENSIONS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
LONG_NAMES = {tarfile.GNUTYPE_LONGNAME: "path", tarfile.GNUTYPE_LONGLINK: "linkpath"}
PAX_RECORD = re.compile(rb"(\d{1,5}) ([^=\n]{1,256})=")


class BadTar(ValueError):
    """The archive cannot be read. Its text is the end of a sentence."""


class Readable(Protocol):
    """Bytes that are read once, forwards. `read` returns fewer than it was asked for only at the
    end."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Member:
    """One member, as described by its header.

    `kind`: tarfile's letter for its type.
    `size`: the number of bytes of its content.
    `target`: the target of a link.
    """

    name: str
    kind: bytes
    mode: int
    size: int
    target: str


class TarStream:
    """A tar archive that is read once, forwards. `position`: the number of bytes read; never more
    than `limit`."""

    def __init__(self, stream: Readable, limit: int) -> None:
        self.position = 0
        self._stream = stream
        self._limit = limit
        self._content_left = 0
        self._padding = 0

    def members(self) -> Iterator[Member]:
        """Yields the members. Content that the caller has not read by the next member is skipped.
        Raises BadTar, and the stream's own errors."""
        while (member := self._member()) is not None:
            self._content_left = member.size
            self._padding = -member.size % BLOCK_BYTES
            yield member
            for _ in self.content():
                pass
            self._take(self._padding)
        while self._some(PIECE_BYTES):  # to the end, where gzip has its checksum
            pass

    def content(self) -> Iterator[bytes]:
        """Yields the content of the member that `members` yielded last, piece by piece."""
        while self._content_left:
            piece = self._take(min(self._content_left, PIECE_BYTES))
            self._content_left -= len(piece)
            yield piece

    def _member(self) -> Member | None:
        """Returns the next member, from its header and the extensions before it; None at the
        end."""
        extra: dict[str, str] = {}
        for _ in range(EXTENSIONS_LIMIT + 1):
            header = self._header()
            if header is None:
                return None
            if header.type not in (*IGNORED, *EXTENSIONS, *LONG_NAMES):
                return _member(header, extra)
            extra |= self._extension(header)
        raise BadTar("a member has too many headers")

    def _header(self) -> tarfile.TarInfo | None:
        block = self._some(BLOCK_BYTES)
        if not block.strip(b"\0"):
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.TarError, ValueError) as problem:
            raise BadTar(f"there is no header where one should be ({problem})") from None
        if header.size < 0:
            raise BadTar(f"the size of {header.name!r} is negative")
        return header

    def _extension(self, header: tarfile.TarInfo) -> dict[str, str]:
        """Returns an extension of the next member, by the keys that pax has."""
        if header.size > EXTENSION_LIMIT_BYTES:
            raise BadTar(f"a header has more than {EXTENSION_LIMIT_BYTES >> 10} KiB")
        body = self._take(header.size)
        self._take(-header.size % BLOCK_BYTES)
        if header.type in IGNORED:
            return {}
        if header.type in LONG_NAMES:
            return {LONG_NAMES[header.type]: os.fsdecode(body.partition(b"\0")[0])}
        return _pax_records(body)

    def _take(self, size: int) -> bytes:
        """Returns the next `size` bytes."""
        taken = self._some(size)
        if len(taken) != size:
            raise BadTar("it ends in the middle of a member")
        return taken

    def _some(self, size: int) -> bytes:
        """Returns the next `size` bytes, or those that are left."""
        some = self._stream.read(size)
        self.position += len(some)
        if self.position > self._limit:
            raise BadTar(f"it is larger than {self._limit >> 20} MiB unpacked")
        return some


def _member(header: tarfile.TarInfo, extra: dict[str, str]) -> Member:
    name = extra.get("path", header.name)
    if header.type == tarfile.GNUTYPE_SPARSE or any(key.startswith("GNU.sparse") for key in extra):
        raise BadTar(f"{name!r} is packed as a sparse file; pack it without --sparse")
    size = extra.get("size", str(header.size))
    if not (size.isdecimal() and len(size) < 20):
        raise BadTar(f"the size of {name!r} is not a number")
    return Member(name, header.type, header.mode, int(size), extra.get("linkpath", header.linkname))


def _pax_records(body: bytes) -> dict[str, str]:
    """Parses records of the form `LENGTH KEY=VALUE` and a line end; the length counts all of
    that."""
    records = {}
    while body.strip(b"\0"):
        match = PAX_RECORD.match(body)
        if match is None or not match.end() < int(match[1]) <= len(body):
            raise BadTar("an extension header is malformed")
        record = body[match.end() : int(match[1]) - 1]
        records[os.fsdecode(match[2])] = os.fsdecode(record)
        body = body[int(match[1]) :]
    return records
