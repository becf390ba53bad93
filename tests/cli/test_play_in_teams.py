"""Team games on the command line: tables of any size, and results that count a team once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Arena

RANDOM = "builtin:random"
SHORT = ("--set", "games_to_win=1")


@pytest.mark.parametrize(
    "seats", [5, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (4, 8, 12))]
)
def test_a_bot_for_each_team_plays_at_a_table_of_any_size(
    arena: Arena, samples: Path, seats: int
) -> None:
    told = arena(
        *("play", "envite", samples / "first_bot", RANDOM, "--seats", seats, *SHORT),
        *("--sandbox", "none", "-n", 2, "--json"),
    )
    assert told.code == 0
    document = told.json
    assert document["players"] == seats
    for match in document["matches"]:
        assert [seat["bot"] for seat in match["seats"]] == [
            ("first", RANDOM)[seat % 2] for seat in range(seats)
        ]
        assert arena("verify", match["record"]).code == 0
    assert [total["matches"] for total in document["totals"]] == [2, 2]
    assert sum(total["wins"] for total in document["totals"]) == 2


def test_a_table_that_does_not_fit_is_refused(arena: Arena) -> None:
    told = arena("play", "envite", RANDOM, RANDOM, "--seats", 3)
    assert told.code == 2
    assert "2 bots are given, but --seats is 3" in told.err
    told = arena("play", "xeri", RANDOM, "--seats", 2)
    assert told.code == 2


def test_an_option_that_does_not_fit_the_table_is_refused(arena: Arena) -> None:
    told = arena("play", "envite", RANDOM, RANDOM, "--set", "captain_index=2", "--json")
    assert told.code == 2
    assert told.error == {
        "sentence": "Option captain_index must be an integer from 0 to 1 with 4 players, not 2.",
        "field": "set",
    }
    assert arena("play", "envite", RANDOM, RANDOM, *SHORT, "--set", "captain_index=1").code == 0


def test_teams_of_different_size_do_not_play_duplicate(arena: Arena, samples: Path) -> None:
    two = ("play", "envite", samples / "first_bot", RANDOM, "--duplicate", "--sandbox", "none")
    told = arena(*two, *SHORT, "--seats", 5)
    assert told.code == 2
    assert "With 5 seats the teams of Envite differ in size" in told.err
    matches = arena(*two, *SHORT, "--seats", 6, "--json").json["matches"]
    assert [match["seats"][0]["bot"] for match in matches] == ["first", RANDOM]
