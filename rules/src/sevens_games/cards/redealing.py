"""Deals hidden cards again, consistently with what a viewer knows about their places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from random import Random
from typing import TypeVar

P = TypeVar("P", bound=Hashable)

SWAPS_PER_CARD = 4


def redealt(
    cards: Sequence[str],
    sizes: Mapping[P, int],
    may_lie: Callable[[P, str], bool],
    rng: Random,
) -> dict[P, tuple[str, ...]]:
    """Deals hidden cards to places at random.

    `sizes`: the number of cards at each place; they add up to all cards.
    `may_lie(place, card)`: whether the card can be there. Returns the cards of each place, in
    random order. Every deal that agrees with `may_lie` can come up; without restrictions all are
    equally likely. Raises ValueError if there is none: the knowledge contradicts itself.
    """
    slots = [place for place, size in sizes.items() for _ in range(size)]
    if len(slots) != len(cards):
        raise ValueError(f"{len(cards)} cards cannot fill {len(slots)} places.")
    rng.shuffle(slots)
    open_to = {card: {place for place in sizes if may_lie(place, card)} for card in cards}
    lying: dict[int, str] = {}
    homeless = []
    for slot, card in enumerate(rng.sample(cards, len(cards))):
        if slots[slot] in open_to[card]:
            lying[slot] = card
        else:
            homeless.append(card)
    for card in homeless:
        if not _place(card, slots, lying, open_to, set()):
            raise ValueError(f"No deal agrees with what is known about the places of {card}.")
    if homeless:
        _mix(lying, slots, open_to, rng)
    return {
        place: tuple([lying[slot] for slot, at in enumerate(slots) if at == place])
        for place in sizes
    }


def _place(
    card: str,
    slots: Sequence[P],
    lying: dict[int, str],
    open_to: Mapping[str, Collection[P]],
    tried: set[int],
) -> bool:
    """Puts the card into a free slot, or into a taken one whose card can move on (an augmenting
    path of bipartite matching)."""
    open_slots = [slot for slot, place in enumerate(slots) if place in open_to[card]]
    for slot in sorted(open_slots, key=lying.__contains__):  # the free ones first
        if slot in tried:
            continue
        tried.add(slot)
        if slot not in lying or _place(lying[slot], slots, lying, open_to, tried):
            lying[slot] = card
            return True
    return False


def _mix(
    lying: dict[int, str], slots: Sequence[P], open_to: Mapping[str, Collection[P]], rng: Random
) -> None:
    """Swaps pairs that may be swapped, so that the order of placing has no effect."""
    swaps = SWAPS_PER_CARD * len(slots)
    chosen = rng.choices(range(len(slots)), k=2 * swaps)
    for a, b in zip(chosen[:swaps], chosen[swaps:], strict=True):
        if slots[a] in open_to[lying[b]] and slots[b] in open_to[lying[a]]:
            lying[a], lying[b] = lying[b], lying[a]
