"""What actions have in common, as games of cards go: what holds for one may hold for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from string import ascii_uppercase

from sevens_games.cards import RANKS_UP
from sevens_games.engine import Observation

MOST_BEFORE = 500  # actions whose followers' features are remembered
MOST_PLAYS = 20_000  # actions whose cards are remembered
NO_CARD = "none"  # in no text of cards
HAND = "hand"  # the name of a seat's zone in all games where it holds cards


@lru_cache(MOST_BEFORE)
def features_after(before: str) -> Features:
    """Returns the features of actions after the public action `before`, if it is known."""
    return Features(before)


class Features:
    """The names of the features that actions have after one action."""

    def __init__(self, before: str) -> None:
        self._before = before
        self._likenesses = likenesses(card_of(before))
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
        return (*own, reply, f"{kind} ~ {self._likenesses.get(card_of(action), '')}")


class Sight:
    """What a seat sees: the cards in its hand, how many there are of each rank anywhere, and the
    top cards of the zones that belong to no seat. A bid or a call depends on the whole hand."""

    def __init__(self, observation: Observation, seat: int) -> None:
        self._hand = ""
        self._tops: list[tuple[str, Mapping[str, str]]] = []
        seen = []
        for name, owner, cards, _ in observation.zones:
            if cards:
                text = " ".join(cards)
                seen.append(text)
                if owner is None:
                    self._tops.append((name, likenesses(cards[-1])))
                elif owner == seat and name == HAND:
                    self._hand = text
        self._seen = " ".join(seen)
        self._holding: tuple[str, ...] | None = None  # until an action without a card asks

    def of(self, action: str) -> tuple[str, ...]:
        """Returns the names of the features that the action's card has among these cards; for an
        action without a card, those of the action with the hand."""
        play = play_of(action)
        if play is None:
            if self._holding is None:
                self._holding = holding(self._hand, self._tops)
            return tuple([f"{action} with {name}" for name in self._holding])
        rank, hand = play.rank, self._hand
        near = (play.below in hand) + (play.above in hand)
        names = play.among(self._seen.count(rank), hand.count(rank), near)
        for zone, alike in self._tops:
            names = (*names, play.on(zone, alike.get(play.card, "")))
        return names


def holding(hand: str, tops: Sequence[tuple[str, Mapping[str, str]]]) -> tuple[str, ...]:
    """Returns the names for how many cards of each rank are held, for the most of one rank and of
    one suit, and for how many are of the suit of each top card."""
    cards = hand.split()
    if not cards:
        return ()
    ranks, suits = [card[0] for card in cards], [card[1] for card in cards]
    names = [f"{ranks.count(rank)} {rank}" for rank in RANKS_UP if rank in ranks]
    names.append(f"{max(map(ranks.count, ranks))} of a rank")
    names.append(f"{max(map(suits.count, suits))} of a suit")
    for zone, alike in tops:
        number = sum(alike.get(card) in ("lower", "higher") for card in cards)
        names.append(f"{number} of the suit of {zone}")
    return tuple(names)


class Play:
    """An action's kind and cards, and the names of what they have among each other and others. All
    but the combination are those of the last card."""

    def __init__(self, kind: str, cards: Sequence[str]) -> None:
        self.card = card = cards[-1]
        self.rank = card[0]
        place = RANKS_UP.index(card[0])
        self.below = RANKS_UP[place - 1] + card[1] if place else NO_CARD
        self.above = RANKS_UP[place + 1] + card[1] if place + 1 < len(RANKS_UP) else NO_CARD
        self._kind = kind
        self._combination = (f"{kind} {combination(cards)}",) if len(cards) > 1 else ()
        self._among: dict[tuple[int, int, int], tuple[str, ...]] = {}
        self._on: dict[tuple[str, str], str] = {}

    def among(self, seen: int, held: int, near: int) -> tuple[str, ...]:
        """Returns the names for the card's rank, for how many cards of it are seen and held, and
        for how many of the two cards next to it in its suit are held."""
        found = self._among.get((seen, held, near))
        if found is None:
            counts = (f"seen {seen}", f"held {held}", f"near {near}")
            names = tuple(f"{self._kind} {name}" for name in (self.rank, *counts))
            found = names + self._combination
            self._among[seen, held, near] = found
        return found

    def on(self, zone: str, likeness: str) -> str:
        """Returns the name for how the card is like the top card of this zone."""
        found = self._on.get((zone, likeness))
        if found is None:
            found = self._on[zone, likeness] = f"{self._kind} {zone} {likeness}"
        return found


@lru_cache(MOST_PLAYS)
def play_of(action: str) -> Play | None:
    """Returns the play of an action with a card, None for another."""
    kind, *words = action.split(" ")
    cards = [word for word in words if is_card(word)]
    return Play(kind, cards) if cards else None


def combination(cards: Sequence[str]) -> str:
    """Tells how many cards these are, of how many ranks and suits, and over how many ranks."""
    ranks = {RANKS_UP.index(card[0]) for card in cards}
    suits = {card[1] for card in cards}
    return f"{len(cards)} of {len(ranks)} ranks, {len(suits)} suits, {max(ranks) - min(ranks)} on"


def card_of(action: str) -> str:
    """Returns the last word that is a card; empty without one."""
    return next(filter(is_card, reversed(action.split(" "))), "")


def is_card(word: str) -> bool:
    """True for a rank and the letter of a suit."""
    return len(word) == 2 and word[0] in RANKS_UP and word[1] in ascii_uppercase


@cache
def likenesses(before: str) -> Mapping[str, str]:
    """Returns, by card, how it is like the card `before`: of its rank, or higher or lower in its
    suit. Empty if that is not a card."""
    if not is_card(before):
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
