"""Marks on the slider: where deals begin and tricks end, faults, and long thoughts."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from sevens_games import Layout

MOST_LONG = 12
TIMES_THE_MEDIAN = 4
LEAST_MS = 20
"""Below this, a difference is the machine's and not a thought."""


def marks_of(frames: Sequence[dict[str, Any]], layout: Layout) -> dict[str, list[int]]:
    """Returns the places of frames by kind of mark."""
    verbs = [{event["verb"] for event in frame["events"]} for frame in frames]
    return {
        "deals": [i for i, said in enumerate(verbs) if layout.deal in said],
        "tricks": [i for i, said in enumerate(verbs) if said & {*layout.trick_ends}],
        "faults": _faults(frames),
        "long": _long_thoughts(frames),
    }


def _faults(frames: Sequence[dict[str, Any]]) -> list[int]:
    """Returns where each seat that was at fault was first played by the arena."""
    first: dict[int, int] = {}
    for i, frame in enumerate(frames):
        if frame.get("chosen_by") == "at fault":
            first.setdefault(frame["seat"], i)
    return list(first.values())


def _long_thoughts(frames: Sequence[dict[str, Any]]) -> list[int]:
    """Returns the longest decisions, if they took several times the median."""
    times = {
        i: frame["milliseconds"]
        for i, frame in enumerate(frames)
        if frame.get("chosen_by") == "bot"
    }
    if not times:
        return []
    least = max(LEAST_MS, TIMES_THE_MEDIAN * median(times.values()))
    long = [i for i, time in times.items() if time >= least]
    return sorted(sorted(long, key=lambda i: -times[i])[:MOST_LONG])
