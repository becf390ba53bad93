"""The members of a tar archive by a stranger, one after the other, in bounded memory.

Of the standard library's `tarfile` only the parser of a single header is used: the rest of it reads
headers of any length, keeps them all, and takes garbage in the middle for the end.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

BLOCK_BYTES = tarfile.BLOCKSIZE
PIECE_BYTES = 64 * 1024
# A member's long names and other particulars come as headers of their own, before it.
EXTENSIONS_LIMIT = 4
EXTENSION_LIMIT_BYTES = 16 * 1024
IGNORED = (tarfile.XGLTYPE,)  # remarks on the whole archive
EXTENSIONS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
LONG_NAMES = {tarfile.GNUTYPE_LONGNAME: "path", tarfile.GNUTYPE_LONGLINK: "linkpath"}
PAX_RECORD = re.compile(rb"(\d{1,5}) ([^=\n]{1,256})=")


class BadTape(ValueError):
    """What cannot be read. Its text is the end of a sentence."""


@dataclass(frozen=True)
class Member:
    """One member, as its header has it. `kind`: tarfile's letter for it. `size`: the bytes of its
    content. `target`: where a link leads."""

    name: str
    kind: bytes
    mode: int
    size: int
    target: str


class Tape:
    """A tar archive that runs forward only. `position`: how many bytes of it have gone by; it never
    goes beyond `limit`."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self.position = 0
        self._stream = stream
        self._limit = limit
        self._content_left = 0
        self._padding = 0

    def members(self) -> Iterator[Member]:
        """The members. The content of one must have been taken before the next is asked for.
        Raises BadTape, and what reading the stream raises."""
        while (member := self._member()) is not None:
            self._content_left = member.size
            self._padding = -member.size % BLOCK_BYTES
            yield member
            for _ in self.content():
                pass
            self._take(self._padding)
        while self._some(PIECE_BYTES):  # to the end: a checksum stands there
            pass

    def content(self) -> Iterator[bytes]:
        """The content of the member that `members` gave last, piece by piece."""
        while self._content_left:
            piece = self._take(min(self._content_left, PIECE_BYTES))
            self._content_left -= len(piece)
            yield piece

    def _member(self) -> Member | None:
        """The next member, from its header and those before it; None at the end."""
        extra: dict[str, str] = {}
        for _ in range(EXTENSIONS_LIMIT + 1):
            header = self._header()
            if header is None:
                return None
            if header.type not in (*IGNORED, *EXTENSIONS, *LONG_NAMES):
                return _member(header, extra)
            extra |= self._extension(header)
        raise BadTape("a member has too many headers")

    def _header(self) -> tarfile.TarInfo | None:
        block = self._some(BLOCK_BYTES)
        if not block.strip(b"\0"):
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.TarError, ValueError) as problem:
            raise BadTape(f"there is no header where one should be ({problem})") from None
        if header.size < 0:
            raise BadTape(f"the size of {header.name!r} is negative")
        return header

    def _extension(self, header: tarfile.TarInfo) -> dict[str, str]:
        """What a header tells of the member after it, by the names that pax has."""
        if header.size > EXTENSION_LIMIT_BYTES:
            raise BadTape(f"a header has more than {EXTENSION_LIMIT_BYTES >> 10} KiB")
        body = self._take(header.size)
        self._take(-header.size % BLOCK_BYTES)
        if header.type in IGNORED:
            return {}
        if header.type in LONG_NAMES:
            return {LONG_NAMES[header.type]: os.fsdecode(body.partition(b"\0")[0])}
        return _pax_records(body)

    def _take(self, size: int) -> bytes:
        """Exactly so many bytes."""
        taken = self._some(size)
        if len(taken) != size:
            raise BadTape("it ends in the middle of a member")
        return taken

    def _some(self, size: int) -> bytes:
        """So many bytes, or what is left."""
        some = self._stream.read(size)
        self.position += len(some)
        if self.position > self._limit:
            raise BadTape(f"it is larger than {self._limit >> 20} MiB unpacked")
        return some


def _member(header: tarfile.TarInfo, extra: dict[str, str]) -> Member:
    name = extra.get("path", header.name)
    if header.type == tarfile.GNUTYPE_SPARSE or any(key.startswith("GNU.sparse") for key in extra):
        raise BadTape(f"{name!r} is packed as a sparse file; pack it without --sparse")
    size = extra.get("size", str(header.size))
    if not (size.isdecimal() and len(size) < 20):
        raise BadTape(f"the size of {name!r} is no number")
    return Member(name, header.type, header.mode, int(size), extra.get("linkpath", header.linkname))


def _pax_records(body: bytes) -> dict[str, str]:
    """`LENGTH KEY=VALUE` and a line end, again and again; the length counts all of it."""
    records = {}
    while body.strip(b"\0"):
        match = PAX_RECORD.match(body)
        if match is None or not match.end() < int(match[1]) <= len(body):
            raise BadTape("a header of it makes no sense")
        record = body[match.end() : int(match[1]) - 1]
        records[os.fsdecode(match[2])] = os.fsdecode(record)
        body = body[int(match[1]) :]
    return records
