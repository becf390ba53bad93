"""The samples of `docs/games/` are true: when they are played by the rules, every choice is
legal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sevens_games import Match, SeededDeals, load, slugs

PAGES = Path(__file__).parents[2] / "docs" / "games"
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
ROW = re.compile(r"^\| ([0-9, ]+) \| (`[^|]*`)[^|`]*\|", re.MULTILINE)


def sample_of(slug: str) -> tuple[str, str]:
    """Returns the sentence before the sample, and the sample with its table."""
    page = (PAGES / f"{slug}.md").read_text()
    [paragraph] = re.findall(r"^.*SeededDeals\(.*$", page, re.MULTILINE)
    return paragraph, page[page.index(paragraph) :]


def started(slug: str) -> Match:
    paragraph, _ = sample_of(slug)
    game = load(slug)
    [seed] = re.findall(r'SeededDeals\("(.*?)"\)', paragraph)
    players = re.search(rf"({'|'.join(NUMBERS)}|\d+) (players|seats)", paragraph)
    options: dict[str, Any] = {
        name: game.options[name].parse(value)
        for name, value in re.findall(r"`(\w+)` (\w+)", paragraph)
    }
    return game.start(
        players=int(NUMBERS.get(players[1], players[1])) if players else None,
        options=options,
        deals=SeededDeals(seed),
    )


def choices(slug: str) -> Iterator[tuple[int, str]]:
    """Yields seats and choices from rows with one choice each for several seats, or any number for
    one seat."""
    for seats, texts in ROW.findall(sample_of(slug)[1]):
        at = [int(seat) for seat in seats.split(",")]
        chosen = re.findall("`([^`]*)`", texts)
        yield from zip(at * (len(chosen) // len(at)), chosen, strict=True)


# Races and simultaneous play have tables of other forms.
TOLD_BY_SEATS = [slug for slug in slugs() if "\n| seat | choice |" in sample_of(slug)[1]]


def test_most_samples_are_tables_of_seats_and_choices() -> None:
    assert len(TOLD_BY_SEATS) >= 9


@pytest.mark.parametrize("slug", TOLD_BY_SEATS)
def test_the_sample_can_be_played(slug: str) -> None:
    match = started(slug)
    played = 0
    for seat, text in choices(slug):
        match.apply(seat, text)
        played += 1
    assert played > 5
