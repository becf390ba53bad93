"""The results of a job, as ratings take them."""

import pytest

from arena.ratings.job_result import JobResult, RatedSeat, job_result


def match(teams: str, versions: str, ranks: str) -> list[RatedSeat[str]]:
    """Returns a match by seat: `match("0101", "abcd", "1313")`."""
    seats = zip(teams, versions, ranks, strict=True)
    return [RatedSeat(version, int(team), int(rank)) for team, version, rank in seats]


def test_a_single_match_is_its_result() -> None:
    assert job_result([match("012", "abc", "131")]) == JobResult(
        (("a",), ("b",), ("c",)), (1, 3, 1)
    )


def test_partners_are_a_team_at_its_first_seat() -> None:
    result = job_result([match("0101", "abcd", "3131")])
    assert result == JobResult((("a", "c"), ("b", "d")), (2, 1))


def test_a_version_that_is_its_own_partner_is_one_player() -> None:
    assert job_result([match("0101", "abab", "1313")]) == JobResult((("a",), ("b",)), (1, 2))


def test_teams_of_different_size_rank_as_teams() -> None:
    assert job_result([match("01010", "abcde", "41414")]).ranks == (2, 1)


def test_a_duplicate_group_is_ranked_by_the_sum_of_ranks() -> None:
    even = [match("01", "ab", "12"), match("01", "ba", "12")]
    assert job_result(even) == JobResult((("a",), ("b",)), (1, 1))
    ahead = [match("01", "ab", "12"), match("01", "ba", "11")]
    assert job_result(ahead) == JobResult((("a",), ("b",)), (1, 2))


def test_partners_who_stay_together_are_rated_as_a_team() -> None:
    group = [match("0101", "abcd", "1313"), match("0101", "badc", "3131")]
    assert job_result(group) == JobResult((("a", "c"), ("b", "d")), (1, 2))


def test_where_partners_change_each_is_rated_by_its_own_ranks() -> None:
    group = [
        match("0101", "abcd", "1313"),  # a and c win
        match("0101", "abdc", "1313"),  # a and d win
        match("0101", "acbd", "3131"),  # c and d win
    ]
    result = job_result(group)
    assert dict(zip(result.teams, result.ranks, strict=True)) == {
        ("a",): 1,
        ("c",): 1,
        ("d",): 1,
        ("b",): 4,
    }


def test_a_version_that_plays_against_itself_is_not_rated() -> None:
    with pytest.raises(ValueError, match="plays against itself"):
        job_result([match("01", "aa", "12")])
