"""How far a run goes where a promise can be tried in any number of circumstances: `make test` tries
a few, `make test-all` every kind of them, `make nightly` all."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import TypeVar

T = TypeVar("T")


class Extent(IntEnum):
    QUICK = auto()
    EVERYTHING = auto()
    NIGHTLY = auto()


# Whoever plays the formats without pytest, as tools/same_play.py does, plays all of them.
_of_this_run = Extent.NIGHTLY


def set_extent(extent: Extent) -> None:
    """Says how far this run goes, before any test is collected."""
    global _of_this_run
    _of_this_run = extent


def by_extent(quick: T, everything: T, nightly: T | None = None) -> T:
    """Returns what this run is to take; without another, the nightly run takes `everything`."""
    if _of_this_run is Extent.QUICK:
        return quick
    return everything if _of_this_run is Extent.EVERYTHING or nightly is None else nightly
