"""The effects of faults on ranks and ratings."""

from arena.protocol.ranking import final_ranks, move_at_fault, rated
from sevens_games import load

ALONE = (0, 1, 2, 3)
PARTNERS = (0, 1, 0, 1)


def test_without_faults_the_ranks_are_the_games() -> None:
    assert final_ranks([2, 1, 4, 2], ALONE, set()) == [2, 1, 4, 2]


def test_a_seat_at_fault_ranks_below_all_others_even_if_it_won() -> None:
    assert final_ranks([1, 2, 3, 4], ALONE, {0}) == [4, 1, 2, 3]


def test_seats_at_fault_rank_among_themselves_as_the_game_ranked_them() -> None:
    assert final_ranks([1, 2, 3, 4], ALONE, {0, 2}) == [3, 1, 4, 2]


def test_a_tie_stays_a_tie_among_seats_at_fault() -> None:
    assert final_ranks([1, 1, 1, 4], ALONE, {0, 1}) == [3, 3, 1, 2]


def test_a_tie_ends_when_one_of_the_tied_is_at_fault() -> None:
    assert final_ranks([1, 1, 3, 4], ALONE, {1}) == [1, 4, 2, 3]


def test_partners_share_a_rank_and_the_next_rank_skips_by_seats() -> None:
    assert final_ranks([3, 1, 3, 1], PARTNERS, set()) == [3, 1, 3, 1]


def test_a_fault_takes_the_partner_down() -> None:
    assert final_ranks([1, 3, 1, 3], PARTNERS, {2}) == [3, 1, 3, 1]


def test_if_both_teams_are_at_fault_the_game_decides_however_many_faults() -> None:
    assert final_ranks([1, 3, 1, 3], PARTNERS, {0, 2, 3}) == [1, 3, 1, 3]


def test_a_team_whose_seats_the_game_ranked_apart_ranks_by_the_worst() -> None:
    assert final_ranks([1, 2, 4, 3], PARTNERS, set()) == [3, 1, 3, 1]


def test_if_everybody_is_at_fault_the_ranks_are_the_games() -> None:
    assert final_ranks([2, 1, 3, 3], ALONE, {0, 1, 2, 3}) == [2, 1, 3, 3]


def test_a_match_counts_unless_every_team_has_a_fault() -> None:
    assert rated(PARTNERS, set())
    assert rated(PARTNERS, {0, 2})
    assert not rated(PARTNERS, {0, 1})
    assert rated(ALONE, {0, 1, 2})
    assert not rated(ALONE, {0, 1, 2, 3})


def test_the_arena_plays_the_first_action_in_the_order_of_the_texts() -> None:
    assert move_at_fault(["play 9", "play 10", "pass"]) == "pass"
    legal = load("xeri").start().legal_actions(0)
    assert move_at_fault(legal) == min(map(str, legal))
