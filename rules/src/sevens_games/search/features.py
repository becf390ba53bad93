"""What actions have in common, as games of cards go: what holds for one may hold for others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from string import ascii_uppercase

from sevens_games.cards import RANKS_UP

MOST_BEFORE = 500  # actions whose followers' features are remembered


@lru_cache(MOST_BEFORE)
def features_after(before: str) -> Features:
    """Returns the features of actions after the public action `before`, if it is known."""
    return Features(before)


class Features:
    """The names of the features that actions have after one action."""

    def __init__(self, before: str) -> None:
        self._before = before
        self._likenesses = likenesses(before[-2:])
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, action: str) -> tuple[str, ...]:
        """Returns the names for the action and its kind, which is its first word. After another
        action also for both after that one: the kind with how its card is like the other's."""
        found = self._known.get(action)
        if found is None:
            found = self._known[action] = self._named(action)
        return found

    def _named(self, action: str) -> tuple[str, ...]:
        kind = action.split(" ", 1)[0]
        own = (action, f"{kind} *")
        if not self._before:
            return own
        reply = f"{self._before} > {action}"
        if not self._likenesses:
            return (*own, reply)
        return (*own, reply, f"{kind} ~ {self._likenesses.get(action[-2:], '')}")


@cache
def likenesses(before: str) -> Mapping[str, str]:
    """Returns, by card, how it is like the card `before`: of its rank, or higher or lower in its
    suit. Empty if that is not a card: a rank and the letter of a suit."""
    if len(before) != 2 or before[0] not in RANKS_UP or before[1] not in ascii_uppercase:
        return {}
    return {
        rank + suit: _likeness(rank, suit, before) for rank in RANKS_UP for suit in ascii_uppercase
    }


def _likeness(rank: str, suit: str, before: str) -> str:
    if rank == before[0]:
        return "rank"
    if suit != before[1]:
        return "neither"
    return "higher" if RANKS_UP.index(rank) > RANKS_UP.index(before[0]) else "lower"
