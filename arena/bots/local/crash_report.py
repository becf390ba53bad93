"""Finds the report of a crash in what a program has printed, whatever language it is written in.

Python prints the error last, the others print it first: a cut that keeps only the end, or only the
beginning, loses the line that matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# The words that begin a report, or its line with the error.
MARKS = (
    b"Traceback (most recent call last):",
    b"panic: ",
    b"fatal error: ",
    b"Exception in thread ",
    b"panicked at ",
    b"terminate called ",
    b"Uncaught ",
)
ERROR = re.compile(
    r"panic: |fatal error: |Exception in thread |Caused by: |thread '.*panicked at |Uncaught "
    r"|terminate called |[\w.$:]*(?:Error|Exception|Exit|Interrupt)\b(?: \[\w+\])?(?::|$)"
)
PYTHON_FRAME = '  File "'
ERRORS = 3  # of a chain: the last one, and its causes
FRAMES_LINES = 8  # of each
LINE_CHARACTERS = 240


def begin_of_report(printed: bytes | bytearray, before: int) -> int:
    """Returns where the last report begins that begins before that position; -1 if none does."""
    longest = max(map(len, MARKS))
    return max(
        found if (found := printed.rfind(mark, 0, before + longest)) < before else -1
        for mark in MARKS
    )


def excerpt(text: str, lines: int, size: int) -> str:
    """Returns the lines that matter: the last errors, the frames closest to them, and the last
    lines, as far as there is room: `lines` lines, and `size` bytes of UTF-8. `[…]` stands for what
    is left out."""
    printed = [_cut(line) for line in text.strip().splitlines() if line.strip()]
    chosen: set[int] = set()
    room = size
    for i in _by_importance(printed):
        length = len(printed[i].encode()) + 1
        if len(chosen) == lines or length > room:
            break
        if i not in chosen:
            chosen.add(i)
            room -= length
    return "\n".join(_with_gaps(printed, sorted(chosen)))


def _by_importance(printed: Sequence[str]) -> Iterator[int]:
    """Yields the numbers of all lines."""
    errors = [i for i, line in enumerate(printed) if ERROR.match(line)][-ERRORS:]
    for i in reversed(errors):
        yield i
        yield from _frames(printed, i)
    yield from reversed(range(len(printed)))


def _frames(printed: Sequence[str], error: int) -> Iterator[int]:
    """Yields the lines of the frames that are closest to an error, the closest first."""
    if any(line.startswith(PYTHON_FRAME) for line in printed[max(0, error - 3) : error]):
        yield from range(error + 1, min(error + 2, len(printed)))  # a note, or the next line
        yield from reversed(range(max(0, error - FRAMES_LINES), error))
    else:
        yield from range(error + 1, min(error + 1 + FRAMES_LINES, len(printed)))


def _with_gaps(printed: Sequence[str], chosen: Sequence[int]) -> Iterator[str]:
    for before, i in zip([-1, *chosen], chosen, strict=False):
        if i != before + 1 and before >= 0:
            yield "[…]"
        yield printed[i]


def _cut(line: str) -> str:
    return line if len(line) <= LINE_CHARACTERS else f"{line[: LINE_CHARACTERS - 1]}…"
