"""The draw probability of equal players is measured, not guessed."""

from arena.ratings.draw_probability import estimate_draw_probability
from arena.ratings.rater import LEAST_DRAW_PROBABILITY, Rater
from sevens_games import load

ONCE, BOTH_WAYS = [(0, 1)], [(0, 1), (1, 0)]
PAIRS, SWAPPED_PAIRS = (0, 1, 0, 1), [(0, 1, 2, 3), (1, 0, 3, 2)]


def test_a_game_that_knows_no_ties_still_allows_for_one() -> None:
    seen = estimate_draw_probability(load("seven-euchre"), {}, PAIRS, [(0, 1, 2, 3)])
    assert seen == LEAST_DRAW_PROBABILITY


def test_equal_players_who_swap_seats_tie_about_every_other_time() -> None:
    assert estimate_draw_probability(load("xeri"), {}, (0, 1), ONCE) < 0.1
    assert 0.4 < estimate_draw_probability(load("xeri"), {}, (0, 1), BOTH_WAYS) < 0.75
    assert 0.3 < estimate_draw_probability(load("seven-euchre"), {}, PAIRS, SWAPPED_PAIRS) < 0.75


def test_it_is_the_same_each_time_and_fit_for_rating() -> None:
    game = load("insidious-sevens")
    seen = estimate_draw_probability(game, {"piiko": True}, range(3), [(0, 1, 2)])
    assert seen == estimate_draw_probability(game, {"piiko": True}, range(3), [(0, 1, 2)])
    Rater(seen)
