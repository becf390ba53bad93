"""The space that an arena uses on its disk."""

from __future__ import annotations

from arena.views.view import View


class Part(View):
    """A part of a data folder, with its size in bytes."""

    name: str
    size: int


class Kept(View):
    """The records or the private logs of matches.

    `matches`: how many have one. `size`: of all of them, in bytes, by the mean of the latest.
    `beyond`: how many are beyond the limits that were given; `freed`: their size in bytes.
    """

    matches: int
    size: int
    beyond: int
    freed: int


class DiskUse(View):
    """The space of an arena.

    `free`, `total`: of the disk of the data folder, in bytes.
    `parts`: of the data folder.
    `records`, `logs`: within the store.
    """

    free: int
    total: int
    parts: tuple[Part, ...]
    records: Kept
    logs: Kept


class PrunedMatches(View):
    """The numbers of records and private logs that were dropped."""

    records: int
    logs: int
