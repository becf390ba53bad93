"""The measured figures, in a file from which the page can be written again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench.duplicate.group import Noise
from bench.duplicate.measure import Row
from bench.duplicate.measure_luck import LuckRow

FIGURES = Path(__file__).with_name("figures.json")


@dataclass(frozen=True)
class Run:
    """The circumstances of a measurement.

    `date`: its day, year-month-day.
    `machine`: processor and Python.
    `command`: the command that repeats it.
    `noise`: the share of random decisions of OLD, NEW and HOUSE, from 0 to 1.
    """

    date: str
    machine: str
    command: str
    noise: Noise

    @classmethod
    def from_json(cls, run: dict[str, Any]) -> Run:
        old, new, house = run["noise"]
        return cls(**{**run, "noise": (old, new, house)})


@dataclass(frozen=True)
class Figures:
    """The rows of both tables, each with the run that measured it; None before the first."""

    duplicate_run: Run | None = None
    duplicate: tuple[Row, ...] = ()
    luck_run: Run | None = None
    luck: tuple[LuckRow, ...] = ()

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    def with_duplicate(self, run: Run, rows: tuple[Row, ...]) -> Figures:
        return replace(self, duplicate_run=run, duplicate=rows)

    def with_luck(self, run: Run, rows: tuple[LuckRow, ...]) -> Figures:
        return replace(self, luck_run=run, luck=rows)

    @classmethod
    def read(cls, path: Path) -> Figures:
        """Returns the figures of a file; none if there is no file. Raises OSError."""
        if not path.exists():
            return cls()
        told = json.loads(path.read_text())
        runs = {
            name: None if told[name] is None else Run.from_json(told[name])
            for name in ("duplicate_run", "luck_run")
        }
        return cls(
            **runs,
            duplicate=tuple(Row.from_json(row) for row in told["duplicate"]),
            luck=tuple(LuckRow.from_json(row) for row in told["luck"]),
        )
