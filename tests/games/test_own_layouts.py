from __future__ import annotations

from collections.abc import Collection
from string import Formatter

import pytest

from sevens_games import Layout, load, own_slugs

each_game = pytest.mark.parametrize("slug", sorted(own_slugs()))
ZONES = ("hands", "tricks", "piles", "stocks", "columns", "ace_piles", "records")


def declared(layout: Layout, field: str) -> tuple[str, ...]:
    """Returns what a game declares itself: the defaults name what other games have."""
    names: tuple[str, ...] = getattr(layout, field)
    return () if names == getattr(Layout(), field) else names


def exists(name: str, among: Collection[str]) -> bool:
    return any(other.startswith(name) if name.endswith("-") else other == name for other in among)


@each_game
def test_every_name_in_a_layout_is_one_of_the_games(slug: str) -> None:
    game = load(slug)
    layout = game.layout
    verbs = {*game.events, *(action.split()[0] for action in game.actions)}
    rows = [name for row in layout.rows for name in row]
    zones = [name for field in ZONES for name in declared(layout, field)]
    facts = [*layout.facts, *layout.groups.values(), *([layout.order] if layout.order else [])]
    clicked = [name.removeprefix("other ") for name in layout.clicks]
    named = (*zones, *rows, *layout.groups, *layout.titles, *clicked)
    assert [name for name in named if not exists(name, game.zones)] == []
    meant = {text.split()[0] for texts in layout.clicks.values() for text in texts}
    assert meant <= {action.split()[0] for action in game.actions}
    assert [name for name in facts if name not in game.all_facts] == []
    assert {*layout.says, *layout.trick_ends, layout.deal} <= verbs


@each_game
def test_every_verb_has_words(slug: str) -> None:
    game = load(slug)
    verbs = {*game.events, *(action.split()[0] for action in game.actions)}
    assert verbs == game.layout.says.keys()


SECOND_PERSON = {"is": "are", "has": "have", "goes": "go"}
PAST = ("gave", "passed", "called", "dealt")


def of_you(verb: str) -> set[str]:
    """Returns what a verb in the third person may be after "you"."""
    if verb in SECOND_PERSON:
        return {SECOND_PERSON[verb]}
    return {verb.removesuffix("s"), verb.removesuffix("es")} - {verb}


@each_game
def test_every_verb_has_its_second_person(slug: str) -> None:
    layout = load(slug).layout
    for verb, sentence in [(each, one) for each in layout.says for one in layout.sentences(each)]:
        for _, field, verbs, _ in Formatter().parse(sentence):
            if field != "actor":
                continue
            if not verbs:
                after = sentence.partition("{actor}")[2]
                assert after.startswith(":") or after.split()[0].rstrip(",") in PAST, (
                    verb,
                    sentence,
                )
                continue
            third, second = verbs.split("|")
            pairs = list(zip(third.split(" "), second.split(" "), strict=True))
            differ = [(before, after) for before, after in pairs if before != after]
            assert differ[0] == pairs[0], (verb, sentence)
            assert all(after in of_you(before) for before, after in differ), (verb, sentence)


@each_game
def test_every_action_names_who_acts(slug: str) -> None:
    game = load(slug)
    for action in game.actions:
        for sentence in game.layout.sentences(action.split()[0]):
            assert sentence.startswith("{actor:"), action
