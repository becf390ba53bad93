"""Bots in other languages search by the rules that `sevens_games.serve` answers for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.records import PRIVATE_SUFFIX
from tests.support.sdk_examples import Examples

Arena = Callable[..., Any]

pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap"), pytest.mark.timeout(900)]


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("go", "rust")]
)
@pytest.mark.parametrize(
    ("slug", "others", "short"), [("xeri", 1, "deals=1"), ("oh-seven", 3, "max_rounds=7")]
)
def test_the_searcher_plays_any_game_with_the_rules_of_the_sandbox(
    arena: Arena, examples_of: Examples, language: str, slug: str, others: int, short: str
) -> None:
    bots = (examples_of(language) / "searcher", *["builtin:random"] * others)
    told = arena("play", slug, *bots, "--set", short, "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0] * len(told["totals"])
    [match] = told["matches"]
    notes = Path(match["record"]).with_suffix(PRIVATE_SUFFIX).read_text()
    assert " guesses" in notes
