"""Tricks: the cards that may be played, the card that wins, and the voids that a seat reveals.

A trick is its cards in the order played. `following` gives, for each card led, the cards that
follow it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any


def playable(
    hand: tuple[str, ...], trick: Sequence[str], following: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """The cards of the hand that follow the lead; all if there are none, or when leading."""
    if not trick:
        return hand
    followers = following[trick[0]]
    return tuple([card for card in hand if card in followers]) or hand


def winning_card(
    trick: Sequence[str],
    trumps: Collection[str],
    following: Mapping[str, Collection[str]],
    height: Mapping[str, Any],
) -> str:
    """The highest trump; without one, the highest card that follows the lead."""
    followers = following[trick[0]]
    contenders = [card for card in trick if card in trumps] or [
        card for card in trick if card in followers
    ]
    return max(contenders, key=height.__getitem__)


def voids(
    leads: Sequence[str],
    played: Iterable[Sequence[str]],
    following: Mapping[str, Collection[str]],
) -> list[set[str]]:
    """By seat, the cards it cannot hold: those that follow a lead that it once failed to follow.

    `leads`: the first card of each trick begun. `played`: by seat, its card of each trick, in
    order; a seat that has yet to play to the last trick has one card fewer.
    """
    excluded: list[set[str]] = []
    for cards in played:
        led_and_played = zip(leads, cards, strict=False)
        unfollowed = [
            following[lead] for lead, card in led_and_played if card not in following[lead]
        ]
        excluded.append(set().union(*unfollowed))
    return excluded
