"""`python -m bench budgets`: its groups, and the figures that follow from them."""

from __future__ import annotations

from io import StringIO
from itertools import islice
from random import Random

import pytest
from rich.console import Console

from arena.statistics import Design, Verdict
from bench import budgets
from bench.budgets import sequential, swiss
from bench.budgets.field import HOUSE, NAMES, PAIRS, VERSIONS, VERSUS
from bench.budgets.pool import Played, Pool
from bench.budgets.sequential import EFFECT, length
from bench.budgets.swiss import right_orders
from bench.budgets.way import WAYS, Way
from bench.luck import adjusted

SINGLE, SINGLE_LESS_LUCK, GROUPS, GROUPS_LESS_LUCK = WAYS


def made_up(rng: Random, mean: float, count: int = 400) -> list[Played]:
    """Groups in which the deal favours a seat, luck says so, and one bot is better by `mean`."""
    groups = []
    for _ in range(count):
        deal = rng.gauss(0, 0.5)
        a, b = (mean + rng.gauss(0, 0.3) for _ in range(2))
        groups.append(Played((a + deal, b - deal), (deal, -deal)))
    return groups


# The pool -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_group_follows_from_its_number() -> None:
    pair = VERSUS[-1]
    pools = [Pool("s"), Pool("s"), Pool("other")]
    for pool in pools:
        pool.play(*pair)
        pool.play(*pair)
    once, again, other = (pool.of(*pair) for pool in pools)
    assert once == again
    assert once[0] != once[1]
    assert once != other


# Ways of playing ----------------------------------------------------------------------------------


def test_a_series_has_whole_groups_or_matches_whose_seatings_take_turns() -> None:
    groups = [Played((1.0, 0.0), (0.5, 0.1)), Played((0.0, -1.0), (0.2, 0.4))]
    assert GROUPS.plain(groups) == [0.5, -0.5]
    assert SINGLE.plain(groups) == [1.0, -1.0]
    assert (SINGLE.matches, GROUPS.matches) == (1, 2)


def test_luck_is_subtracted_as_the_arena_does(seed: int) -> None:
    groups = made_up(Random(seed), 0.1)
    turned = [turn % 2 for turn in range(len(groups))]
    points = [group.points[turn] for group, turn in zip(groups, turned, strict=True)]
    luck = [group.luck[turn] for group, turn in zip(groups, turned, strict=True)]
    assert SINGLE_LESS_LUCK.series(groups) == adjusted(points, luck)


def test_the_spread_shrinks_by_what_groups_or_luck_explain(seed: int) -> None:
    groups = made_up(Random(seed), 0.1, 4000)
    assert SINGLE.spread(groups) == pytest.approx(0.583, rel=0.1)
    assert SINGLE_LESS_LUCK.spread(groups) == pytest.approx(0.3, rel=0.1)
    for way in (GROUPS, GROUPS_LESS_LUCK):
        assert way.spread(groups) == pytest.approx(0.212, rel=0.1)


# The figures --------------------------------------------------------------------------------------


def test_less_noise_takes_fewer_matches_for_the_same_effect(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(sequential, "RUNS", 40)
    groups = made_up(Random(seed), 2 * EFFECT)
    lengths = {way: length(way, groups, str(seed)) for way in WAYS}
    assert all(found.right > 0.8 for found in lengths.values())
    assert lengths[GROUPS].median < lengths[SINGLE].median
    assert lengths[SINGLE_LESS_LUCK].median < lengths[SINGLE].median
    assert lengths[GROUPS] == length(GROUPS, groups, str(seed))


def test_a_worse_version_is_not_called_better(seed: int) -> None:
    groups = made_up(Random(seed), -EFFECT)
    terms = Design(widest=None)
    assert sequential.tested(GROUPS, groups, terms, Random(seed)).verdict is Verdict.NOT_BETTER


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("better", [1.0, -1.0])
def test_a_swiss_has_the_right_order_if_the_better_always_win(
    monkeypatch: pytest.MonkeyPatch, way: Way, better: float
) -> None:
    monkeypatch.setattr(swiss, "RUNS", 2)
    won = Played((better, better), (0.0, 0.0))
    certain = Pool("s", {pair: [won] * 12 for pair in PAIRS})
    assert set(right_orders(way, certain, "s").values()) == {float(better > 0)}


def test_the_field_has_every_pair_once() -> None:
    assert set(NAMES) == {*VERSIONS, HOUSE}
    assert len({frozenset(pair) for pair in PAIRS}) == 6
    assert all(int(better) > int(worse) for better, worse in VERSUS)


def test_the_tables_are_the_same_again(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """All but the CPU time, in the last table."""
    monkeypatch.setattr(sequential, "RUNS", 4)
    monkeypatch.setattr(swiss, "RUNS", 2)
    pool = Pool("s", {pair: made_up(Random(seed), 0.2, 40) for pair in PAIRS})
    texts = []
    for _ in range(2):
        out = Console(file=StringIO(), width=200, record=True)
        for table in islice(budgets.tables_of(pool), 2):
            out.print(table)
        texts.append(out.export_text())
    assert texts[0] == texts[1]
    assert "32 and 8" in texts[0]
    assert "duplicate groups, less luck" in texts[0]
