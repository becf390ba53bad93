"""The condition of a running arena, part by part."""

from __future__ import annotations

from enum import StrEnum

from arena.views.view import View

AT_THE_DOOR = "/condition"
"""The path at which the door of a data folder answers for the parts that its arena sees itself."""
METRICS = "/metrics"
"""The same for metrics in the form of Prometheus, and the path of the pages."""


class PartName(StrEnum):
    """The parts of an arena. `league`: its scheduler and recorder."""

    STORE = "store"
    DISK = "disk"
    LEAGUE = "league"
    QUEUE = "queue"
    WORKERS = "workers"


class Part(View):
    """The state of a part. `sentence`: a description, or what is wrong."""

    part: PartName
    ok: bool
    sentence: str


class Condition(View):
    """The condition of an arena. `ready`: whether all these parts work."""

    ready: bool
    parts: tuple[Part, ...]


def condition_of(parts: tuple[Part, ...]) -> Condition:
    """Returns the condition of an arena with these parts."""
    return Condition(ready=all(part.ok for part in parts), parts=parts)
