"""Invariants of each of our games at every moment: the bounds in `tests/support/game_bounds.py`."""

from random import Random

import pytest

from arena.games.registry import own_slugs
from tests.support.game_bounds import BOUNDS, lying, whole_deck
from tests.support.game_formats import Format, formats, played

POSITIONS = 40  # checked in each match
OWN_FORMATS = [form for slug in sorted(BOUNDS) for form in formats(slug)]
BOUNDED = [form for form in OWN_FORMATS if BOUNDS[form.slug].most_actions is not None]


def test_every_game_of_ours_has_bounds() -> None:
    assert BOUNDS.keys() == own_slugs()


@pytest.mark.parametrize("form", BOUNDED, ids=str)
def test_no_choice_is_wider_than_is_promised(form: Format, seed: int) -> None:
    most = BOUNDS[form.slug].most_actions
    assert most is not None
    for match in played(form, seed).positions(Random(seed), POSITIONS):
        assert max(len(match.legal_actions(seat)) for seat in match.to_act) <= most


@pytest.mark.parametrize("form", OWN_FORMATS, ids=str)
def test_every_card_lies_in_one_place_and_in_a_redealt_match_too(form: Format, seed: int) -> None:
    rng = Random(seed)
    record = played(form, seed)
    for number, match in enumerate([*record.positions(rng, POSITIONS), record.end]):
        assert lying(match) == whole_deck(match)
        if number % 4 == 0:
            redealt = match.redeal(rng.randrange(form.players), rng)
            assert lying(redealt) == whole_deck(match)
