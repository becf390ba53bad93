"""Compresses long texts for the store."""

from __future__ import annotations

import zstandard

SIZE_LIMIT_BYTES = 64 * 1024 * 1024  # of a text; the reader of a record bounds it further


class DamagedText(ValueError):
    """The stored bytes are no longer what was packed. Its text says how that was noticed."""


def packed(text: str) -> bytes:
    """Returns the text, compressed."""
    return zstandard.compress(text.encode())


def unpacked(body: bytes) -> str:
    """Returns the text that was packed. Raises DamagedText."""
    try:
        if zstandard.frame_content_size(body) > SIZE_LIMIT_BYTES:
            raise DamagedText(f"it claims more than {SIZE_LIMIT_BYTES} bytes")
        return zstandard.decompress(body).decode()
    except (zstandard.ZstdError, UnicodeDecodeError) as error:
        raise DamagedText(str(error)) from None
