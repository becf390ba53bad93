"""`arena simulate`: tables, one JSON document, and what cannot be simulated."""

import pytest

from tests.support.command_line import Arena

SMALL = ("simulate", "--bots", "8", "--matches", "8", "--runs", "2")


def test_pairings_stand_side_by_side(arena: Arena) -> None:
    told = arena(*SMALL)
    assert told.code == 0
    for name in ("ours", "random", "nearest", "information"):
        assert f"{name} running" in told.out
    assert "at best" in told.out
    assert "no pairing reaches tau 0.95 before" in told.out
    assert told == arena(*SMALL)


def test_one_document_has_it_all(arena: Arena) -> None:
    told = arena(*SMALL, "--pairing", "ours", "--pairing", "random", "--seats", "4", "--json").json
    assert told["terms"] == {
        "bots": 8,
        "seats": 4,
        "teams": 4,
        "own_partners": False,
        "spread": 1.0,
        "draw_probability": 0.005,
        "matches": 8,
    }
    assert [one["pairing"] for one in told["pairings"]] == ["ours", "random"]
    ours = told["pairings"][0]
    assert ours["looks"][-1]["matches"] == 8
    assert -1 <= ours["looks"][-1]["tau_fit"]["value"] <= 1
    assert len(ours["newcomers"]) == 2
    assert len(told["bound"]["taus"]) == len(ours["looks"])


def test_a_game_brings_its_measured_figures_and_options_change_them(arena: Arena) -> None:
    told = arena(*SMALL, "--pairing", "random", "--game", "seven-euchre", "--spread", "2", "--json")
    terms = told.json["terms"]
    assert (terms["seats"], terms["teams"], terms["spread"]) == (4, 2, 2.0)


@pytest.mark.parametrize(
    ("options", "field", "sentence"),
    [
        (("--seats", "4", "--teams", "3"), "teams", "4 seats cannot be divided into 3 teams"),
        (("--seats", "8"), "bots", "8 bots leave nothing to choose where 8 meet"),
        (("--draw-probability", "1"), "draw_probability", "must be from 0.005 to 0.9"),
        (("--game", "xerri"), "game", "xeri"),
        (("--game", "trash"), "spread", "leaves no order to find"),
    ],
)
def test_what_cannot_be_simulated_is_said(
    arena: Arena, options: tuple[str, ...], field: str, sentence: str
) -> None:
    told = arena(*SMALL, *options, "--json")
    assert told.code != 0
    assert told.out == ""
    assert told.error["field"] == field
    assert sentence in told.error["sentence"]
