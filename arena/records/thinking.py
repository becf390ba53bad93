"""Thinking times of bots: the times charged for their decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Thinking:
    """The times of the decisions that a seat's bot made itself.

    `counts`: the number of decisions by bucket; see `bucket_of`. The last is not 0.
    `total_ms`, `slowest_ms`: the sum of the times and the longest one; 0 without decisions.
    """

    counts: tuple[int, ...] = ()
    total_ms: int = 0
    slowest_ms: int = 0

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return sum(self.counts)


def bucket_of(milliseconds: int) -> int:
    """Returns the bucket of a time: 0 for less than 1 ms, 1 for 1 ms, 2 for 2 and 3 ms, 3 for 4 to
    7 ms, and so on: each is twice as wide as the one before it."""
    return milliseconds.bit_length()


def bounds_of(bucket: int) -> tuple[int, int]:
    """Returns the shortest and the longest time in a bucket, in milliseconds."""
    return (0, 0) if bucket == 0 else (1 << bucket - 1, (1 << bucket) - 1)


def thinking(times: Iterable[int]) -> Thinking:
    """Sums up the times of decisions, in milliseconds."""
    found: Sequence[int] = list(times)
    counts = [0] * (bucket_of(max(found, default=0)) + 1) if found else []
    for milliseconds in found:
        counts[bucket_of(milliseconds)] += 1
    return Thinking(tuple(counts), sum(found), max(found, default=0))
