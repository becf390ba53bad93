"""Observations and events, in one form for all games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

FactValue: TypeAlias = int | str | tuple[int, ...] | tuple[str, ...]


class Zone(NamedTuple):
    """A place for cards.

    `owner`: the seat it belongs to, or None.
    `cards`: the codes that the viewer sees, in the order of the place if it has one.
    `hidden`: the number of further cards there.
    """

    name: str
    owner: int | None
    cards: tuple[str, ...]
    hidden: int = 0


class Facts(Mapping[str, FactValue]):
    """Everything that a viewer knows besides cards: name to int, str, or a tuple of them;
    immutable."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, FactValue]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> FactValue:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Facts):  # any other Mapping is copied for the comparison
            return self._values == other._values
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Facts({self._values!r})"


class Observation(NamedTuple):
    """The view of one viewer at one moment."""

    zones: tuple[Zone, ...]
    facts: Facts

    def zone(self, name: str, owner: int | None = None) -> Zone:
        """The zone of that name and owner. KeyError if there is none."""
        for zone in self.zones:
            if zone.name == name and zone.owner == owner:
                return zone
        raise KeyError(f"no zone {name!r} of owner {owner}")

    def to_json(self) -> str:
        """The canonical text: keys sorted, no spaces."""
        zones = [zone._asdict() for zone in self.zones]
        return json.dumps(
            {"zones": zones, "facts": dict(self.facts)},
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
        )


class Event(NamedTuple):
    """Something that happened, as one viewer may know it.

    `verb`: what happened.
    `actor`: the seat that did it or to which it happened, or None.
    `arguments`: the details that this viewer may know: card codes, words, integers.
    """

    verb: str
    actor: int | None
    arguments: tuple[str | int, ...] = ()
