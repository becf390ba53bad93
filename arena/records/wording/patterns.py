"""The values of the fields of a pattern: the seat that acts, and words of a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from sevens_games import Layout

if TYPE_CHECKING:
    from arena.records.wording.wording import Wording

RANKS = "0123456789ATJQK"


def is_card(word: str, layout: Layout) -> bool:
    """True if a word is the code of one of the deck's cards."""
    return len(word) == 2 and word[0] in RANKS and word[1] in layout.suits


class Actor:
    """The seat that acts, which a pattern formats alone or with its verb."""

    def __init__(self, name: str, *, is_reader: bool) -> None:
        self._name = name
        self._is_reader = is_reader

    def __format__(self, verbs: str) -> str:
        third_person, _, of_you = verbs.partition("|")
        return f"{self._name} {of_you if self._is_reader else third_person}".strip()


class Words:
    """Words of the engine, which a pattern formats as cards, or by the kind that it names."""

    def __init__(self, wording: Wording, words: Sequence[str]) -> None:
        self._wording = wording
        self._words = words

    def __format__(self, kind: str) -> str:
        if "|" in kind:
            return counted(self._words[0], kind)
        if kind in KINDS:
            return KINDS[kind](self._wording, self._words)
        declared = self._wording.layout.words[kind]
        return ", ".join(
            declared[word] if word in declared else self._wording.card(word) for word in self._words
        )


def counted(number: object, noun: str) -> str:
    """Returns a number with its noun. `noun`: for one and for many, as in `trick|tricks`."""
    one, many = noun.split("|")
    return f"{number} {one if str(number) in ('1', '-1') else many}"


def _seats(wording: Wording, words: Sequence[str]) -> str:
    own = str(wording.own)
    return ", ".join(
        wording.seat(word).lower() if word == own else wording.seat(word) for word in words
    )


def _held(wording: Wording, words: Sequence[str]) -> str:
    if len(words) == 1 and words[0].isdecimal():
        return counted(words[0], "card|cards")
    return wording.cards(words) or "no card"


def _actions(wording: Wording, actions: Sequence[str]) -> str:
    said = map(wording.choice, actions)
    return ", ".join(sentence[:1].lower() + sentence[1:] for sentence in said)


KINDS: Mapping[str, Callable[[Wording, Sequence[str]], str]] = {
    "": lambda wording, words: wording.cards(words),
    "action": lambda wording, words: _actions(wording, [" ".join(words)]),
    "actions": _actions,
    "held": _held,
    "list": lambda wording, words: ", ".join(map(wording.card, words)),
    "named": lambda wording, words: wording.named(words),
    "rank": lambda wording, words: ", ".join(map(wording.rank, "".join(words))),
    "seat": _seats,
    "seats": lambda wording, words: wording.by_seat(words),
    "suit": lambda wording, words: wording.suit(words[0]),
    "team": lambda wording, words: wording.team(int(words[0])),
    "teams": lambda wording, words: wording.by_team(words),
}
"""The kinds that all games have; `Layout.words` has a game's own."""
