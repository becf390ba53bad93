"""What people read of a match has the words of its rulebook, and none of the engine's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from string import Formatter

import pytest

from arena.records.wording import Wording
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Layout, Match, load, own_slugs

each_game = pytest.mark.parametrize("slug", sorted(own_slugs()))
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Joe", "Kim", "Lou"]
MOST_DECISIONS = 200
LOOKS = 8  # decisions from one look at the facts to the next

RULEBOOK_WORDS: Mapping[str, str] = {
    "crash": "flush pair prial run running",
    "dingo": "across",
    "forty-thieves": "blocked stopped won",
    "mexican-sweat": "a card flush four full high house kind of pair straight three two",
    "seven7s": "blue green indigo orange red violet yellow",
}
"""The words that these games use as their rulebooks do, so that they need no other."""
ALWAYS = {"and", "card", "cards", "down", "empty", "face", "no"}


def matches(slug: str) -> Iterator[Match]:
    """Yields positions of matches played at random, at the fewest, usual and most seats."""
    game = load(slug)
    for players in sorted({game.players[0], game.ladder_players, game.players[-1]}):
        rng = Random(f"{slug} {players}")
        match = game.start(players=players)
        for _ in range(MOST_DECISIONS):
            yield match
            if not match.to_act:
                break
            seat = rng.choice(list(match.to_act))
            match.apply(seat, rng.choice(match.legal_actions(seat)))


def wording_of(slug: str, players: int) -> Wording:
    game = load(slug)
    seats = zip(NAMES, game.teams(players), strict=False)
    return Wording(game.layout, [pb.Seat(bot=name, team=team) for name, team in seats])


@cache
def read_by_people(slug: str) -> Mapping[str, str]:
    """Returns the texts of matches, each with the words of the engine that it stands for."""
    texts: dict[str, str] = {}
    for number, match in enumerate(matches(slug)):
        wording = wording_of(slug, match.players)
        for seat in match.to_act:
            for action in match.legal_actions(seat):
                texts[wording.choice(action)] = str(action)
        if number % LOOKS == 0 or not match.to_act:
            texts |= facts_and_events(match, wording)
    return texts


def facts_and_events(match: Match, wording: Wording) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    for viewer in (None, 0, match.players - 1):
        seen = match.observe(viewer)
        for fact in wording.facts(seen.facts, viewer):
            text = f"{fact.label}: {wording.sentence_of(fact)}"
            texts[text] = f"{fact.name} {seen.facts[fact.name]}"
        for zone in seen.zones:
            texts[f"{wording.title(zone.name)}: {wording.held(zone.cards, zone.hidden)}"] = (
                zone.name
            )
        for verb, actor, arguments in match.events(viewer)[-LOOKS * 9 :]:
            words = [str(argument) for argument in arguments]
            texts[wording.event(verb, actor, words)] = " ".join([verb, *words])
    return texts


def literals(pattern: str) -> Iterator[str]:
    """Yields what a pattern says itself, the verbs and nouns of its fields included."""
    for text, _, kind, _ in Formatter().parse(pattern):
        yield text
        if kind and "|" in kind:
            yield kind.replace("|", " ")


def words_in(texts: Iterator[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[^\W\d_]+(?:['_-][^\W\d_]+)*", text)}


def declared_words(layout: Layout, titles: Iterator[str]) -> set[str]:
    """Returns the words that a layout has for people."""

    def patterns() -> Iterator[str]:
        for verb in layout.says:
            yield from layout.sentences(verb)
        for name in [*layout.facts, "chosen", "dealer", "trump", "turn"]:
            yield from (layout.fact(name).label, layout.fact(name).value)

    said = [text for pattern in patterns() for text in literals(pattern)]
    said += [word for words in layout.words.values() for word in words.values()]
    said += [suit.name for suit in layout.suits.values()]
    own = words_in(iter([*said, *titles, layout.nobody]))
    return {word.lower() for word in own | {*NAMES}} | ALWAYS


def check_words(slug: str) -> None:
    layout = load(slug).layout
    wording = wording_of(slug, load(slug).ladder_players)
    known = declared_words(layout, map(wording.title, load(slug).zones))
    known |= set(RULEBOOK_WORDS.get(slug, "").split())
    ranks = {"a", "j", "q", "k"}
    strange = {
        (word, engine)
        for text, engine in read_by_people(slug).items()
        for word in words_in(iter([text]))
        if word.lower() not in known | ranks
    }
    assert not strange


def check_names(slug: str) -> None:
    game = load(slug)
    wording = wording_of(slug, game.ladder_players)
    labels = [game.layout.fact(name).label for name in game.facts]
    for text in [*read_by_people(slug), *map(wording.title, game.zones), *labels]:
        assert not re.search(r"[a-z]_[a-z]|\b(?:seat|team|place) [0-9]", text), text
        assert not {name for name in (*game.facts, *game.zones) if "_" in name and name in text}


def check_cards(slug: str) -> None:
    letters = "".join(load(slug).layout.suits)
    code = re.compile(rf"\b[0-9ATJQK][{letters}]\b|\bT\b")
    for text, engine in read_by_people(slug).items():
        assert not code.search(text), (text, engine)


def check_numbers(slug: str) -> None:
    layout = load(slug).layout
    patterns = [each for verb in layout.says for each in layout.sentences(verb)]
    patterns += [layout.fact(name).value for name in layout.facts]
    nouns = [
        kind.split("|")
        for pattern in patterns
        for _, field, kind, _ in Formatter().parse(pattern)
        if kind and "|" in kind and field != "actor"
    ]
    counted = re.compile(r"\{\d\} (?:cards|tricks|points|stones|chips|turns|moves|discards|times)")
    assert not [text for text in patterns if counted.search(text)]
    for text in read_by_people(slug):
        for one, many in nouns:
            assert not re.search(rf"(?<![\d:-])\b1 {many}\b", text), text
            assert not re.search(rf"\b(?:0|[2-9]|\d\d+) {one}\b", text), text


def check_seats(slug: str) -> None:
    shapes = [shape.split() for shape in load(slug).actions if "SEAT" in shape]
    names = {*NAMES, "the deck"}
    for text, engine in read_by_people(slug).items():
        words = engine.split()
        if any(words[0] == shape[0] and len(words) == len(shape) for shape in shapes):
            assert any(name in text for name in names), (text, engine)


def check_zeros(slug: str) -> None:
    layout = load(slug).layout
    for text, engine in read_by_people(slug).items():
        assert not text.endswith((": ", ":")), (text, engine)
        name = engine.split()[0]
        declared = layout.facts.get(name)
        if declared and text.startswith(f"{declared.label}: ") and declared.place == "table":
            assert declared.zeros or not re.search(r": (step )?(0|-1)\b", text), (text, engine)


@each_game
def test_no_word_of_the_engine_is_left(slug: str) -> None:
    for check in (check_words, check_names, check_cards, check_numbers, check_seats, check_zeros):
        check(slug)


@each_game
def test_every_fact_has_its_words(slug: str) -> None:
    game = load(slug)
    usual = {"dealer", "phase", "turn", "trump"}
    assert game.facts.keys() - usual <= game.layout.facts.keys() <= game.facts.keys()
    labels = [words.label for words in game.layout.facts.values() if words.label]
    assert len(labels) == len(set(labels))
