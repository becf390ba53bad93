"""Each sample bot of one game plays it at every table that the game allows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sevens_games import load, slugs
from tests.support.command_line import Arena

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "sample_bots"


def slug_of(bot: Path) -> str | None:
    """Returns the game for which the bot has a strategy; None if it plays every game."""
    games = tomllib.loads((bot / "bot.toml").read_text()).get("games", [])
    return games[0] if len(games) == 1 else None


BOTS = {
    manifest.parent.name: slug
    for manifest in sorted(SAMPLES.glob("*/bot.toml"))
    if (slug := slug_of(manifest.parent))
}


def tables() -> Iterator[Any]:
    """Yields each bot with its game and a number of players; at night those between the fewest and
    the most."""
    for bot, slug in BOTS.items():
        numbers = load(slug).players
        for players in numbers:
            is_between = min(numbers) < players < max(numbers)
            yield pytest.param(
                *(bot, slug, players), marks=[pytest.mark.nightly] if is_between else []
            )


def test_every_game_has_one() -> None:
    assert set(BOTS.values()) == set(slugs())


@pytest.mark.parametrize(("bot", "slug", "players"), [*tables()])
def test_it_plays_without_fault_and_the_record_verifies(
    arena: Arena, bot: str, slug: str, players: int
) -> None:
    others = ["builtin:random"] * (players - 1)
    told = arena("play", slug, SAMPLES / bot, *others, "--seed", "s", "--json")
    assert told.code == 0, told.out
    [match] = told.json["matches"]
    assert len(match["seats"]) == players
    assert arena("verify", match["record"]).code == 0


@pytest.mark.parametrize(("bot", "slug"), BOTS.items())
def test_the_readme_tells_how_good_it_is(bot: str, slug: str) -> None:
    readme = (SAMPLES / "README.md").read_text()
    assert f"`arena play {slug} sample_bots/{bot} " in readme
