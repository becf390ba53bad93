"""Every game's observations and events, for the seats and for the spectator."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import FrozenInstanceError
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Event, Match, load
from tests.support.game_checks import check_observations
from tests.support.game_formats import (
    Format,
    chosen_play,
    each_format,
    each_slug,
    every_format,
    formats,
    however_played,
    played,
    viewers,
)

CHANGES_REFUSED = (AttributeError, TypeError, FrozenInstanceError)


# Observations -------------------------------------------------------------------------------------


@each_format
def test_observations_are_plain_and_true(form: Format, seed: int) -> None:
    for match in played(form, seed).positions(Random(seed)):
        check_observations(match)
    check_observations(played(form, seed).end)


@each_slug
@given(data=st.data())
@however_played
def test_observations_are_plain_and_true_however_the_match_was_played(
    slug: str, data: st.DataObject
) -> None:
    check_observations(data.draw(chosen_play(slug)))


@each_slug
def test_an_observation_cannot_be_changed(slug: str) -> None:
    seen: Any = load(slug).start().observe(0)
    with pytest.raises(CHANGES_REFUSED):
        seen.zones = ()
    with pytest.raises(CHANGES_REFUSED):
        seen.zones[0].cards = ()
    with pytest.raises(CHANGES_REFUSED):
        seen.facts["phase"] = "over"
    with pytest.raises(CHANGES_REFUSED):
        seen.facts.update(phase="over")


@each_slug
def test_observations_that_differ_compare_unequal(slug: str, seed: int) -> None:
    record = played(formats(slug)[0], seed)
    texts = set()
    observations = set()
    for match in record.positions(Random(seed)):
        observations.add(match.observe(None))
        texts.add(match.observe(None).to_json())
    assert len(observations) == len(texts) > 1


@each_slug
def test_what_is_shown_is_what_is_declared(slug: str, seed: int) -> None:
    """Every name shown is declared, and every name declared is shown, unless too rarely."""
    game = load(slug)
    zones, facts = set(), set()
    for form in every_format(slug):
        for match in [*played(form, seed).positions(Random(seed)), played(form, seed).end]:
            for viewer in viewers(match):
                seen = match.observe(viewer)
                zones |= {zone.name for zone in seen.zones}
                facts |= seen.facts.keys() - {"chosen"}
    assert zones == game.zones.keys()
    assert facts == game.facts.keys()


@each_slug
def test_a_kept_choice_is_shown_where_it_is_declared(slug: str, seed: int) -> None:
    game = load(slug)
    for form in formats(slug):
        for match in played(form, seed).positions(Random(seed)):
            for viewer in viewers(match):
                assert match.observe(viewer).facts.keys() <= game.all_facts.keys()


@each_slug
def test_what_is_told_and_chosen_is_declared(slug: str, seed: int) -> None:
    """Each event has a verb, and each action's text a shape, that the game explains."""
    game = load(slug)
    verbs = {shape.split()[0] for shape in game.actions} | game.events.keys()
    for form in formats(slug):
        record = played(form, seed)
        assert {event.verb for event in record.end.events(None)} <= verbs
        for match in record.positions(Random(seed)):
            for seat in match.to_act:
                for action in match.legal_actions(seat):
                    assert any(fits(action, shape) for shape in game.actions), action


def fits(text: str, shape: str) -> bool:
    """True if each word of the text equals the shape's, or stands for its placeholder."""
    words, wanted = text.split(), shape.removesuffix("…").split()
    if shape.endswith("…"):
        wanted += [wanted[-1]] * (len(words) - len(wanted))
    return len(words) == len(wanted) and all(
        right.isupper() or word == right for word, right in zip(words, wanted, strict=True)
    )


@each_slug
def test_nobody_but_a_seat_or_the_spectator_can_look(slug: str) -> None:
    match: Any = load(slug).start()
    for nobody in (-1, 99, True, 0.0, "0"):
        with pytest.raises(ValueError, match="seats are 0 to"):
            match.observe(nobody)
        with pytest.raises(ValueError, match="seats are 0 to"):
            match.events(nobody)


# Events -------------------------------------------------------------------------------------------


def check_events(match: Match) -> None:
    everything = match.events(None)
    for viewer in viewers(match):
        events = match.events(viewer)
        assert type(events) is tuple
        for event in events:
            check_event(match, event)
        for since in (0, 1, len(events) // 2, len(events), len(events) + 1):
            assert (
                match.events(viewer, since) == match.events(viewer, since=since) == events[since:]
            )
        outline = [(event.verb, event.actor) for event in everything]
        assert is_within([(event.verb, event.actor) for event in events], outline)
        with pytest.raises(ValueError, match="since"):
            match.events(viewer, -1)


def check_event(match: Match, event: Event) -> None:
    assert type(event) is Event
    assert event.verb == event.verb.lower()
    assert event.verb.replace("-", "").isalpha()
    assert event.actor is None or (type(event.actor) is int and 0 <= event.actor < match.players)
    assert type(event.arguments) is tuple
    assert {type(argument) for argument in event.arguments} <= {str, int}
    hash(event)


def is_within(some: Iterable[object], others: Iterable[object]) -> bool:
    """True if the first items occur among the others, in the same order."""
    rest: Iterator[object] = iter(others)
    return all(thing in rest for thing in some)


@each_format
def test_events_are_plain_and_the_spectator_learns_all(form: Format, seed: int) -> None:
    for match in [*played(form, seed).positions(Random(seed), 3), played(form, seed).end]:
        check_events(match)


@each_slug
@given(data=st.data())
@however_played
def test_events_are_plain_however_the_match_was_played(slug: str, data: st.DataObject) -> None:
    check_events(data.draw(chosen_play(slug)))


@each_format
def test_the_past_only_grows(form: Format, seed: int) -> None:
    """At each decision, each viewer receives the same past as before, and perhaps more."""
    record = played(form, seed)
    told: dict[int | None, tuple[Event, ...]] = {}
    for match in record.again(record.deals):
        for viewer in viewers(match):
            before = told.get(viewer, ())
            new = match.events(viewer, since=len(before))
            if len(before) < 100 or not match.to_act:  # comparing the whole of a long past is slow
                assert match.events(viewer) == before + new
            told[viewer] = before + new
    for viewer, events in told.items():
        assert record.end.events(viewer) == events


@each_format
def test_the_past_holds_every_choice_as_its_seat_made_it(form: Format, seed: int) -> None:
    record = played(form, seed)
    told_all = Counter(as_choice(event) for event in record.end.events(None))
    assert Counter(record.choices) <= told_all
    for seat in range(form.players):
        own = [text for by, text in record.choices if by == seat]
        told = [text for by, text in map(as_choice, record.end.events(seat)) if by == seat]
        assert is_within(own, told)


def as_choice(event: Event) -> tuple[int | None, str]:
    return event.actor, " ".join(map(str, [event.verb, *event.arguments]))
