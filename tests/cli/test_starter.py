"""The idea of the bot that `arena bot new` creates fits every game, and beats chance in many."""

from __future__ import annotations

import pytest

from sevens_games import load, slugs
from tests.support.command_line import Arena

pytestmark = pytest.mark.slow

BEATEN = ("xeri", "kontsina", "seven-rummy", "california-speed", "russian-bank", "seven-euchre")


@pytest.fixture(autouse=True)
def starter(arena: Arena) -> None:
    assert arena("bot", "new", "mine", "--language", "python").code == 0


@pytest.mark.parametrize("slug", slugs())
def test_it_plays_every_game_without_fault(arena: Arena, slug: str) -> None:
    others = ["builtin:random"] * (min(load(slug).players) - 1)
    told = arena("play", slug, "mine", *others, "--seed", "s", "--json")
    assert told.code == 0, told.err
    assert {total["faults"] for total in told.json["totals"]} == {0}


@pytest.mark.parametrize("slug", BEATEN)
def test_it_beats_chance(arena: Arena, slug: str) -> None:
    told = arena("play", slug, "mine", "builtin:random", "-n", 8, "--seed", "s", "--json")
    assert told.json["totals"][0]["wins"] >= 6
