"""Positions from stacked decks, which deal the cards that a test requires, and quick play."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sevens_games import Deals, Match, SeededDeals
from sevens_games.engine.game import GameOf

ANY = "--"  # a card that does not matter to the test


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def hands(*texts: str, each: int, first: int = 0) -> list[str]:
    """Returns the hands by seat, in the order in which they are dealt: one card at a time, from the
    seat
    `first`. Hands are filled up to `each` cards with ANY."""
    by_seat = [(*cards(text), *[ANY] * (each - len(cards(text)))) for text in texts]
    in_turn = by_seat[first:] + by_seat[:first]
    return [card for round_ in zip(*in_turn, strict=True) for card in round_]


def stack(deck: Sequence[str], *parts: Sequence[str]) -> list[str]:
    """Returns the deck with these parts on top, first to last; ANY stands for cards that no part
    names."""
    top = [card for part in parts for card in part]
    named = Counter(card for card in top if card != ANY)
    assert named <= Counter(deck), f"not in the deck: {named - Counter(deck)}"
    others: Iterator[str] = (Counter(deck) - named).elements()
    return [next(others) if card == ANY else card for card in top] + list(others)


class Announced(Deals):
    """The deals of another source; notes, for all copies, after how many shuffles each began."""

    def __init__(self, source: Deals, announced: list[int]) -> None:
        super().__init__()
        self.source = source
        self.announced = announced

    def begin_deal(self) -> None:
        self.announced.append(len(self.shuffles))
        self.source.begin_deal()

    def copy(self) -> Deals:
        return Announced(self.source.copy(), self.announced).with_past_of(self)

    def _order(self, cards: Sequence[str]) -> tuple[str, ...]:
        return self.source.shuffle(cards)

    def _number(self, n: int) -> int:
        return self.source.pick(n)


def choose(match: Match, *texts: str) -> None:
    """Makes these choices; each is for the first seat that owes a decision."""
    for text in texts:
        match.apply(match.to_act[0], text)


def decisions(match: Match, rng: Random) -> Iterator[int]:
    """Plays at random to the end; yields, before each choice, the seat that is about to make it."""
    while match.to_act:
        seat = rng.choice(match.to_act)
        yield seat
        match.apply(seat, rng.choice(match.legal_actions(seat)))


def check_one_shuffle_a_deal(game: GameOf, deck: Sequence[str], seed: int, **form: Any) -> Match:
    """Plays a match at random, and checks that each deal was one shuffle of the deck in this order,
    with its own chance, and that nothing was picked. `form`: arguments of its start."""
    deals = SeededDeals(f"{seed}")
    match = game.start(deals=deals, **form)
    for _ in decisions(match, Random(seed)):
        pass
    for order in match.deals.shuffles:
        deals.begin_deal()
        assert list(deals.shuffle(deck)) == order
    assert match.deals.picks == []
    return match


def legal(match: Match, seat: int) -> list[str]:
    return [str(action) for action in match.legal_actions(seat)]


def seen(match: Match, viewer: int | None, zone: str, owner: int | None = None) -> tuple[str, ...]:
    """Returns the cards that the viewer sees in a zone."""
    return match.observe(viewer).zone(zone, owner).cards


def told(match: Match, viewer: int | None, *verbs: str) -> list[tuple[object, ...]]:
    """Returns the events of these verbs that the viewer knows, as (actor, arguments…)."""
    return [
        (event.actor, *event.arguments) for event in match.events(viewer) if event.verb in verbs
    ]


def assert_looks_equal(match: Match, other: Match, seat: int) -> None:
    """Asserts that nothing the seat may see or receive distinguishes the two matches."""
    assert other.to_act == match.to_act
    assert other.observe(seat) == match.observe(seat)
    assert other.events(seat) == match.events(seat)
    assert legal(other, seat) == legal(match, seat)
