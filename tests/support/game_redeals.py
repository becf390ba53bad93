"""A seat's certain knowledge: what can lie somewhere, and what must, in redealt matches."""

from collections.abc import Sequence
from random import Random

from sevens_games import Match
from tests.support.game_bounds import places, whole_deck
from tests.support.game_tables import assert_looks_equal, seen

ENOUGH = 300  # enough redealt matches for every possible card of a deck to come up


def redealt(match: Match, viewer: int, times: int = ENOUGH) -> list[Match]:
    """Returns matches redealt for the viewer, to whom they all look the same."""
    twins = [match.redeal(viewer, Random(number)) for number in range(times)]
    for twin in twins:
        assert_looks_equal(match, twin, viewer)
    return twins


def possible(twins: Sequence[Match], zone: str, owner: int | None = None) -> set[str]:
    """Returns the cards that lie there in any of the matches."""
    return {card for twin in twins for card in seen(twin, None, zone, owner)}


def always(twins: Sequence[Match], zone: str, owner: int | None = None) -> set[str]:
    """Returns the cards that lie there in all of the matches."""
    return set.intersection(*[set(seen(twin, None, zone, owner)) for twin in twins])


def possible_at(
    twins: Sequence[Match], place: int, zone: str, owner: int | None = None
) -> set[str]:
    """Returns the cards that lie at this place of the zone in any of the matches."""
    return {seen(twin, None, zone, owner)[place] for twin in twins}


def unseen(match: Match, viewer: int) -> set[str]:
    """Returns the cards of the deck that the viewer does not see now."""
    zones = places(match, match.observe(viewer))
    return set(whole_deck(match)).difference(*[zone.cards for zone in zones])
