"""Hands: tuples of card codes, and tuples of hands by seat. Nothing is changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

V = TypeVar("V")


def without(cards: tuple[V, ...], card: V) -> tuple[V, ...]:
    """The cards less one copy of `card`, which must be there."""
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def replaced(values: tuple[V, ...], at: int, value: V) -> tuple[V, ...]:
    """The values by seat, with another value for the seat `at`."""
    by_seat = list(values)
    by_seat[at] = value
    return tuple(by_seat)


def dealt(stock: Sequence[str], each: int, players: int, first: int) -> tuple[tuple[str, ...], ...]:
    """The cards of each seat, by seat, when `each` cards are dealt to every seat from the top,
    one at a time, in turn order from the seat `first` (taken modulo the number of players)."""
    return tuple(
        tuple(stock[(seat - first) % players : each * players : players]) for seat in range(players)
    )


def in_order(cards: Iterable[str], order: Mapping[str, int]) -> tuple[str, ...]:
    """The cards in a deck's canonical order; `order` gives each code its place."""
    return tuple(sorted(cards, key=order.__getitem__))
