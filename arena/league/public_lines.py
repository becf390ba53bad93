"""Public files: a document in the first line, then records, one a line; compressed if the file's
name ends in `.gz`."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Literal

DOCUMENT_CHARACTERS = 256 * 1024 * 1024
RECORD_CHARACTERS = 16 * 1024 * 1024


class BadFile(ValueError):
    """The file is not what it should be. Its text says why."""


def write_lines(path: Path, document: str, records: Iterable[str]) -> int:
    """Writes a document and records. Returns the number of records. Raises OSError."""
    count = 0
    with _opened(path, "wt") as file:
        file.write(f"{document}\n")
        for record in records:
            file.write(f"{record}\n")
            count += 1
    return count


def read_lines(path: Path) -> tuple[str, Iterator[str]]:
    """Returns the document, and the records one after the other. Raises BadFile and OSError."""
    lines = _lines(path)
    try:
        return next(lines), lines
    except StopIteration:
        raise BadFile(f"{path} is empty. Export it again.") from None


def _lines(path: Path) -> Iterator[str]:
    try:
        with _opened(path, "rt") as file:
            limit = DOCUMENT_CHARACTERS
            while line := file.readline(limit + 1):
                if len(line) > limit:
                    raise BadFile(f"A line of {path} is longer than {limit:,} characters.")
                yield line.rstrip("\n")
                limit = RECORD_CHARACTERS
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise BadFile(f"{path} cannot be read as text ({error}).") from None


def _opened(path: Path, mode: Literal["rt", "wt"]) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, mode, encoding="utf-8")
    return path.open(mode, encoding="utf-8")
