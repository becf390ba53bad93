"""Invariants of each of our games at every moment: the bounds in `tests/support/game_bounds.py`."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from sevens_games import Match, SeededDeals
from sevens_games.registry import own_slugs
from tests.support.game_bounds import BOUNDS, lying, whole_deck
from tests.support.game_formats import Format, formats, in_each_format, played

BETWEEN_WORDS = re.compile(r"[^A-Za-z0-9-]+")

POSITIONS = 40  # checked in each match
REDEALS = 3000  # of the cards of a deck, each comes up at a certain place, but once in 10**20 tries
BOUNDED = sorted(slug for slug in BOUNDS if BOUNDS[slug].most_actions is not None)


def usual_formats(slug: str) -> list[Format]:
    return [form for form in formats(slug) if form.option is None and form.players <= 5]


def test_every_game_of_ours_has_bounds() -> None:
    assert BOUNDS.keys() == own_slugs()


@in_each_format(BOUNDED)
def test_no_choice_is_wider_than_is_promised(form: Format, seed: int) -> None:
    most = BOUNDS[form.slug].most_actions
    assert most is not None
    for match in played(form, seed).positions(Random(seed), POSITIONS):
        assert max(len(match.legal_actions(seat)) for seat in match.to_act) <= most


@in_each_format(sorted(BOUNDS))
def test_every_card_lies_in_one_place_and_in_a_redealt_match_too(form: Format, seed: int) -> None:
    rng = Random(seed)
    record = played(form, seed)
    for number, match in enumerate([*record.positions(rng, POSITIONS), record.end]):
        assert lying(match) == whole_deck(match)
        if number % 4 == 0:
            redealt = match.redeal(rng.randrange(form.players), rng)
            assert lying(redealt) == whole_deck(match)


def hidden_cards(match: Match, viewer: int) -> dict[tuple[str, int | None], Counter[str]]:
    """Returns, by zone and owner, the cards that are hidden from the viewer there."""
    truth = match.observe(None)
    return {
        (zone.name, zone.owner): Counter(truth.zone(zone.name, zone.owner).cards)
        - Counter(zone.cards)
        for zone in match.observe(viewer).zones
        if zone.hidden
    }


def lies(match: Match, viewer: int) -> Iterator[tuple[str, int | None, str, str]]:
    """Yields each hidden zone, as name and owner, with each card hidden there; of a pile, also with
    the cards at its ends."""
    for (name, owner), cards in hidden_cards(match, viewer).items():
        yield from ((name, owner, "somewhere", card) for card in cards)
        if name in BOUNDS[match.game.slug].piles:
            pile = match.observe(None).zone(name, owner).cards
            known = match.observe(viewer).zone(name, owner).cards
            ends = {"first": pile[0], "last": pile[len(pile) - len(known) - 1]}
            yield from ((name, owner, end, card) for end, card in ends.items())


def nothing_hidden_was_seen(match: Match, viewer: int) -> bool:
    """Returns whether no card that is hidden from the viewer has been shown before: one of a first
    pile that was dealt again, say. Where such a card may lie, the tests of its game say. Of cards
    that are there twice nobody can tell."""
    if max(whole_deck(match).values()) > 1:
        return True
    seen = {card for zone in match.observe(viewer).zones for card in zone.cards}
    seen |= set(BETWEEN_WORDS.split(str(match.events(viewer))))
    hidden = {card for cards in hidden_cards(match, viewer).values() for card in cards}
    return not seen & hidden


@pytest.mark.slow
@in_each_format(sorted(BOUNDS), usual_formats)
def test_after_the_deal_any_unseen_card_can_lie_in_any_hidden_place(
    form: Format, seed: int
) -> None:
    """Where each player has a deck, it is one of that deck."""
    rng = Random(seed)
    viewer = rng.randrange(form.players)
    apart = BOUNDS[form.slug].decks(form.players) > 1
    starts = (form.start(SeededDeals(f"{seed} {number}")) for number in range(100))
    match = next(one for one in starts if nothing_hidden_was_seen(one, viewer))
    zones = hidden_cards(match, viewer)
    missing = {
        (name, owner, place, card)
        for name, owner, place, _ in lies(match, viewer)
        for (_, of), cards in zones.items()
        for card in cards
        if of == owner or not apart
    }
    assert missing
    for _ in range(REDEALS):
        missing.difference_update(lies(match.redeal(viewer, rng), viewer))
        if not missing:
            break
    assert not missing
