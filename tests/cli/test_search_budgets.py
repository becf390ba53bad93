"""Versions of one bot that differ only by their search budget are put in the right order. Of the
tests of every day, tests/documents/test_tutorial.py plays a comparison until it has a verdict."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command_line import Arena

pytestmark = [pytest.mark.slow, pytest.mark.nightly, pytest.mark.timeout(900)]

SEARCHER = Path(__file__).parents[2] / "sample_bots" / "xeri_searcher"
BUDGETS = (1, 5, 64)
"""So far apart that chance reverses two neighbours in 60 groups once in several thousand times."""
HERE = ("--workers", "2", "--sandbox", "none")


@pytest.fixture
def versions(tmp_path: Path) -> list[Path]:
    """The versions, the weakest first."""
    return [version(budget, tmp_path / f"searcher-{budget}") for budget in BUDGETS]


def version(budget: int, folder: Path) -> Path:
    """Copies the bot, changing its name and its budget alone."""
    shutil.copytree(SEARCHER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / "bot.toml"
    text = manifest.read_text()
    changed = text.replace('"16"', f'"{budget}"').replace("xeri-searcher", folder.name)
    assert changed.count(str(budget)) == 2
    manifest.write_text(changed)
    return folder


def test_a_comparison_calls_the_larger_budget_better(arena: Arena, versions: list[Path]) -> None:
    least, _, most = versions
    told = arena("compare", most, least, "--game", "xeri", "--name", "budgets", *HERE)
    assert told.code == 0, told.err
    assert "searcher-64@1 is better than searcher-1@1" in told.out
    assert arena("compare", "verify", "budgets.jsonl.gz").code == 0


def test_a_swiss_puts_them_in_order(arena: Arena, versions: list[Path]) -> None:
    terms = ("--format", "swiss", "--groups", 60)
    created = arena("tournament", "create", "budgets", "xeri", *versions, *terms)
    assert created.code == 0, created.err
    started = arena("tournament", "start", "budgets", *HERE)
    assert started.code == 0, started.err
    told = arena("tournament", "show", "budgets", "--json").json
    assert [one["bot"] for one in told["standings"]] == ["searcher-64", "searcher-5", "searcher-1"]
