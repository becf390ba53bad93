"""Knowledge of hidden cards by seat, and redealing consistent with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from sevens_games.cards import in_order, replaced
from sevens_games.seven7s import guesses
from sevens_games.seven7s.deck import PLACE
from sevens_games.seven7s.state import Seven7s, Sighting, others, top


def known_to(s: Seven7s, viewer: int) -> set[str]:
    """The cards that the viewer has seen and can place; includes some that are face up or in its
    hand."""
    return {*s.shown, *[sighting.card for sighting in s.seen if sighting.by == viewer]}


def lose_sight(s: Seven7s, orderer: int, cards: Sequence[str]) -> None:
    """Notes that these top cards of the deck are put in an order that no other seat sees."""
    places = range(top(s), top(s) + len(cards))
    for viewer in others(s, orderer):
        known = known_to(s, viewer)
        seen = [card for card in cards if card in known]
        guessed = guesses.ordered(s.guesses[viewer], seen, places)
        s.guesses = replaced(s.guesses, viewer, guessed)
    s.seen = tuple([look for look in s.seen if look.by == orderer or look.card not in cards])


def follow_draw(s: Seven7s, drawer: int, card: str) -> None:
    """Notes that the former top card is known to be in the drawer's hand."""
    notice(s, (drawer,), card, top(s))
    if any(s.guesses):
        for viewer in others(s, drawer):
            guessed = guesses.moved(s.guesses[viewer], top(s), drawer)
            s.guesses = replaced(s.guesses, viewer, guessed)


def notice(s: Seven7s, viewers: Iterable[int], card: str, place: int) -> None:
    """Notes that the viewers see the card at this place, which it may leave now."""
    if any(s.guesses):
        for viewer in viewers:
            room = 0 if place < 0 else len(unknown_in_hand(s, place, viewer))
            guessed = guesses.told(s.guesses[viewer], card, place, room)
            s.guesses = replaced(s.guesses, viewer, guessed)


def unknown_in_hand(s: Seven7s, seat: int, viewer: int) -> list[str]:
    known = known_to(s, viewer)
    return [card for card in s.hands[seat] if card not in known]


# Redealing ----------------------------------------------------------------------------------------


def redeal(s: Seven7s, viewer: int, rng: Random) -> None:
    """Cards that the viewer can place stay there. Cards that it could place before another seat
    ordered them follow one of its guesses. All others can be anywhere."""
    known = known_to(s, viewer)
    possible = sorted(map(sorted, s.guesses[viewer]))
    guess = dict(rng.choice(possible)) if possible else {}
    hidden = [*s.deck, *[card for seat in others(s, viewer) for card in s.hands[seat]]]
    unknown = in_order([card for card in hidden if card not in known and card not in guess], PLACE)
    rest = iter(rng.sample(unknown, len(unknown)))
    guessed_at = {place: card for card, place in guess.items() if place < 0}
    instead = {}  # by hidden card, the one that takes its place
    for place, card in enumerate(s.deck, start=top(s)):
        if card not in known:
            instead[card] = guessed_at[place] if place in guessed_at else next(rest)
    for seat in others(s, viewer):
        guessed = iter([card for card, place in guess.items() if place == seat])
        for card in unknown_in_hand(s, seat, viewer):
            instead[card] = next(guessed, "") or next(rest)
    exchange(s, instead)
    exchange_looks_at(s, viewer, rng)
    # The guesses of other seats are not rebuilt.
    s.guesses = replaced((guesses.NONE,) * s.players, viewer, s.guesses[viewer])


def exchange(s: Seven7s, instead: dict[str, str]) -> None:
    """Puts other cards in the places of these. Seats that looked at these have looked at those."""

    def exchanged(cards: Iterable[str]) -> tuple[str, ...]:
        return tuple([instead.get(card, card) for card in cards])

    s.deck = exchanged(s.deck)
    s.hands = tuple(in_order(exchanged(hand), PLACE) for hand in s.hands)
    s.seen = tuple(
        Sighting(by, instead.get(card, card), source, exchanged(hand))
        for by, card, source, hand in s.seen
    )


def exchange_looks_at(s: Seven7s, viewer: int, rng: Random) -> None:
    """Others may have seen any of the cards that the viewer held then."""
    instead: dict[tuple[int, tuple[str, ...]], dict[str, str]] = {}
    seen = []
    for by, card, source, hand in s.seen:
        if source == viewer and (by, hand) not in instead:
            instead[by, hand] = dict(zip(hand, rng.sample(hand, len(hand)), strict=True))
        seen_there = instead[by, hand][card] if source == viewer else card
        seen.append(Sighting(by, seen_there, source, hand))
    s.seen = tuple(seen)
