"""One frame of a document, whole: for pages without JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Frame:
    """A moment of a document.

    `index`: its place among the frames.
    `entry`: the part of the document for this place.
    `zones`: by zone's place in the document, its cards and the number of hidden ones.
    `facts`: by name, as the rules have them.
    `said`: by name, as people are shown them.
    """

    index: int
    entry: Mapping[str, Any]
    zones: Mapping[int, tuple[list[str], int]]
    facts: Mapping[str, Any]
    said: Mapping[str, Any]


def frame_at(document: Mapping[str, Any], index: int) -> Frame:
    """Returns the frame at a place, from 0."""
    zones: dict[str, Any] = {}
    facts: dict[str, Any] = {}
    said: dict[str, Any] = {}
    for entry in document["frames"][: index + 1]:
        zones |= entry["zones"]
        facts |= entry["facts"]
        said |= entry["said"]
    shown = {int(i): (zone[0].split(), zone[1]) for i, zone in zones.items() if zone is not None}
    return Frame(
        index=index,
        entry=document["frames"][index],
        zones=dict(sorted(shown.items())),
        facts={name: value for name, value in sorted(facts.items()) if value is not None},
        said={name: said[name] for name in document["facts"] if said.get(name) is not None},
    )


def place_of(document: Mapping[str, Any], decision: int) -> int | None:
    """Returns the place of the first frame at or after a decision of the match, counted from 1; one
    more than there are is the end; None beyond it."""
    if not 1 <= decision <= document["decisions"] + 1:
        return None
    frames = document["frames"]
    for place, frame in enumerate(frames[:-1]):
        if frame["decision"] >= decision:
            return place
    return len(frames) - 1


def decision_of(document: Mapping[str, Any], seat: int, own: int) -> int:
    """Returns the decision of the match, counted from 1, that is a seat's own of that number; the
    end if it has no such one."""
    found = (
        frame["decision"]
        for frame in document["frames"][:-1]
        if (frame["seat"], frame["number"]) == (seat, own)
    )
    decision: int = next(found, document["decisions"] + 1)
    return decision
