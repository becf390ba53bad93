"""The driver: asks the rules which seats decide and what is legal, checks their choices and
applies them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from sevens_games.engine.actions import Action
from sevens_games.engine.deals import Deals, SeededDeals
from sevens_games.engine.observation import Event, Facts, Observation
from sevens_games.engine.options import OptionValue
from sevens_games.engine.phases import Legal, Phase, Simultaneous, Turn
from sevens_games.engine.result import Result
from sevens_games.engine.state import Log, State, copy_state, events_between

if TYPE_CHECKING:
    from sevens_games.engine.game import Game

SHOWN_IN_ERRORS = 12


class IllegalAction(ValueError):
    """A choice that the rules do not allow. The text names the seat, the choice and the reason."""


class Match:
    """One match in play.

    `to_act`: the seats that owe a decision, ascending; several decide simultaneously, or race; ()
        when the match is over.
    `result`: None until the match is over.
    """

    __slots__ = ("_kept", "_legal", "_phase", "_state", "_told", "game", "result", "to_act")

    game: Game[Any]
    to_act: tuple[int, ...]
    result: Result | None
    _state: State
    _phase: Phase[Any] | None
    _legal: dict[int, Legal]  # computed so far for this decision, by seat
    _kept: dict[int, Action[Any]]  # choices of a simultaneous decision so far, by seat
    _told: dict[int | None, tuple[Log, list[Event]]]  # events rendered so far, by viewer

    # There is no constructor: `starting` and `clone` set all fields, and clones must be cheap.

    @classmethod
    def starting(cls, game: Game[Any], state: State, phase: str | None) -> Match:
        """A match at its first phase; if that is None, a match that is over."""
        match = cls()
        match.game = game
        match.result = None
        match._state = state
        match._kept = {}
        match._told = {}
        match._enter(phase)
        return match

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._state.players

    @property
    def options(self) -> dict[str, OptionValue]:
        """Every option of the game with this match's value."""
        return dataclasses.asdict(self._state.options)

    @property
    def deals(self) -> Deals:
        """A copy of the source of chance, with all its answers so far."""
        return self._state.deals.copy()

    @property
    def deal(self) -> int:
        """The number of the current deal, counted from where future chance was last drawn from
        elsewhere. Only matches whose chance follows from a seed have it."""
        deals = self._state.deals
        assert isinstance(deals, SeededDeals)
        return deals.deal

    @property
    def ask_forced(self) -> bool:
        """True if seats are asked now even if they have only one legal action, because the speed
        of an answer would reveal a secret."""
        return self._phase is not None and self._phase.ask_forced

    def legal_actions(self, seat: int) -> list[Action[Any]]:
        """The seat's legal actions, in the game's fixed order; [] if it owes no decision."""
        phase = self._phase
        if phase is None or seat not in self.to_act:
            return []
        legal = self._legal.get(seat)
        if legal is None:
            legal = self._legal[seat] = phase.may(self._state, seat)
        return list(legal)

    def apply(self, seat: int, action: str) -> None:
        """Makes the seat's choice: an action or its text.

        In a simultaneous decision the choice is held back until the last seat has chosen.
        IllegalAction leaves the match as it was; after any other error (WrongDeals, say) it is
        unusable.
        """
        choice = self._checked(seat, action)
        phase, state = self._phase, self._state
        if isinstance(phase, Simultaneous):
            kept = {**self._kept, seat: choice}
            if len(self.to_act) > 1:
                self._kept = kept
                self.to_act = tuple(other for other in self.to_act if other != seat)
                return
            self._kept = {}
            choices = {actor: kept[actor] for actor in sorted(kept)}  # not in order of arrival
            for actor, chosen in choices.items():
                state.log = (state.log, actor, chosen)
            self._enter(phase.then(state, choices))
        elif phase is not None:
            state.log = (state.log, seat, choice)
            self._enter(phase.then(state, seat, choice))

    def observe(self, seat: int | None) -> Observation:
        """Everything the seat may see; None: everything, including the order of the stock and
        choices held back."""
        self._check_viewer(seat)
        seen: Observation = self.game.view(self._state, seat)
        if self._kept and (chosen := self._chosen(seat)):
            return seen._replace(facts=Facts({**seen.facts, "chosen": chosen}))
        return seen

    def events(self, seat: int | None, since: int = 0) -> tuple[Event, ...]:
        """The events that the seat may know, from its event number `since` on; None: all events."""
        self._check_viewer(seat)
        if since < 0:
            raise ValueError(f"since counts events from 0; it cannot be {since}.")
        rendered, events = self._told.get(seat, (None, []))
        log = self._state.log
        if log is not rendered:
            events += events_between(rendered, log, seat)
            self._told[seat] = (log, events)
        return tuple(events[since:])

    def clone(self) -> Match:
        """An independent copy, including choices held back and future chance."""
        twin = Match()
        twin.game = self.game
        twin.to_act = self.to_act
        twin.result = self.result
        twin._state = copy_state(self._state)
        twin._phase = self._phase
        twin._kept = self._kept
        twin._legal = self._legal.copy()
        twin._told = {}
        return twin

    def __copy__(self) -> Match:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Match:
        return self.clone()

    @property
    def standing(self) -> Result:
        """The result as it would be if the match ended now, of all that is scored by now."""
        standing: Result = self.game.result(self._state)
        return standing

    def with_other_chance(self, rng: Random) -> Match:
        """A copy in which all future chance is drawn from `rng`. Everything dealt so far stays,
        including hidden cards and the order of the stock."""
        twin = self.clone()
        state = twin._state
        state.deals = SeededDeals(rng.randbytes(32)).with_past_of(state.deals)
        state.deals.begin_deal()  # the current deal continues with other chance
        return twin

    def redeal(self, seat: int, rng: Random) -> Match:
        """A copy in which everything that the seat cannot see is dealt again, consistently with
        everything that it knows for certain. Other seats' choices held back and all future
        chance are drawn from `rng`."""
        self._check_seat(seat)
        twin = self.with_other_chance(rng)
        state, phase = twin._state, twin._phase
        self.game.redeal(state, seat, rng)
        twin._legal = {}
        if phase is not None:
            twin._kept = {
                other: choice if other == seat else rng.choice(phase.may(state, other))
                for other, choice in self._kept.items()
            }
        return twin

    def _enter(self, name: str | None) -> None:
        state = self._state
        state.phase = name
        self._legal = {}
        if name is None:
            self._phase = None
            self.to_act = ()
            self.result = self.game.result(state)
            return
        phase = self._phase = self.game.phases[name]
        self.to_act = (phase.who(state),) if isinstance(phase, Turn) else tuple(phase.who(state))

    def _checked(self, seat: int, action: str) -> Action[Any]:
        """The legal action with that text; raises IllegalAction if there is none."""
        phase = self._phase
        if phase is None or seat not in self.to_act or type(seat) is not int:
            raise IllegalAction(self._not_asked(seat, action))
        legal = self._legal.get(seat)
        if legal is None:
            legal = self._legal[seat] = phase.may(self._state, seat)
        try:
            return legal[legal.index(action)]
        except ValueError:
            raise IllegalAction(_refusal(seat, action, phase.rule, legal)) from None

    def _not_asked(self, seat: int, action: str) -> str:
        if self._phase is None:
            return f"Seat {seat} may not choose {action!r}: the match is over."
        if seat in self._kept:
            return f"Seat {seat} may not choose {action!r}: it has already chosen."
        return f"Seat {seat} may not choose {action!r} now: it owes no decision."

    def _chosen(self, viewer: int | None) -> str | tuple[str, ...]:
        """The viewer's choice held back; for the spectator all of them, by seat."""
        if viewer is not None:
            return str(self._kept.get(viewer, ""))
        return tuple(str(self._kept.get(seat, "")) for seat in range(self.players))

    def _check_viewer(self, seat: int | None) -> None:
        if seat is not None:
            self._check_seat(seat)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.players:
            raise ValueError(f"There is no seat {seat}; the seats are 0 to {self.players - 1}.")


def _refusal(seat: int, action: str, rule: str, legal: Sequence[Action[Any]]) -> str:
    shown = "; ".join(legal[:SHOWN_IN_ERRORS])
    more = f"; and {len(legal) - SHOWN_IN_ERRORS} more" if len(legal) > SHOWN_IN_ERRORS else ""
    return f"Seat {seat} may not choose {str(action)!r}. {rule} Legal: {shown}{more}."
