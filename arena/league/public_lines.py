"""Public files: a document in the first line, then records, one a line; compressed if the file's
name ends in `.gz`."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from arena.errors import ArenaError, Kind

DOCUMENT_CHARACTERS = 256 * 1024 * 1024
RECORD_CHARACTERS = 16 * 1024 * 1024


def bad_file(sentence: str) -> ArenaError:
    """Returns the failure of a file that is not what it should be."""
    return ArenaError(Kind.WRONG_INPUT, sentence, "file")


@contextmanager
def usable(path: Path, done: str) -> Iterator[None]:
    """Explains why a file cannot be used. `done`: such as "written". Raises ArenaError."""
    try:
        yield
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise bad_file(f"{path} cannot be {done} as text ({error}).") from None
    except OSError as error:
        raise bad_file(f"{path} cannot be {done}: {error.strerror}.") from None


def write_lines(path: Path, document: str, records: Iterable[str]) -> int:
    """Writes a document and records. Returns the number of records. Raises ArenaError."""
    count = 0
    with usable(path, "written"), _opened(path, "wt") as file:
        file.write(f"{document}\n")
        for record in records:
            file.write(f"{record}\n")
            count += 1
    return count


def read_lines(path: Path) -> tuple[str, Iterator[str]]:
    """Returns the document, and the records one after the other. Raises ArenaError."""
    lines = _lines(path)
    try:
        return next(lines), lines
    except StopIteration:
        raise bad_file(f"{path} is empty. Export it again.") from None


def _lines(path: Path) -> Iterator[str]:
    with usable(path, "read"), _opened(path, "rt") as file:
        limit = DOCUMENT_CHARACTERS
        while line := file.readline(limit + 1):
            if len(line) > limit:
                raise bad_file(f"A line of {path} is longer than {limit:,} characters.")
            yield line.rstrip("\n")
            limit = RECORD_CHARACTERS


def _opened(path: Path, mode: Literal["rt", "wt"]) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, mode, encoding="utf-8")
    return path.open(mode, encoding="utf-8")
