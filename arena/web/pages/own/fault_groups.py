"""Faults of one cause, folded: the same version, kind and cause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.bots import cause_of_fault
from arena.views.matches.fault import Fault

EXCEPTION = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception)\b|\bpanic(?:ked)?\b")


@dataclass
class FaultGroup:
    """Faults of one cause, the latest first.

    `exception`: the type of the exception that the bot's words name; empty if they name none.
    """

    exception: str
    faults: list[Fault] = field(default_factory=list)

    @property
    def latest(self) -> Fault:
        return self.faults[0]


def folded(found: Sequence[Fault], most: int) -> tuple[list[FaultGroup], int]:
    """Returns at most so many groups of faults, in the order of their latest, and how many of the
    faults are in them: as many as come before the first that would begin one group more."""
    groups: dict[tuple[str, str, str], FaultGroup] = {}
    for count, fault in enumerate(found):
        key = (fault.version, fault.kind, cause_of_fault(fault.sentence, fault.words))
        if key not in groups:
            if len(groups) == most:
                return list(groups.values()), count
            groups[key] = FaultGroup(exception_in(fault.words))
        groups[key].faults.append(fault)
    return list(groups.values()), len(found)


def exception_in(words: str) -> str:
    """Returns the type of the exception that a bot died of, by its last words; empty if they name
    none."""
    named = EXCEPTION.findall(words)
    return named[-1] if named else ""
