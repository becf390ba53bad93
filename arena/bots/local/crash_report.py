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
BEGIN_OF_FRAMES = "Traceback "
# A place in a program, and the frames of what comes with its language.
PLACE = re.compile(r"[\w./$-]+\.\w+:\d+")
HAS_PLACE = re.compile(r"\w\.\w{1,10}:\d")  # quicker
LIBRARY = re.compile(
    r"/lib/python3|/site-packages/|<frozen |\bnode:|/node_modules/|/usr/|/opt/|/rustc/|/go/pkg/"
    r"|\bat (?:java|javax|jdk|sun|io\.grpc|io\.netty|com\.google)\."
)
# Differences between faults of one cause: names of matches, addresses and values, but not line
# numbers.
CHANGING = re.compile(r"\b(?:0x)?[0-9a-f]{8,}(?:-\d+)?\b|(?<!line )(?<![:\d])\d[\d,.]*(?!\w)")
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


def cause_of(text: str) -> str:
    """Returns the type of the last error in an excerpt, and the place in the program's own files at
    which it arose; empty if there is none. It is the same whatever else the program prints."""
    printed = [line for line in text.splitlines() if line.strip()]
    errors = [i for i in range(len(printed)) if _is_error(printed, i)]
    if not errors:
        return ""
    error = errors[-1]
    own = _own_frame(printed, error)
    place = printed[own].strip() if own is not None else ""
    if not place.startswith(PYTHON_FRAME.strip()):
        found = PLACE.search(printed[error]) or PLACE.search(place)
        place = found[0] if found else ""
    return f"{printed[error].partition(':')[0]} {place}".strip()


def cause_of_fault(sentence: str, words: str) -> str:
    """Returns what faults of one kind have in common if they have one cause: the error in the bot's
    words, or else the arena's sentence without what differs from match to match."""
    return cause_of(words) or CHANGING.sub("#", sentence)


def _by_importance(printed: Sequence[str]) -> Iterator[int]:
    """Yields the numbers of all lines."""
    errors = [i for i in range(len(printed)) if _is_error(printed, i)][-ERRORS:]
    for i in reversed(errors):
        yield i
        if (own := _own_frame(printed, i)) is not None:
            yield own
            if printed[own].startswith(PYTHON_FRAME):
                yield min(own + 1, i)  # the line itself
        yield from _frames(printed, i)
    yield from reversed(range(len(printed)))


def _is_error(printed: Sequence[str], i: int) -> bool:
    """Returns whether a line names an error; in Python, whatever follows the frames does."""
    line = printed[i]
    is_last = not line.startswith(" ") and printed[i - 1].startswith(" ")
    return ERROR.match(line) is not None or (is_last and _is_python(printed, i))


def _is_python(printed: Sequence[str], error: int) -> bool:
    return any(line.startswith(PYTHON_FRAME) for line in printed[max(0, error - 3) : error])


def _own_frame(printed: Sequence[str], error: int) -> int | None:
    """Returns the frame of the program's own files that is closest to an error."""
    if _is_python(printed, error):
        for i in range(error - 1, -1, -1):
            if printed[i].startswith(BEGIN_OF_FRAMES):
                break
            if printed[i].startswith(PYTHON_FRAME) and not LIBRARY.search(printed[i]):
                return i
        return None
    after = range(error + 1, len(printed))
    return next((i for i in after if _is_own_place(printed[i])), None)


def _is_own_place(line: str) -> bool:
    return HAS_PLACE.search(line) is not None and LIBRARY.search(line) is None


def _frames(printed: Sequence[str], error: int) -> Iterator[int]:
    """Yields the lines of the frames that are closest to an error, the closest first."""
    if _is_python(printed, error):
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
