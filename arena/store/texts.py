"""Long texts as the store keeps them: compressed."""

from __future__ import annotations

import zstandard


def packed(text: str) -> bytes:
    """The text, compressed."""
    return zstandard.compress(text.encode())


def unpacked(body: bytes) -> str:
    """The text that was packed."""
    return zstandard.decompress(body).decode()
