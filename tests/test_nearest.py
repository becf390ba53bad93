"""What somebody probably meant."""

from __future__ import annotations

from difflib import SequenceMatcher
from unittest.mock import Mock

import pytest

from arena.nearest import LISTED, LONGEST, did_you_mean, nearest, no_such
from sevens_games import slugs


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("xerri", "xeri"),
        ("Xeri", "xeri"),
        ("dnigo", "dingo"),
        ("nowhere", ""),
        ("oh7", "oh-seven"),
        ("oh_seven", "oh-seven"),
        ("rummy", "seven-rummy"),
        ("speed", "california-speed"),
        ("russian", "russian-bank"),
        ("sevens", "seven7s"),
        ("insidious", "insidious-sevens"),
        ("bridge", ""),
        ("", ""),
        ("-", ""),
    ],
)
def test_a_game_is_meant_by_a_slip_or_a_part_of_its_name(typed: str, meant: str) -> None:
    assert nearest(typed, slugs(), most=1) == ([meant] if meant else [])


def test_the_nearest_come_first_and_then_in_order() -> None:
    assert nearest("fisher", ["fish", "fishers", "fischer", "random"]) == [
        "fishers",
        "fischer",
        "fish",
    ]
    assert nearest("bot", ["bot-3", "bot-1", "bot-2", "bot-4"]) == ["bot-1", "bot-2", "bot-3"]


def test_the_question_names_all_of_them() -> None:
    assert did_you_mean("mian", ["main", "other"]) == "Did you mean main?"
    assert did_you_mean("bot", ["bot-1", "bot-2"]) == "Did you mean bot-1 or bot-2?"
    assert did_you_mean("x", ["main"]) == ""


def test_a_sentence_lists_what_there_is_if_nothing_resembles() -> None:
    assert no_such("ladder", "mian", ["main"]) == "There is no ladder 'mian'. Did you mean main?"
    assert no_such("ladder", "x", ["a", "b"]) == "There is no ladder 'x'; there are: a, b."
    assert no_such("ladder", "x", []) == "There is no ladder 'x'; there are none."
    assert no_such("bot", "x", ["a"], "on the ladder main") == (
        "There is no bot 'x' on the ladder main; there are: a."
    )
    many = [f"n{i}" for i in range(LISTED + 1)]
    assert no_such("bot", "x", many).endswith(f"n{LISTED - 1}, and others.")


def test_of_a_stranger_s_name_of_a_megabyte_only_the_beginning_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compare = Mock(wraps=SequenceMatcher)
    monkeypatch.setattr("arena.nearest.SequenceMatcher", compare)
    sentence = no_such("bot", "ab" * 2**19, [f"{i:x}" * 10 for i in range(1000)])
    assert len(sentence) < 2_000
    assert compare.call_count
    assert all(len(call.args[1]) <= LONGEST for call in compare.call_args_list)
