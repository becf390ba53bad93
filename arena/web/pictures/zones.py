"""Zones of a table by their kinds, as pieces of a drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.web.pictures.cards import BACK, GAP, HEIGHT, WIDTH, face
from arena.web.pictures.pieces import NOTHING, Piece, beside, overlapping, stacked, text
from sevens_games import Layout, Observation, Zone

MOST_BACKS = 8
WIDEST = 7.5  # cards that are side by side; more of them overlap
STEP_OF_BACKS = 0.24
UNKNOWN = "?"


def zone_piece(entry: dict[str, Any], zone: Zone, seen: Observation, layout: Layout) -> Piece:
    """Returns a zone with its title. `entry`: the zone as `zone_entries` describes it."""
    kind = entry["kind"]
    if kind == "record":
        return NOTHING
    groups = _groups(entry, seen)
    cards = _grouped(groups, layout) if groups else KINDS.get(kind, _row)(zone, layout)
    count = len(zone.cards) + zone.hidden
    number = f" ({count})" if count and kind in ("pile", "stock", "hand") else ""
    title = entry["title"].split(" ")[-1] if kind == "column" else entry["title"]
    return stacked((cards, text(title + number, 12)), 3)


def _groups(entry: dict[str, Any], seen: Observation) -> list[list[str]]:
    """Returns the cards of a zone in the groups that a fact lists; none if there is no such
    fact."""
    listed = seen.facts.get(entry["groups"] or "")
    if not isinstance(listed, tuple):
        return []
    owner = entry["owner"]
    texts = listed if owner is None else listed[owner : owner + 1]
    return [str(one).split() for one in texts]


def _grouped(groups: Sequence[Sequence[str]], layout: Layout) -> Piece:
    shown = [_side_by_side([_known(card, layout) for card in cards]) for cards in groups if cards]
    rows = [beside(shown[i : i + 3], 14) for i in range(0, len(shown), 3)]
    return stacked(rows, 6) if rows else GAP


def _known(card: str, layout: Layout) -> Piece:
    return BACK if card == UNKNOWN else face(card, layout)


def _hand(zone: Zone, layout: Layout) -> Piece:
    backs = [BACK] * min(zone.hidden, MOST_BACKS)
    hidden = overlapping(backs, WIDTH * STEP_OF_BACKS)
    return (
        beside((hidden, _fan([face(card, layout) for card in zone.cards])), 4)
        if count(zone)
        else GAP
    )


def _fan(cards: Sequence[Piece]) -> Piece:
    return overlapping(cards, min(WIDTH * 0.62, WIDTH * WIDEST * 0.7 / max(len(cards), 1)))


def _row(zone: Zone, layout: Layout) -> Piece:
    cards = [face(card, layout) for card in zone.cards]
    return _side_by_side(cards + [BACK] * min(zone.hidden, MOST_BACKS))


def _side_by_side(cards: Sequence[Piece]) -> Piece:
    if not cards:
        return GAP
    if any(card.height != HEIGHT for card in cards):  # words, of different widths
        return beside(cards, 5)
    return overlapping(cards, min(WIDTH + 5, WIDTH * WIDEST / len(cards)))


def _pile(zone: Zone, layout: Layout) -> Piece:
    if zone.cards:
        return face(zone.cards[-1], layout)
    return BACK if zone.hidden else GAP


def _stock(zone: Zone, layout: Layout) -> Piece:
    return BACK if count(zone) else GAP


def _column(zone: Zone, layout: Layout) -> Piece:
    cards = [face(card, layout) for card in zone.cards]
    step = min(HEIGHT * 0.34, HEIGHT * 2.6 / max(len(cards), 1))
    return overlapping(cards, step, downwards=True) if cards else GAP


def _aces(zone: Zone, layout: Layout) -> Piece:
    """Returns the tops of piles that follow one another, each from its ace up."""
    following = (*zone.cards[1:], "A")
    tops = [card for card, after in zip(zone.cards, following, strict=False) if after[0] == "A"]
    return _side_by_side([face(card, layout) for card in tops])


def count(zone: Zone) -> int:
    """Returns the number of cards in a zone."""
    return len(zone.cards) + zone.hidden


KINDS: dict[str, Callable[[Zone, Layout], Piece]] = {
    "hand": _hand,
    "trick": _row,
    "pile": _pile,
    "stock": _stock,
    "column": _column,
    "aces": _aces,
}
