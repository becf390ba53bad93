"""Reads the content of an untrusted gzip file, in bounded memory and in time bounded by its size.

The standard library's `gzip` reads headers and padding byte by byte, and goes on with as many
further files as follow the first: 100 MB of them take it a minute.
"""

from __future__ import annotations

import zlib
from typing import IO

PIECE_BYTES = 16 * 1024
GZIP = 16 + zlib.MAX_WBITS


class BadGzip(ValueError):
    """The file cannot be read. Its text is the end of a sentence."""


class GzipStream:
    """The content of a gzip file, read once, forwards. Nothing may follow its end."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._inflate = zlib.decompressobj(GZIP)

    def read(self, size: int) -> bytes:
        """Returns the next `size` bytes, or those that are left. Raises BadGzip and OSError."""
        content = bytearray()
        while len(content) < size and not self._inflate.eof:
            content += self._some(size - len(content))
        if self._inflate.eof and (self._inflate.unused_data or self._file.read(1)):
            raise BadGzip("something follows the end of the compressed data")
        return bytes(content)

    def _some(self, most: int) -> bytes:
        raw = self._inflate.unconsumed_tail or self._file.read(PIECE_BYTES)
        try:
            some = self._inflate.decompress(raw, most)
        except zlib.error as problem:
            raise BadGzip(f"it is not compressed by gzip, or damaged ({problem})") from None
        if not (raw or some or self._inflate.eof):
            raise BadGzip("the file ends too early")
        return some
