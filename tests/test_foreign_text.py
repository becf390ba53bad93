"""Text that strangers write: bounded where it enters, visible where it is read."""

from __future__ import annotations

import unicodedata
from collections import defaultdict

import pytest

from arena.bots.interface import BotLost
from arena.conformance.finding import Finding
from arena.foreign_text import (
    FINDING_LIMIT_BYTES,
    SENTENCE_LIMIT_BYTES,
    WORDS_LIMIT_BYTES,
    beginning,
    ending,
    visible,
    visible_lines,
)
from arena.protocol.faults import FaultKind
from tests.support.hostile import HOSTILE, assert_harmless

MEBIBYTE = 1024 * 1024
HARMFUL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_every_harmful_character_is_escaped_and_every_letter_stays() -> None:
    by_category: dict[str, list[str]] = defaultdict(list)
    for number in range(0x20000):  # beyond are private and unassigned ones, and rare ideographs
        by_category[unicodedata.category(chr(number))].append(chr(number))
    for name in HARMFUL:
        shown = visible("".join(by_category[name]))
        assert shown.isascii()
        assert shown.isprintable()
    for name in ("Ll", "Lu", "Nd", "Sm"):
        letters = "".join(by_category[name])
        assert visible(letters) == letters


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grüße, 世界 ♣", "Grüße, 世界 ♣"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x9b1m\u202e\ud800\U000e0041", "\\x9b1m\\u202e\\ud800\\U000e0041"),
        ("\u3164\u115f\u2800\ufe0f", "\\u3164\\u115f\\u2800\\ufe0f"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "\\u0301\\u0301"),
    ],
)
def test_what_is_escaped_can_be_read(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_lines_stay_lines_where_they_may() -> None:
    assert visible_lines("a\tb\r\nc\x0bd\n") == "a    b\\r\nc\\x0bd\n"


@pytest.mark.parametrize("text", ["x" * MEBIBYTE, "€" * MEBIBYTE, "\x1b" * MEBIBYTE, HOSTILE * 999])
def test_what_a_lost_bot_wrote_is_bounded_where_it_enters(text: str) -> None:
    loss = BotLost(FaultKind.CRASHED, text, text)
    assert 0 < len(loss.sentence.encode()) <= SENTENCE_LIMIT_BYTES
    assert 0 < len(loss.words.encode()) <= WORDS_LIMIT_BYTES
    assert_harmless(loss.sentence)
    finding = Finding("hello", False, text, text, text)
    for part in (finding.sentence, finding.sent, finding.came_back):
        assert len(part.encode()) <= FINDING_LIMIT_BYTES


def test_no_character_is_cut_in_two() -> None:
    assert beginning("€€", 5) == "€"
    assert ending("€€", 5) == "€"
    assert beginning("\ud800x", 9) == "?x"
