"""The declaration of a game, and the start of its matches."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Generic, TypeVar

from sevens_games.engine.deals import Deals, SeededDeals
from sevens_games.engine.layout import Layout
from sevens_games.engine.match import Match
from sevens_games.engine.observation import Observation
from sevens_games.engine.options import (
    NoOptions,
    Option,
    OptionValue,
    check_options,
    declared_options,
)
from sevens_games.engine.phases import Phase, Simultaneous
from sevens_games.engine.restoring import Observed, Seen, WrongObservation, restored
from sevens_games.engine.result import Result
from sevens_games.engine.state import State

S = TypeVar("S", bound=State)

CHOSEN = "Your choice, while other seats are still choosing; absent otherwise."


def each_for_itself(players: int) -> tuple[int, ...]:
    """The teams of a game without partnerships."""
    return tuple(range(players))


def never(options: object) -> bool:
    """Leaves no pick to the host."""
    return False


def nothing_more(state: State, seen: Seen) -> None:
    """Facts and zones are the whole state."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[S]):
    """A game: its description for people and programs, and its rules as functions of the state.

    `begin`: deals the first cards and returns the name of the first phase, or None if there is
        nothing to decide.
    `view`: what a seat may see, or (None) everything; hidden cards leave the rules only this way.
    `redeal`: deals again, in a copy of the state, all that a seat cannot see, consistently with
        everything that it knows for certain; every such deal can come up.
    `recall`: sets, when a match is restored, the fields of the state that neither a fact nor a zone
        of that name gives; `redeal` follows.
    `result`: the result when `begin` or a phase has returned None; before, the standing.
    `ladder_duplicate`: whether new ladders play duplicate groups by default; `docs/duplicate.md`
        shows for which games they help.
    `picks_by_arrival`: whether, under these options, a match host answers a pick with the seat
        whose answer arrived first in a decision.
    `cards`: explains the codes of the cards.
    `deck`: all cards on the table, by number of players if it matters; needed to restore matches.
    `copies`: the zones that show cards of other zones again.
    `zones`, `facts`, `reasons`: a sentence for each name that an observation or a result may hold.
        The match adds the fact `chosen`.
    `actions`: a sentence for each shape of a text: its words, with a placeholder in capitals for
        what varies, and an ellipsis after the last if it may be repeated.
    `events`: for each verb, the actor if there is one, then the arguments. Choices are events too.
        They have the words of their actions, without the words that are not public, and are not
        listed here.

    `layout`: how the game is drawn.
    `how_to_play`: the game in about five sentences, for people who have never seen it.

    `arena games` shows these sentences, and the tables of `docs/games/` are built from them.
    """

    slug: str
    title: str
    summary: str
    rules_version: int
    players: tuple[int, ...]
    ladder_players: int
    state: type[S]
    begin: Callable[[S], str | None]
    phases: Mapping[str, Phase[S]]
    view: Callable[[S, int | None], Observation]
    redeal: Callable[[S, int, Random], None]
    result: Callable[[S], Result]
    cards: str
    zones: Mapping[str, str]
    facts: Mapping[str, str]
    actions: Mapping[str, str]
    events: Mapping[str, str]
    reasons: Mapping[str, str]
    recall: Callable[[S, Seen], None] = nothing_more
    deck: Sequence[str] | Mapping[int, Sequence[str]] = ()
    copies: tuple[str, ...] = ()
    ladder_duplicate: bool = False
    option_fields: type = NoOptions
    teams: Callable[[int], tuple[int, ...]] = field(default=each_for_itself)
    picks_by_arrival: Callable[[Any], bool] = never
    layout: Layout = Layout()  # noqa: RUF009 - frozen
    how_to_play: tuple[str, ...] = ()

    @cached_property
    def options(self) -> dict[str, Option]:
        """The game's options by name."""
        return declared_options(self.option_fields)

    @cached_property
    def all_facts(self) -> dict[str, str]:
        """The facts that an observation may hold, including `chosen`."""
        kept = any(isinstance(phase, Simultaneous) for phase in self.phases.values())
        return dict(self.facts) | ({"chosen": CHOSEN} if kept else {})

    def start(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        deals: Deals | None = None,
    ) -> Match:
        """A new match; by default in the ladder format, with fresh randomness.

        `deals` is copied, so one object can start many equal matches. Raises ValueError with the
        field, its value and the values allowed.
        """
        source = SeededDeals(secrets.token_bytes(32)) if deals is None else deals.copy()
        state = self._new_state(players, options, source)
        return Match.starting(self, state, self.begin(state))

    def restore(
        self,
        observation: Observed,
        seat: int,
        rng: Random,
        *,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        rules_version: int | None = None,
    ) -> Match:
        """A match that looks like this to the seat; what the seat cannot see is dealt as by
        `Match.redeal`, and all future chance is drawn from `rng`.

        `rules_version`: that of the observation, if it is known. The events of the match begin now.
        Raises WrongObservation if there is no such match, and ValueError like `start`.
        """
        if rules_version not in (None, self.rules_version):
            raise WrongObservation(
                f"The observation is of {self.title}, rules version {rules_version}; these rules "
                f"are version {self.rules_version}."
            )
        state = self._new_state(players, options, SeededDeals(rng.randbytes(32)))
        if type(seat) is not int or not 0 <= seat < state.players:
            raise ValueError(f"There is no seat {seat}; the seats are 0 to {state.players - 1}.")
        return restored(self, state, observation, seat, rng)

    def _new_state(
        self, players: int | None, options: Mapping[str, OptionValue] | None, deals: Deals
    ) -> S:
        seats = self.ladder_players if players is None else players
        if isinstance(seats, bool) or not isinstance(seats, int) or seats not in self.players:
            allowed = ", ".join(map(str, self.players))
            raise ValueError(f"{self.title} has {allowed} players, not {seats!r}.")
        given = dict(options or {})
        check_options(self.options, given)
        return self.state(players=seats, options=self.option_fields(**given), deals=deals)

    def __repr__(self) -> str:
        return f"<game {self.slug}>"


GameOf = Game[Any]
