from __future__ import annotations

import re

import pytest

from sevens_games import load, own_slugs

ENGINE_WORDS = re.compile(
    r"\b(seats?|actions?|decisions?|ticks?|zones?|facts?|phases?|options?|observations?)\b", re.I
)
CARD_CODE = re.compile(r"\b([2-9ATJQK][CDHS]|\d\w)\b")
LONGEST = 200


@pytest.mark.parametrize("slug", sorted(own_slugs()))
def test_a_game_is_told_in_a_few_sentences_for_people(slug: str) -> None:
    sentences = load(slug).how_to_play
    assert 3 <= len(sentences) <= 6
    for sentence in sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert ". " not in sentence
        assert len(sentence) <= LONGEST
        assert not ENGINE_WORDS.search(sentence)
        assert not CARD_CODE.search(sentence.replace("7s", ""))
        assert not set("`_{}()") & set(sentence)
