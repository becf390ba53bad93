"""Guesses about cards that a seat saw in the deck before another seat reordered them.

A guess is one possibility: a set of pairs of such a card and its place. All guesses of a seat are
about the same cards; without such cards it has none. Any other hidden card has a place that the
seat knows, or can be anywhere.

A place is the seat in whose hand the card is, or its index in the deck counted from the bottom: -1,
-2 and so on, since that does not change as cards are drawn from the top.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import permutations
from typing import TypeAlias

Guess: TypeAlias = frozenset[tuple[str, int]]
Guesses: TypeAlias = frozenset[Guess]

NONE: Guesses = frozenset()


def ordered(guesses: Guesses, seen: Sequence[str], places: Collection[int]) -> Guesses:
    """The guesses after another seat reordered the cards of these places; `seen` are those whose
    places were known until now."""
    mixed = set()
    for guess in guesses or [frozenset[tuple[str, int]]()]:
        elsewhere = frozenset([(card, place) for card, place in guess if place not in places])
        there = [*seen, *[card for card, place in guess if place in places]]
        for order in permutations(places, len(there)):
            mixed.add(elsewhere.union(zip(there, order, strict=True)))
    return about_cards(mixed)


def moved(guesses: Guesses, place: int, seat: int) -> Guesses:
    """The guesses after another seat drew the card of this place."""
    return frozenset(
        [
            frozenset([(card, seat if at == place else at) for card, at in guess])
            for guess in guesses
        ]
    )


def told(guesses: Guesses, card: str, place: int, room: int) -> Guesses:
    """The guesses that agree with the card having been at this place until now, without the
    card. `room`: the number of the other cards that the place can hold, if it is a hand."""
    sight = (card, place)
    if any(sight in guess for guess in guesses):
        guesses = frozenset([guess - {sight} for guess in guesses if sight in guess])
    return about_cards([guess for guess in guesses if [at for _, at in guess].count(place) <= room])


def about_cards(guesses: Iterable[Guess]) -> Guesses:
    return frozenset(filter(None, guesses))


def certain(guesses: Guesses) -> set[str]:
    """The cards whose place is the same in all guesses."""
    return {card for card, _ in frozenset.intersection(*guesses)} if guesses else set()


def texts(guesses: Guesses) -> tuple[str, ...]:
    """A text for each guess: every card with its place."""
    return tuple(sorted([" ".join([f"{c} {at}" for c, at in sorted(guess)]) for guess in guesses]))


def of_texts(texts: Iterable[str]) -> Guesses:
    words = [text.split() for text in texts]
    return frozenset(
        [frozenset(zip(guess[::2], map(int, guess[1::2]), strict=True)) for guess in words]
    )
