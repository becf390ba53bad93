"""The sample bot that searches plays every game without fault, and better than at random.

Budgets are numbers of playouts here, so that a busy machine changes nothing.
"""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from bench.duplicate.sample_seat import Player, SampleSeat, bot_class
from bench.searcher import difference
from sevens_games import SeededDeals, load, slugs
from sevens_sdk import Decision
from tests.support.command_line import Arena

pytestmark = pytest.mark.slow

SEARCHER = Path(__file__).parents[2] / "sample_bots" / "searcher"
DECISIONS = 10  # of a match, some of which have thousands
REHEARSAL = 1_000  # choices
AGAINST_RANDOM = ("insidious-sevens", "kontsina", "oh-seven")


def searcher(playouts: int) -> Any:
    base: Any = bot_class("searcher")

    class Checked(base):  # type: ignore[misc]
        def choose(self, decision: Decision) -> str:
            choice = str(super().choose(decision))
            assert choice in decision.legal
            return choice

    Checked.playouts, Checked.rehearsal = playouts, REHEARSAL
    return Checked


@pytest.mark.parametrize("slug", slugs())
def test_it_chooses_what_is_legal(slug: str) -> None:
    game = load(slug)
    match = game.start(players=game.players[-1], deals=SeededDeals(slug))
    player = Player(searcher(3))
    bots = [
        SampleSeat(match, seat, player, sha256(f"{seat}".encode()).digest())
        for seat in range(match.players)
    ]
    for _ in range(DECISIONS):
        for seat in match.to_act[:1]:
            match.apply(seat, bots[seat].choose())


def test_a_decision_is_repeated_without_those_before_it() -> None:
    match = load("oh-seven").start(players=2, deals=SeededDeals("again"))
    seed = bytes(32)
    bots = [SampleSeat(match, seat, Player(searcher(8)), seed) for seat in range(2)]
    for _ in range(DECISIONS):
        seat = match.to_act[0]
        fresh = SampleSeat(match, seat, Player(searcher(8)), seed)
        fresh._decisions = bots[seat]._decisions  # its randomness follows from the number
        choice = bots[seat].choose()
        assert fresh.choose() == choice
        match.apply(seat, choice)


def test_it_is_clearly_better_than_random() -> None:
    """By more than a rank, where a bot as good as the others has the difference 0."""
    found = [
        difference(load(slug), slug, searcher(12), bot_class("random_bot")).ranks
        for slug in AGAINST_RANDOM
    ]
    assert fmean(found) < -1, found


@pytest.mark.needs("bubblewrap")
def test_it_repeats_its_match_in_the_sandbox(arena: Arena, tmp_path: Path) -> None:
    bot = Path(shutil.copytree(SEARCHER, tmp_path / "searcher"))
    manifest = bot / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"--ms", "200"', '"--playouts", "2"'))
    told = arena("play", "xeri", bot, "builtin:random", "--json")
    assert told.code == 0, told.out
    [match] = told.json["matches"]
    assert not [seat for seat in match["seats"] if seat.get("fault")]
    [record] = tmp_path.rglob("xeri-1-1.json")
    assert arena("rewind", record, bot).code == 0  # a fresh process answers the same
