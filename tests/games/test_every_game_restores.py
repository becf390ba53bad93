"""A match restored from what a seat sees: it looks the same to the seat, and what is hidden follows
the same law as in a redealt match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Facts, Match, Observation, WrongObservation, load, slugs
from tests.support.game_bounds import BOUNDS, lying, whole_deck
from tests.support.game_checks import check_decision
from tests.support.game_formats import (
    Format,
    chosen_play,
    formats,
    however_played,
    in_each_format,
    play_on,
    played,
    share,
    texts,
)

RESTORABLE = [slug for slug in slugs() if load(slug).deck]
each_slug = pytest.mark.parametrize("slug", RESTORABLE)
each_format = in_each_format(RESTORABLE)

# Two frequencies differ by more than this many spreads once in 10**11 times; a run compares fewer
# than 10**5.
WIDTH = sqrt(2 * log(2e11))


def restored(match: Match, seat: int, rng: Random, seen: Any = None) -> Match:
    seen = seen or match.observe(seat)
    return match.game.restore(seen, seat, rng, players=match.players, options=match.options)


def decides(match: Match, seat: int) -> bool:
    """False once its own part of the match is over."""
    return match.observe(seat).facts["phase"] != "over"


# The same to the seat -----------------------------------------------------------------------------


def check_restored(match: Match, rng: Random, most_seats: int = 2) -> None:
    seats = [seat for seat in range(match.players) if decides(match, seat)]
    for seat in rng.sample(seats, min(most_seats, len(seats))):
        other = restored(match, seat, rng)
        assert other.observe(seat).to_json() == match.observe(seat).to_json()
        assert texts(other, seat) == texts(match, seat)
        assert (seat in other.to_act) == (seat in match.to_act)
        assert set(match.to_act) <= set(other.to_act), "no seat knows which others have chosen"
        assert other.ask_forced == match.ask_forced
        check_decision(other)
        assert match.game.slug not in BOUNDS or lying(other) == whole_deck(match)
        play_on(other, rng, most=12)


@each_format
def test_a_restored_match_looks_the_same(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in played(form, seed).positions(rng, share(form, 60, most=8)):
        check_restored(match, rng)


@pytest.mark.nightly
@each_format
def test_a_restored_match_looks_the_same_at_every_decision(form: Format, seed: int) -> None:
    rng = Random(seed)
    most = 60 if form.slug == "forty-thieves" else 400  # which plays the other seats' games out
    for match in played(form, seed).positions(rng, most):
        check_restored(match, rng, most_seats=match.players)


@each_slug
@given(data=st.data())
@however_played
def test_a_restored_match_looks_the_same_however_it_was_played(
    slug: str, data: st.DataObject
) -> None:
    match = data.draw(chosen_play(slug))
    if match.to_act:
        check_restored(match, Random(data.draw(st.integers(0, 9))))


@each_slug
def test_a_restored_match_can_be_played_to_its_end(slug: str, seed: int) -> None:
    rng = Random(seed)
    record = played(formats(slug)[-1], seed)
    for match in record.positions(rng, 3):
        seat = match.to_act[0]
        other = restored(match, seat, rng)
        play_on(other, rng)
        assert other.result is not None
        assert len(other.result.ranks) == match.players


@each_slug
def test_what_is_restored_follows_from_the_observation_and_the_random_numbers(
    slug: str, seed: int
) -> None:
    rng = Random(seed)
    for match in played(formats(slug)[0], seed).positions(rng, 3):
        seat = match.to_act[0]
        same = [
            restored(match, seat, Random(1)),
            restored(match.redeal(seat, rng), seat, Random(1)),
        ]
        assert same[0].observe(None) == same[1].observe(None)


# The same law -------------------------------------------------------------------------------------


def traits(match: Match) -> Iterator[tuple[object, ...]]:
    """Yields what the spectator sees: each card at its place, the first of a zone also as such, and
    the values of facts."""
    seen = match.observe(None)
    for zone in seen.zones:
        yield from ((zone.name, zone.owner, card) for card in set(zone.cards))
        yield ("first", zone.name, zone.owner, *zone.cards[:1])
    for name, value in seen.facts.items():
        if name != "chosen":  # that another has chosen is not known in a restored match
            values = value if isinstance(value, tuple) else (value,)
            yield from ((name, place, one) for place, one in enumerate(values))


def check_law(match: Match, seat: int, draws: int, rng: Random) -> None:
    """Restored and redealt matches have each trait about as often as the other: in particular what
    a redeal knows for certain is true in restored ones."""
    restores, redeals = Counter[Any](), Counter[Any]()
    for _ in range(draws):
        restores.update(traits(restored(match, seat, rng)))
        redeals.update(traits(match.redeal(seat, rng)))
    for trait in restores | redeals:
        both = restores[trait] + redeals[trait]
        spread = WIDTH * sqrt(min(both, 2 * draws - both))
        assert abs(restores[trait] - redeals[trait]) <= spread, (trait, seat)


def usual_format(slug: str) -> Format:
    return Format(slug, load(slug).ladder_players)


@each_slug
def test_what_is_hidden_follows_the_law_of_a_redeal(slug: str) -> None:
    rng = Random(7)
    for match in played(usual_format(slug), 7).positions(rng, 2):
        check_law(match, match.to_act[-1], 20 if slug == "forty-thieves" else 100, rng)


@pytest.mark.nightly
@each_slug
def test_what_is_hidden_follows_the_law_of_a_redeal_at_many_decisions(slug: str) -> None:
    rng = Random(8)
    for match in played(usual_format(slug), 8).positions(rng, 8):
        seats = [seat for seat in range(match.players) if decides(match, seat)]
        check_law(match, rng.choice(seats), 50 if slug == "forty-thieves" else 1000, rng)


# What is no observation ---------------------------------------------------------------------------


def facts_but(seen: Observation, **facts: Any) -> Observation:
    return seen._replace(facts=Facts({**seen.facts, **facts}))


def without_fact(seen: Observation) -> Observation:
    return seen._replace(facts=Facts({n: v for n, v in seen.facts.items() if n != "won"}))


WRONG: dict[str, tuple[Callable[[Observation], Any], str]] = {
    "a fact is missing": (without_fact, "lacks the fact 'won' of Pitty Pat, rules version 1."),
    "another game": (
        lambda seen: facts_but(seen, trump="S"),
        "has a fact 'trump', unlike Pitty Pat, rules version 1.",
    ),
    "the end": (lambda seen: facts_but(seen, phase="over"), "is of the end: no decision is left"),
    "no phase": (lambda seen: facts_but(seen, phase="bid"), "Pitty Pat has no phase 'bid'."),
    "zones are missing": (
        lambda seen: seen._replace(zones=()),
        "hides 0 cards, but 52 of the deck",
    ),
    "a card twice": (
        lambda seen: seen._replace(zones=(seen.zones[0], *seen.zones)),
        "in more places than Pitty Pat has such cards.",
    ),
    "a seat too far": (
        lambda seen: facts_but(seen, turn=4),
        "to seat 0: the seats that decide would be (4,).",
    ),
    "a text for a number": (lambda seen: facts_but(seen, turn="2"), "the fact 'turn' would be 0"),
    "a deal of another length": (
        lambda seen: facts_but(seen, target=9),
        "'target' would be 7, not",
    ),
    "a choice of nobody": (lambda seen: facts_but(seen, chosen="flip"), "a fact 'chosen', unlike"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_observation_that_no_match_gives_is_refused_in_a_sentence(case: str) -> None:
    spoil, sentence = WRONG[case]
    game = load("pitty-pat")
    match = game.start(players=2)
    with pytest.raises(WrongObservation) as error:
        game.restore(spoil(match.observe(0)), 0, Random(0), players=2)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@each_slug
def test_no_spoilt_observation_does_harm(slug: str, seed: int) -> None:
    """Whatever a fact is instead, either it does not matter or the sentence says that it does."""
    rng = Random(seed)
    values = [0, -1, 7, "", "x", "3C", (), (0, 0), ("", ""), ("3C 1 2", "1")]
    for match in played(usual_format(slug), seed).positions(rng, 3):
        seat, seen = match.to_act[0], match.observe(match.to_act[0])
        for name in seen.facts:
            spoilt = facts_but(seen, **{name: rng.choice(values)})
            try:
                other = restored(match, seat, rng, spoilt)
            except WrongObservation:
                continue
            assert other.observe(seat) == spoilt


def test_only_a_seat_can_have_a_match_restored() -> None:
    match = load("xeri").start()
    nobody: Any
    for nobody in (-1, 2, None, True, "0"):
        with pytest.raises(ValueError, match="the seats are 0 to 1"):
            match.game.restore(match.observe(0), nobody, Random(0))


def test_another_version_of_the_rules_is_refused() -> None:
    match = load("xeri").start()
    sentence = "of Xeri, rules version 2; these rules are version 1."
    with pytest.raises(WrongObservation, match=sentence):
        match.game.restore(match.observe(0), 0, Random(0), rules_version=2)


def test_players_and_options_are_those_of_the_match() -> None:
    match = load("xeri").start(options={"deals": 3})
    with pytest.raises(ValueError, match="Xeri has 2 players, not 3"):
        match.game.restore(match.observe(0), 0, Random(0), players=3)
    with pytest.raises(WrongObservation, match="the fact 'deals' would be 5, not 3"):
        match.game.restore(match.observe(0), 0, Random(0))
