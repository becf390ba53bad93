"""The search for the request that each answer of a seed belongs to."""

from random import Random
from typing import Any

import pytest

from sevens_games import SeededDeals
from sevens_games.cards.standard import DECK
from tests.support.javascript import Call, answers_of

pytestmark = pytest.mark.needs("node")

SEED = "any text"


def mixed_deals(rng: Random) -> SeededDeals:
    """Returns deals with picks before and after shuffles of the rest of the cards."""
    deals = SeededDeals(SEED)
    for _ in range(rng.randint(1, 4)):
        deals.begin_deal()
        deals.shuffle(DECK)
        for _ in range(rng.randint(0, 7)):
            if rng.randint(0, 2):
                deals.pick(rng.randint(1, 52))
            else:
                rest = rng.sample(DECK, rng.choice([0, 1, 2, 7, 20, 52]))
                deals.shuffle(sorted(rest, key=DECK.index))
    return deals


def explained(shuffles: list[list[str]], picks: list[int]) -> Call:
    asked = {
        "seed": {"hex": SEED.encode().hex()},
        "shuffles": shuffles,
        "picks": picks,
        "deck": list(DECK),
        "pickedFrom": None,
    }
    return Call("verify/dealing.js", "explained", [asked])


def test_picks_and_shuffles_are_told_apart_without_the_rules() -> None:
    played = [mixed_deals(Random(f"dealing {number}")) for number in range(100)]
    found = answers_of([explained(deals.shuffles, deals.picks) for deals in played])
    for deals, counts in zip(played, found, strict=True):
        assert (counts["shuffles"], counts["picks"]) == (len(deals.shuffles), len(deals.picks))


def test_a_wrong_card_is_found_between_picks() -> None:
    calls, places = [], []
    for number in range(100):
        deals = mixed_deals(Random(f"dealing {number}"))
        place = max(index for index, cards in enumerate(deals.shuffles) if len(cards) > 7)
        shuffles: list[Any] = deals.shuffles
        cards = shuffles[place]
        cards[0], cards[6] = cards[6], cards[0]
        calls.append(explained(shuffles, deals.picks))
        places.append(place)
    for place, counts in zip(places, answers_of(calls), strict=True):
        assert counts["shuffles"] == place


def test_a_forger_who_lists_many_picks_does_not_stop_the_page() -> None:
    deals = SeededDeals(SEED)
    deals.begin_deal()
    deals.shuffle(DECK)
    shuffles = [*deals.shuffles, list(DECK)]
    [counts] = answers_of([explained(shuffles, picks=[0] * 100_000)])
    assert counts["shuffles"] == 1
