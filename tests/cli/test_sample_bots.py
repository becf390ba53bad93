"""Each game's sample bot plays it at every table that the game allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from arena.games import load, slugs
from tests.support.command_line import Arena

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SAMPLES = Path(__file__).parents[2] / "sample_bots"


def sample_bot(slug: str) -> Path:
    """Returns the sample bot with a strategy for this game."""
    [bot] = [
        manifest.parent
        for manifest in SAMPLES.glob("*/bot.toml")
        if tomllib.loads(manifest.read_text())["games"] == [slug]
    ]
    return bot


TABLES = [(slug, players) for slug in slugs() for players in load(slug).players]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_it_plays_without_fault_and_the_record_verifies(
    arena: Arena, slug: str, players: int
) -> None:
    others = ["builtin:random"] * (players - 1)
    told = arena("play", slug, sample_bot(slug), *others, "--seed", "s", "--json")
    assert told.code == 0, told.out
    [match] = told.json["matches"]
    assert len(match["seats"]) == players
    assert arena("verify", match["record"]).code == 0


@pytest.mark.parametrize("slug", slugs())
def test_the_readme_tells_how_good_it_is(slug: str) -> None:
    readme = (SAMPLES / "README.md").read_text()
    assert f"`arena play {slug} sample_bots/{sample_bot(slug).name} " in readme
