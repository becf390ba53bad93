"""The tricks between a person's decisions, which no observation shows whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.web.replay import LastTrick
from sevens_games import Event, Layout

Entries = Sequence[Mapping[str, Any]]
"""Zones, as `zone_entries` describes them."""
Held = Sequence[tuple[list[str], int]]
"""By zone, its cards and the number of hidden ones."""


def ended_tricks(
    layout: Layout, events: Sequence[Event], known: int
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Returns the tricks that have ended after the first `known` events, and the last one if none
    has begun since."""
    following = LastTrick(layout)
    last = following.after(events[:known])
    ended = []
    for event in events[known:]:
        last = following.after([event])
        if last is not None and event.verb in layout.trick_ends:
            ended.append(last)
    return ended, last


def trick_taken(entries: Entries, held: Held, trick: Mapping[str, Any]) -> Held:
    """Returns what the zones hold once a trick is over: its cards are in no hand and not on the
    table."""
    after = [(list(cards), hidden) for cards, hidden in held]
    laid = [card for place in _tricks(entries) for card in after[place][0]]
    for card, seat in zip(trick["cards"].split(), trick["seats"], strict=True):
        if card in laid:
            laid.remove(card)
        else:
            _take(entries, after, seat, card)
    for place in _tricks(entries):
        after[place] = ([], 0)
    return after


def card_laid(layout: Layout, entries: Entries, held: Held, seat: int, action: str) -> Held:
    """Returns what the zones hold once a seat has laid the cards of its action into the trick; the
    same as before if the action does something else."""
    verb, *cards = action.split(" ")
    tricks = list(_tricks(entries))
    if verb not in layout.plays or len(tricks) != 1:
        return held
    after = [(list(own), hidden) for own, hidden in held]
    for card in cards:
        _take(entries, after, seat, card)
        after[tricks[0]][0].append(card)
    return after


def _tricks(entries: Entries) -> Iterator[int]:
    return (place for place, entry in enumerate(entries) if entry["kind"] == "trick")


def _take(entries: Entries, held: list[tuple[list[str], int]], seat: int | None, card: str) -> None:
    """Takes a card from a hand, where it may have been face down."""
    hands = [
        place
        for place, entry in enumerate(entries)
        if entry["kind"] == "hand" and entry["owner"] in (seat, None)
    ]
    for place in hands:
        if card in held[place][0]:
            held[place][0].remove(card)
            return
    for place in hands:
        cards, hidden = held[place]
        if hidden:
            held[place] = (cards, hidden - 1)
            return
