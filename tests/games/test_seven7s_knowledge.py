"""Seven7s: a seat's knowledge of hidden cards, which a redeal must respect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from random import Random
from typing import TypeAlias

import pytest

from sevens_games import Event, Match, SeededDeals
from tests.support.game_redeals import redealt
from tests.support.game_seven7s import GAME, start
from tests.support.game_tables import cards, choose, legal, seen

World: TypeAlias = tuple[tuple[str, ...], ...]  # the hand of each seat, then the deck


def curious(match: Match, rng: Random) -> str:
    """Mostly plays Wonders and looks at the deck."""
    options = legal(match, match.to_act[0])
    wanted = [text for text in options if text.endswith((" W", "deck"))]
    return rng.choice(wanted if wanted and rng.random() < 0.8 else options)


# Looks of others ---------------------------------------------------------------------------------


def test_a_seat_does_not_know_which_of_its_cards_was_seen() -> None:
    match = start("1W", "3V 4V 5V", first="1D", picks=[1])
    choose(match, "play 1W W", "look 1")
    found = {seen(twin, 0, "hand", 1) for twin in redealt(match, 1, 60)}
    assert found == {("3V",), ("4V",), ("5V",)}
    match = start("1W", "3V 4V 5V", first="1D", picks=[1, 0])
    choose(match, "play 1W W", "look 1", "look 1")
    found = {seen(twin, 0, "hand", 1) for twin in redealt(match, 1, 60)}
    assert found == {cards("3V 4V"), cards("3V 5V"), cards("4V 5V")}


def test_a_look_into_a_third_hand_stays_a_look_into_it() -> None:
    match = start("1W", "3V 4V 5V", "", first="1D", picks=[1])
    choose(match, "play 1W W", "look 1")
    shown = {seen(twin, 0, "hand", 1) for twin in redealt(match, 2, 60)}
    assert {len(known) for known in shown} == {1}
    assert len(shown) > 10


# In every match -----------------------------------------------------------------------------------


def test_what_a_redeal_deals_does_not_depend_on_what_is_hidden(seed: int) -> None:
    """A match that looks the same to a seat is redealt in the same way."""
    rng = Random(seed)
    for number in range(20):
        match = GAME.start(players=2 + number % 3, deals=SeededDeals(f"{seed}/{number}"))
        while match.to_act:
            viewer = rng.randrange(match.players)
            other = match.redeal(viewer, rng)
            one, two = match.redeal(viewer, Random(number)), other.redeal(viewer, Random(number))
            assert one.observe(None) == two.observe(None)
            match.apply(match.to_act[0], curious(match, rng))


class Worlds:
    """All that a seat can consider possible, stored the plain way: worlds in which the cards that
    it has never seen are `?`, without its own hand. It uses only the events that the seat receives.
    """

    def __init__(self, viewer: int, players: int) -> None:
        self.viewer = viewer
        hands = tuple(() if seat == viewer else ("?",) * 3 for seat in range(players))
        self.worlds: set[World] = {(*hands, ("?",) * (49 - 3 * players - 1))}
        self.told = 0
        self.looks: list[str] = []  # the sources of the last power
        self.after: dict[str, Callable[[World, int, list[str]], Iterator[World]]] = {
            "draw": self.after_draw,
            "play": self.after_loss,
            "lose": self.after_loss,
            "show": self.after_show,
            "win": self.after_win,
            "pick-up": self.after_gain,
            "see": self.after_look,
            "order": self.after_order,
        }

    def hear(self, match: Match) -> None:
        events = match.events(self.viewer, since=self.told)
        self.told += len(events)
        for event in events:
            self.hear_of(event)

    def hear_of(self, event: Event) -> None:
        cards_told = [str(argument) for argument in event.arguments]
        if event.verb == "play":
            self.looks = []
        if event.verb == "look":
            self.looks += cards_told
        if event.verb in self.after and event.actor is not None:
            after = self.after[event.verb]
            self.worlds = {
                new for old in self.worlds for new in after(old, event.actor, cards_told)
            }

    def after_draw(self, world: World, seat: int, drawn: list[str]) -> Iterator[World]:
        *hands, (top, *rest) = world
        if seat != self.viewer:
            yield in_world([*hands[:seat], (*hands[seat], top), *hands[seat + 1 :]], rest)
        elif can_be(world, top, drawn[0]):
            yield in_world(hands, rest)

    def after_loss(self, world: World, seat: int, lost: list[str]) -> Iterator[World]:
        if seat == self.viewer:
            yield world
            return
        *hands, deck = world
        for card in {"?", lost[0]} & {*hands[seat]}:
            if can_be(world, card, lost[0]):
                hand = list(hands[seat])
                hand.remove(card)
                yield in_world([*hands[:seat], tuple(hand), *hands[seat + 1 :]], deck)

    def after_gain(self, world: World, seat: int, gained: list[str]) -> Iterator[World]:
        *hands, deck = world
        own = seat == self.viewer
        hand = () if own else (*hands[seat], *gained)
        yield in_world([*hands[:seat], hand, *hands[seat + 1 :]], deck)

    def after_show(self, world: World, seat: int, shown: list[str]) -> Iterator[World]:
        *hands, (top, *rest) = world
        if can_be(world, top, shown[0]):
            yield in_world(hands, (*shown, *rest))

    def after_win(self, world: World, seat: int, won: list[str]) -> Iterator[World]:
        *hands, (_, *rest) = world
        yield in_world(hands, rest)

    def after_look(self, world: World, seat: int, card: list[str]) -> Iterator[World]:
        *hands, deck = world
        if self.looks[-1] == "deck":
            at = self.looks.count("deck") - 1
            if can_be(world, deck[at], card[0]):
                yield in_world(hands, (*deck[:at], *card, *deck[at + 1 :]))
            return
        for without in self.after_loss(world, int(self.looks[-1]), card):
            yield from self.after_gain(without, int(self.looks[-1]), card)

    def after_order(self, world: World, seat: int, order: list[str]) -> Iterator[World]:
        *hands, deck = world
        count = self.looks.count("deck")
        for top in [tuple(order)] if order else permutations(deck[:count]):
            yield in_world(hands, (*top, *deck[count:]))

    def world_of(self, match: Match) -> World:
        """Returns the truth of a match, as a world."""
        named = {card for world in self.worlds for zone in world for card in zone}
        seats = range(match.players)
        hands = [() if seat == self.viewer else seen(match, None, "hand", seat) for seat in seats]
        *known_hands, deck = [
            tuple([card if card in named else "?" for card in zone])
            for zone in (*hands, seen(match, None, "deck"))
        ]
        return in_world(known_hands, deck)


def in_world(hands: Iterable[Iterable[str]], deck: Iterable[str]) -> World:
    return (*[tuple(sorted(hand)) for hand in hands], tuple(deck))


def can_be(world: World, there: str, card: str) -> bool:
    """True if the card there is known to be this one, or can be."""
    return there == card or (there == "?" and not any(card in zone for zone in world))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_redeal_brings_just_what_the_seat_can_think_of(seed: int, players: int) -> None:
    rng = Random(seed)
    doubtful = 0
    for number in range(60):
        match = GAME.start(players=players, deals=SeededDeals(f"{seed}/{number}"))
        viewer = number % players
        thought = Worlds(viewer, players)
        while match.to_act:
            thought.hear(match)
            assert thought.world_of(match) in thought.worlds
            if len(thought.worlds) < 2 or rng.random() < 0.7:
                assert thought.world_of(match.redeal(viewer, rng)) in thought.worlds
            elif len(thought.worlds) <= 40:
                check_all_come_up(match, thought, rng)
                doubtful += 1
            match.apply(match.to_act[0], curious(match, rng))
    assert doubtful > 10


def certain(zones: Iterable[tuple[str, ...]]) -> set[str]:
    """Returns the cards that lie there in all worlds."""
    return set.intersection(*map(set, zones)) - {"?"}


def check_all_come_up(match: Match, thought: Worlds, rng: Random) -> None:
    missing = set(thought.worlds)
    for _ in range(1000):
        world = thought.world_of(match.redeal(thought.viewer, rng))
        assert world in thought.worlds
        missing.discard(world)
        if not missing:
            break
    assert not missing
    for seat in range(match.players):
        if seat != thought.viewer:
            shown = seen(match, thought.viewer, "hand", seat)
            assert set(shown) == certain([world[seat] for world in thought.worlds])
    deck = zip(*[world[-1] for world in thought.worlds], strict=True)
    certain_places = [
        depth for depth, there in enumerate(deck) if len({*there, "?"}) == 2 and "?" not in there
    ]
    assert match.observe(thought.viewer).facts["depths"] == tuple(certain_places)
