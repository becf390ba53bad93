"""The test vectors in docs/deals.md."""

from __future__ import annotations

from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "deals.md"


def vectors() -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the document's blocks: a seed, then each request and its result, line by line."""
    found = []
    for part in DOCUMENT.read_text(encoding="utf-8").split("```vectors\n")[1:]:
        seed, *lines = part.partition("```")[0].splitlines()
        found.append((seed, [(line.split(" = ")[0], line.partition(" = ")[2]) for line in lines]))
    return found
