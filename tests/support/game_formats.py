"""The formats in which the tests of every game play each game, and ways to play them.

A game's formats: each number of players, each boolean option the other way, each integer option at
its least values; only a nightly run takes all of them. Tests take the games from `slugs()`, so that
another game is tested as it is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from sevens_games import Deals, Game, Match, Option, SeededDeals, load, slugs, text_of
from sevens_games.engine.phases import Simultaneous
from tests.support.extent import by_extent

MOST_DECISIONS = 20_000  # more than any match of any game has
# The formats of a game have much in common: the more there are, the less often each is tried.
POSITIONS = 48  # checked in matches of a game's formats together,
MOST_POSITIONS = 8  # and in one match


@dataclass(frozen=True)
class Format:
    slug: str
    players: int
    option: tuple[str, Any] | None = None

    def __str__(self) -> str:
        differing = f"-{self.option[0]}-{text_of(self.option[1])}" if self.option else ""
        return f"{self.slug}-{self.players}{differing}"

    @property
    def game(self) -> Game[Any]:
        return load(self.slug)

    @property
    def options(self) -> dict[str, Any]:
        return dict([self.option] if self.option else [])

    def start(self, deals: Deals | None = None) -> Match:
        return self.game.start(players=self.players, options=self.options, deals=deals)


def extremes(option: Option) -> list[Any]:
    """Returns values of the option other than its default: all if they are few, otherwise the
    least."""
    values: Sequence[Any] = (False, True)
    if isinstance(option.type, tuple):
        values = option.type
    elif option.type is int:
        least = option.default if option.minimum is None else option.minimum
        values = (least, int(least) + 1)
    return [value for value in values if value != option.default and is_allowed(option, value)]


def is_allowed(option: Option, value: object) -> bool:
    try:
        option.check(value)
    except ValueError:
        return False
    return True


def formats(slug: str) -> list[Format]:
    """Returns the formats that this run plays: in a quick run the first, the ladder's and the last;
    by night each option with each number of players, else with the ladder's."""
    every = every_format(slug)
    usual = Format(slug, load(slug).ladder_players)
    few = {every[0], usual, every[-1]}
    return by_extent(
        [form for form in every if form in few],
        [form for form in every if form.option is None or form.players == usual.players],
        every,
    )


def enough_formats(slug: str, found: Sized) -> Iterator[Format]:
    """Yields the formats that this run plays, and others until the caller has found something."""
    yield from formats(slug)
    for form in every_format(slug):
        if found:
            return
        if form not in formats(slug):
            yield form


@cache
def every_format(slug: str) -> list[Format]:
    game = load(slug)
    return [Format(slug, players) for players in game.players] + [
        Format(slug, players, (name, value))
        for name, option in game.options.items()
        for value in extremes(option)
        for players in (game.players if option.type is bool else (game.ladder_players,))
    ]


def share(form: Format, times: int, most: int, least: int = 2) -> int:
    """Returns this format's share of `times` trials of a game."""
    return max(least, min(most, times // len(every_format(form.slug))))


def in_each_format(
    slugs: Iterable[str], tried: Callable[[str], Iterable[Format]] = formats
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Parametrizes a test of a `form` with games; it tries all their formats, and a failure names
    the format. To pytest, a test in each format would cost more than most of them take."""

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def in_all(slug: str, **fixtures: Any) -> None:
            for form in tried(slug):
                try:
                    test(form, **fixtures)
                except BaseException as error:
                    error.add_note(f"In the format {form}.")
                    raise

        names = ["slug", *list(signature(test).parameters)[1:]]
        parameters = [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
        vars(in_all)["__signature__"] = Signature(parameters)
        return pytest.mark.parametrize("slug", slugs)(in_all)

    return decorated


each_slug = pytest.mark.parametrize("slug", slugs())
each_format = in_each_format(slugs())


@dataclass(frozen=True)
class Played:
    """A match played at random from the first decision to the last."""

    form: Format
    deals: Deals  # as at the start
    choices: Sequence[tuple[int, str]]
    end: Match

    def again(
        self, deals: Deals, renamed: Mapping[str, str] | None = None, since: int = 0
    ) -> Iterator[Match]:
        """Repeats the choices on these deals: yields the match before each choice, and at the end.

        `renamed`: the cards that are others on these deals, from the choice number `since` on.
        """
        match = self.form.start(deals)
        yield match
        for number, (seat, text) in enumerate(self.choices):
            if renamed and number >= since:
                text = with_others(text, renamed, match, seat)
            match.apply(seat, text)
            yield match

    def positions(self, rng: Random, count: int | None = None) -> Iterator[Match]:
        """Yields independent copies of the match, at the first decision and at random ones."""
        count = share(self.form, POSITIONS, MOST_POSITIONS) if count is None else count
        later = range(1, len(self.choices))
        chosen = {0, *rng.sample(later, min(count - 1, len(later)))}
        for step, match in enumerate(self.again(self.deals)):
            if step in chosen and match.to_act:  # a match can be over without any decision
                yield match.clone()


def with_others(text: str, renamed: Mapping[str, str], match: Match, seat: int) -> str:
    """Returns the choice with other cards, which may have their places in another order."""
    words = [renamed.get(word, word) for word in text.split()]
    if words == text.split():
        return text
    legal = texts(match, seat)
    if " ".join(words) in legal:
        return " ".join(words)
    return next((a for a in legal if sorted(a.split()) == sorted(words)), text)


@cache
def played(form: Format, seed: int) -> Played:
    deals = SeededDeals(f"{form} {seed}")
    match = form.start(deals)
    return Played(form, deals, play_on(match, Random(f"{form} {seed}")), match)


def play_on(match: Match, rng: Random, most: int = MOST_DECISIONS) -> list[tuple[int, str]]:
    """Plays the match at random, to its end if that is near enough; returns the choices."""
    choices: list[tuple[int, str]] = []
    while match.to_act and len(choices) < most:
        seat = rng.choice(match.to_act)
        action = rng.choice(match.legal_actions(seat))
        match.apply(seat, action)
        choices.append((seat, str(action)))
    return choices


def however_played(test: Callable[..., None]) -> Callable[..., None]:
    """Has Hypothesis try a test that draws its matches by `chosen_play`."""
    return settings(max_examples=by_extent(5, 10, 20), deadline=None)(test)


@st.composite
def chosen_play(draw: st.DrawFn, slug: str) -> Match:
    """A match of any format after choices of Hypothesis, by their places in the lists."""
    form = draw(st.sampled_from(every_format(slug)))
    match = form.start(SeededDeals(draw(st.binary(max_size=2))))
    for place in draw(st.lists(st.integers(0, 999), max_size=100)):
        if match.to_act:
            seat = match.to_act[place % len(match.to_act)]
            legal = match.legal_actions(seat)
            match.apply(seat, legal[place % len(legal)])
    return match


def viewers(match: Match) -> list[int | None]:
    return [None, *range(match.players)]


def texts(match: Match, seat: int) -> list[str]:
    return [str(action) for action in match.legal_actions(seat)]


def sent(match: Match, viewer: int | None) -> tuple[Any, ...]:
    """Returns everything that a viewer ever receives, to the byte."""
    legal = () if viewer is None else texts(match, viewer)
    return (match.observe(viewer).to_json(), repr(match.events(viewer)), repr(legal))


def everything(match: Match) -> dict[str, Any]:
    """Returns everything that can be learnt of a match, for comparisons."""
    return {
        "to_act": match.to_act,
        "result": match.result,
        "shuffles": match.deals.shuffles,
        "picks": match.deals.picks,
        "ask_forced": match.ask_forced,
    } | {f"seat {viewer}": sent(match, viewer) for viewer in viewers(match)}


def begins_a_simultaneous_decision(match: Match) -> bool:
    """True if several seats now owe one decision together, rather than race."""
    together = isinstance(match._phase, Simultaneous) and not match._kept
    return together and len(match.to_act) > 1


def simultaneous_decisions(slug: str, seed: int) -> Iterator[Match]:
    """Yields matches at the beginning of simultaneous decisions, a few for each of the game's
    formats."""
    rng = Random(seed)
    found: list[Match] = []
    for form in enough_formats(slug, found):
        match_again = played(form, seed).again(played(form, seed).deals)
        matches = [m.clone() for m in match_again if begins_a_simultaneous_decision(m)]
        found += matches
        yield from rng.sample(matches, min(len(matches), share(form, 18, most=3, least=1)))
    phases = load(slug).phases.values()
    assert found or not any(isinstance(phase, Simultaneous) for phase in phases)
