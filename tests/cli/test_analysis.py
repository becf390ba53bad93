"""`arena analyse` and `arena review` on a record in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.records import seal
from tests.support.command_line import Arena
from tests.support.played_matches import played


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A match of one deal in which seat 1 could capture with 9♦ at decision 32, and does not."""
    file = tmp_path / "match.json"
    seal(played("xeri", deals=1).record).save(file)
    return file


def test_analyse_prints_marks_and_accuracy_with_their_errors(arena: Arena, record: Path) -> None:
    told = arena("analyse", record, "--seat", 1, "--budget", 100).out
    [line] = [line for line in told.splitlines() if line.startswith("Decision 32,")]
    assert "Play 3♠ lost" in line
    assert line.endswith("of a rank on Play 9♦: blunder.")
    assert told.splitlines()[0].split() == [
        *("seat", "bot", "decisions", "accuracy", "ranks", "lost"),
        *("luck", "blunders", "mistakes", "inaccuracies"),
    ]
    document = arena("analyse", record, "--seat", 1, "--budget", 100, "--json").json
    assert document["decisions"][0]["loss"].keys() == {"mean", "error"}
    assert [play["seat"] for play in document["plays"]] == [1]


def test_review_shows_the_worst_decisions_first(arena: Arena, record: Path) -> None:
    arguments = ("review", record, "--seat", 1, "--budget", 100, "--worst", 2)
    shown = arena(*arguments, "--json").json["decisions"]
    beyond = [one["loss"]["mean"] - one["loss"]["error"] for one in shown]
    assert beyond == sorted(beyond, reverse=True)
    assert len(shown) == 2
    told = arena(*arguments).out
    assert f"arena replay {record} --seat 1 --at {shown[0]['decision']}" in told


def test_a_budget_of_nothing_is_refused(arena: Arena, record: Path) -> None:
    told = arena("analyse", record, "--budget", 0)
    assert (told.code, "`budget` is 0" in told.err) == (2, True)


def test_an_arena_is_asked_only_for_what_it_does(arena: Arena, record: Path) -> None:
    told = arena("analyse", record, "--on-arena", "--seat", 1)
    assert (told.code, "give --seat, --budget and --seed without" in told.err) == (2, True)
    told = arena("analyse", record, "--on-arena")
    assert (told.code, "No arena runs on" in told.err) == (2, True)
