"""The last choices of a deal, where nothing is hidden, are weighed by exact play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

import pytest

from arena.analysis.choices import Choices
from arena.analysis.endgame import Value, is_known, solved
from arena.analysis.later_deals import LaterDeals, Outcome, outcome_of
from sevens_games import Experience, Match, SeededDeals, load

MATCHES = 12
FEW = 4  # actions; all that can follow is searched quickly


def positions(slug: str, **options: int) -> Iterator[tuple[Match, int]]:
    """Yields guesses with a choice, and the seat, from matches of two seats at random."""
    for number in range(MATCHES):
        rng = Random(number)
        match = load(slug).start(players=2, options=options, deals=SeededDeals(f"end/{number}"))
        while match.to_act:
            seat = match.to_act[0]
            legal = match.legal_actions(seat)
            if len(legal) > 1:
                yield match.redeal(seat, rng), seat
            match.apply(seat, rng.choice(legal))


def known(slug: str, **options: int) -> Iterator[tuple[Match, int]]:
    return (each for each in positions(slug, **options) if is_known(each[0], Random(0)))


def endgames() -> Iterator[tuple[Match, int]]:
    """Yields the positions with few actions in the only deal of a match of Xeri."""
    return (
        (match, seat)
        for match, seat in known("xeri", deals=1)
        if len(match.legal_actions(seat)) <= FEW
    )


def worth_to(seat: int, outcome: Outcome) -> Value:
    own, other = outcome.scores[seat], outcome.scores[1 - seat]
    return -outcome.ranks[seat], own - other


def by_all_that_can_follow(match: Match) -> Value:
    """Returns what the position is worth to the first seat: minimax without bounds."""
    if not match.to_act:
        return worth_to(0, outcome_of(match))
    (seat,) = match.to_act
    worths = [by_all_that_can_follow(after(match, each)) for each in match.legal_actions(seat)]
    return min(worths) if seat else max(worths)


def after(match: Match, action: str) -> Match:
    twin = match.clone()
    twin.apply(match.to_act[0], action)
    return twin


def test_exact_play_is_that_of_a_search_of_all_that_can_follow() -> None:
    found = 0
    for match, seat in endgames():
        ends = solved(match, partial(worth_to, seat))
        assert [*ends] == match.legal_actions(seat)
        for action, end in ends.items():
            assert worth_to(0, end) == by_all_that_can_follow(after(match, action))
            found += 1
    assert found > MATCHES * FEW


def test_a_choice_is_behind_by_the_ranks_that_it_loses() -> None:
    policy = Experience([0, 1])
    losses = set()
    for match, seat in endgames():
        ends = solved(match, partial(worth_to, seat))
        best = min(end.ranks[seat] for end in ends.values())
        for chosen in match.legal_actions(seat):
            choices = Choices(match, seat, policy, LaterDeals(policy), "x", 2)
            weighed = choices.weighed(str(chosen), budget=20)
            assert weighed.exact
            [action] = [each for each in weighed.actions if each.action == chosen]
            assert action.behind.mean == ends[chosen].ranks[seat] - best
            losses.add(action.behind.mean)
    assert losses >= {0, 1}


@pytest.mark.parametrize(("slug", "why"), [("xeri", "hidden"), ("crash", "at once")])
def test_it_is_not_known_what_is_hidden_or_chosen_at_once(slug: str, why: str) -> None:
    first, _ = next(positions(slug))
    assert not is_known(first, Random(0)), why


def test_more_than_two_sides_are_not_solved() -> None:
    match = load("jack-change-it").start(players=3, deals=SeededDeals("three"))
    assert not is_known(match, Random(0))


def test_a_deal_that_may_go_on_for_ever_is_not_solved() -> None:
    match, seat = next(known("russian-bank"))
    assert solved(match, partial(worth_to, seat)) == {}


def test_a_deal_is_not_solved_if_cards_are_shuffled_before_its_end() -> None:
    for match, seat in islice(known("jack-change-it"), 4):
        assert solved(match, partial(worth_to, seat)) == {}
