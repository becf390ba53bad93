"""Reads an untrusted zip archive member by member, in bounded memory and in time bounded by its
size.

The standard library's `zipfile` reads the whole directory into memory before anything can be
counted, and lets members overlap, so that a small archive unpacks to any size.
"""

from __future__ import annotations

import os
import stat
import struct
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from arena.bots.source.tar_stream import Member

# Of a file with members, and of one without.
SIGNATURES = LOCAL_SIGNATURE, END_SIGNATURE = (b"PK\x03\x04", b"PK\x05\x06")
ENTRY_SIGNATURE = b"PK\x01\x02"
LOCAL = struct.Struct("<4s22x2H")
ENTRY = struct.Struct("<4s6H3L3H4xLL")
END = struct.Struct("<4s6xH2LH")
COMMENT_LIMIT_BYTES = 0xFFFF
PIECE_BYTES = 64 * 1024
TARGET_LIMIT_BYTES = 1024  # of a link
STORED, DEFLATED = 0, 8
ENCRYPTED, UTF_8 = 1 << 0, 1 << 11
DOS, UNIX, MACOS = 0, 3, 19  # systems that packed it; the last two store permissions
KINDS = {0: tarfile.REGTYPE, stat.S_IFREG: tarfile.REGTYPE, stat.S_IFLNK: tarfile.SYMTYPE}


class BadZip(ValueError):
    """The archive cannot be read. Its text is the end of a sentence."""


@dataclass(frozen=True)
class _Packed:
    """A member as it is in the file. `offset`: of its local header; `packed`, `size`: the number of
    its bytes, compressed and not."""

    name: str
    offset: int
    method: int
    packed: int
    size: int
    checksum: int


class ZipArchive:
    """A zip archive in a file that can seek. It has the methods of a TarStream. `position`: the
    number of bytes of the members so far, unpacked."""

    def __init__(self, file: IO[bytes]) -> None:
        self.position = 0
        self._file = file
        self._current: _Packed | None = None

    def members(self) -> Iterator[Member]:
        """Yields the members, in the order of the directory. Raises BadZip and OSError."""
        count, place, end = self._directory()
        packed_left = end  # members that do not overlap have no more bytes than the file
        for _ in range(count):
            header = ENTRY.unpack(self._at(place, ENTRY.size))
            signature, made_by, _, flags, method, _, _, checksum, packed, size, *rest = header
            *lengths, mode, offset = rest
            name = _name(self._at(place + ENTRY.size, lengths[0]), flags, made_by >> 8)
            place += ENTRY.size + sum(lengths)
            packed_left -= packed
            if signature != ENTRY_SIGNATURE or place > end or packed_left < 0:
                raise BadZip("its directory does not describe what is in it")
            if flags & ENCRYPTED:
                raise BadZip(f"{name!r} is encrypted; pack it without a password")
            self._current = _Packed(name, offset, method, packed, size, checksum)
            yield self._member(self._current, mode >> 16 if made_by >> 8 in (UNIX, MACOS) else 0)
            self.position += size

    def content(self) -> Iterator[bytes]:
        """Yields the content of the member that `members` yielded last, piece by piece. Raises
        BadZip and OSError."""
        if self._current is None:
            return
        size, checksum = 0, 0
        for piece in self._inflated(self._current):
            size += len(piece)
            checksum = zlib.crc32(piece, checksum)
            if size > self._current.size:
                break
            yield piece
        if (size, checksum) != (self._current.size, self._current.checksum):
            raise BadZip(f"{self._current.name!r} is damaged")

    def _directory(self) -> tuple[int, int, int]:
        """Returns the number of members, and where the directory begins and ends."""
        length = self._file.seek(0, os.SEEK_END)
        start = max(length - COMMENT_LIMIT_BYTES - END.size, 0)
        tail = self._at(start, length - start)
        at = tail.rfind(END_SIGNATURE)
        while at >= 0:
            if len(tail) - at >= END.size:
                _, count, size, offset, comment = END.unpack_from(tail, at)
                if at + END.size + comment == len(tail):
                    if offset + size != start + at:  # also zip64, which no bot is large enough for
                        raise BadZip("its directory is not where its end says")
                    return count, offset, start + at
            at = tail.rfind(END_SIGNATURE, 0, at)
        raise BadZip("it has no end; was it sent whole?")

    def _member(self, packed: _Packed, mode: int) -> Member:
        kind = KINDS.get(stat.S_IFMT(mode), tarfile.FIFOTYPE)
        if packed.name.endswith("/") or stat.S_ISDIR(mode):
            kind = tarfile.DIRTYPE
        target = ""
        if kind == tarfile.SYMTYPE:
            if packed.size > TARGET_LIMIT_BYTES:
                raise BadZip(f"{packed.name!r} is a link to a path that is too long")
            target = os.fsdecode(b"".join(self.content()))
        return Member(packed.name, kind, stat.S_IMODE(mode), packed.size, target)

    def _inflated(self, member: _Packed) -> Iterator[bytes]:
        signature, *lengths = LOCAL.unpack(self._at(member.offset, LOCAL.size))
        if signature != LOCAL_SIGNATURE:
            raise BadZip(f"{member.name!r} is not where the directory says")
        place = member.offset + LOCAL.size + sum(lengths)
        pieces = self._pieces(place, member.packed)
        if member.method == STORED:
            return pieces
        if member.method == DEFLATED:
            return _inflate(pieces, member.name)
        raise BadZip(f"{member.name!r} is not compressed by deflate; pack it so")

    def _pieces(self, place: int, size: int) -> Iterator[bytes]:
        for begin in range(0, size, PIECE_BYTES):
            yield self._at(place + begin, min(PIECE_BYTES, size - begin))

    def _at(self, place: int, size: int) -> bytes:
        self._file.seek(place)
        found = self._file.read(size)
        if len(found) != size:
            raise BadZip("it ends in the middle of a member")
        return found


def _inflate(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for piece in pieces:
            yield inflate.decompress(piece, PIECE_BYTES)
            while inflate.unconsumed_tail:
                yield inflate.decompress(inflate.unconsumed_tail, PIECE_BYTES)
        while not inflate.eof and (rest := inflate.decompress(b"", PIECE_BYTES)):
            yield rest
    except zlib.error as problem:
        raise BadZip(f"{name!r} is damaged ({problem})") from None


def _name(raw: bytes, flags: int, system: int) -> str:
    """Returns the name of a member. Most programs write UTF-8 whether they flag it or not."""
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        name = os.fsdecode(raw) if flags & UTF_8 else raw.decode("cp437")
    return name.replace("\\", "/") if system == DOS else name
