"""The parts of a table, as a page draws them: zones with their kinds, facts with theirs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from arena.records.wording import Wording
from sevens_games import Layout

ZoneKey = tuple[str, int | None]
ZONE_KINDS = {
    "hands": "hand",
    "tricks": "trick",
    "piles": "pile",
    "stocks": "stock",
    "columns": "column",
    "ace_piles": "aces",
    "records": "record",
}
OTHERS = "other "


def zone_entries(keys: Sequence[ZoneKey], wording: Wording) -> list[dict[str, Any]]:
    """Returns the zones of a match: names, owners, kinds and titles, and the words by which actions
    name them."""
    layout = wording.layout
    return [
        {
            "name": name,
            "owner": owner,
            "kind": _kind(layout, ZONE_KINDS, name) or "row",
            "title": wording.title(name),
            "groups": layout.groups.get(name),
            "called": _called(name, layout),
        }
        for name, owner in keys
    ]


def click_meanings(key: ZoneKey, layout: Layout, seat: int) -> list[str] | None:
    """Returns how the actions begin that a click of the seat on a zone may mean; None if they are
    those that name the zone. `{part}` is not replaced: it depends on the card."""
    name, owner = key
    is_others = owner not in (None, seat)
    for declared, meanings in layout.clicks.items():
        if declared.startswith(OTHERS) == is_others and _named(name, declared.removeprefix(OTHERS)):
            last = name.rpartition("-")[2]
            return [
                text.replace("{owner}", str(owner)).replace("{last}", last) for text in meanings
            ]
    return [] if is_others else None


def fact_entries(names: Collection[str], layout: Layout) -> dict[str, dict[str, str]]:
    """Returns the facts of a match by name, as their game orders them: where people see each, and
    its label."""
    order = [*layout.facts, *sorted(names)]
    declared = {name: layout.fact(name) for name in dict.fromkeys(order) if name in names}
    return {name: {"place": words.place, "label": words.label} for name, words in declared.items()}


def rows_of(keys: Sequence[ZoneKey], layout: Layout) -> list[list[int]]:
    """Returns the rows of zones in the middle, by their places among the zones."""
    return [
        [place for name in row for place, key in enumerate(keys) if _named(key[0], name)]
        for row in layout.rows
    ]


def deck_of(layout: Layout) -> dict[str, Any]:
    """Returns the suits and colours of the cards."""
    return {
        "suits": {letter: suit._asdict() for letter, suit in layout.suits.items()},
        "colours": dict(layout.colours),
    }


def _called(name: str, layout: Layout) -> list[str]:
    """Returns the words by which actions name a zone: its name, and what follows the last hyphen
    unless clicks on it are declared to mean something else."""
    declared = [layout.clicks[each] for each in layout.clicks if _named(name, each)]
    by_last = not declared or any("{last}" in text for texts in declared for text in texts)
    return list(dict.fromkeys([name, name.rpartition("-")[2]])) if by_last else [name]


def _kind(layout: Layout, kinds: Mapping[str, str], name: str) -> str:
    for field, kind in kinds.items():
        if any(_named(name, declared) for declared in getattr(layout, field)):
            return kind
    return ""


def _named(name: str, declared: str) -> bool:
    """Returns whether a name is the declared one, or begins with it if that ends in a hyphen."""
    return name.startswith(declared) if declared.endswith("-") else name == declared
