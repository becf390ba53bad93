"""Restores a match from what one seat sees of it.

All that the seat sees is put back into the state: each fact and each zone into the field of its
name, the rest by the game's `recall`. Hidden places get any other cards of the deck, which the
game's own `redeal` then deals again, with all that it knows about a seat's knowledge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from sevens_games.engine.match import Match
from sevens_games.engine.observation import Facts, FactValue, Observation, Zone
from sevens_games.engine.state import State

if TYPE_CHECKING:
    from sevens_games.engine.game import Game

OVER = "over"  # as the phase of a match, or of a seat's part of a race


class WrongObservation(ValueError):
    """No match looks like this to the seat. The text explains the first mismatch."""


class Observed(Protocol):
    """An `Observation` of the engine, or of an SDK."""

    @property
    def zones(self) -> Sequence[Any]: ...
    @property
    def facts(self) -> Mapping[str, FactValue]: ...


class Seen:
    """An observation, with some card of the deck as a stand-in for each hidden one.

    `rng`: for what `redeal` does not draw again.
    """

    __slots__ = ("_cards", "_facts", "_hidden", "players", "rng", "seat")

    def __init__(
        self, game: Game[Any], players: int, observation: Observation, seat: int, rng: Random
    ) -> None:
        self.seat = seat
        self.players = players
        self.rng = rng
        self._facts = observation.facts
        unseen = unseen_cards(game, players, observation)
        self._cards: dict[tuple[str, int | None], tuple[str, ...]] = {}
        self._hidden: dict[tuple[str, int | None], int] = {}
        for name, owner, cards, hidden in observation.zones:
            hidden = 0 if name in game.copies else hidden
            self._cards[name, owner] = (*cards, *[next(unseen) for _ in range(hidden)])
            self._hidden[name, owner] = hidden

    def fact(self, name: str) -> Any:
        return self._facts[name]

    def cards(self, name: str, owner: int | None = None) -> tuple[str, ...]:
        """The cards of that zone: first those that the seat sees. Empty if there is no such zone
        now."""
        return self._cards.get((name, owner), ())

    def hidden(self, name: str, owner: int | None = None) -> int:
        """The number of stand-ins in that zone: its last cards."""
        return self._hidden[name, owner]

    def by_seat(self, name: str) -> tuple[tuple[str, ...], ...]:
        return tuple([self.cards(name, owner) for owner in range(self.players)])

    def put_into(self, state: State) -> None:
        """A fact goes into the field of its name if they are of one type. A zone without an owner
        goes into the field of its name; those of the seats, by seat, into it or into its plural."""
        values: dict[str, Any] = dict(self._facts)
        for name, owner in self._cards:
            field = name.replace("-", "_")
            if owner is None:
                values[field] = self.cards(name)
            else:
                values[field] = values[f"{field}s"] = self.by_seat(name)
        for own in fields(state):
            value, kind = values.get(own.name), type(getattr(state, own.name))
            if kind is bool and type(value) is int:
                setattr(state, own.name, bool(value))
            elif type(value) is kind and own.name != "players":
                setattr(state, own.name, value)


def unseen_cards(game: Game[Any], players: int, observation: Observation) -> Iterator[str]:
    """The cards of the deck that are in hidden places."""
    deck = game.deck[players] if isinstance(game.deck, Mapping) else game.deck
    places = [zone for zone in observation.zones if zone.name not in game.copies]
    seen = Counter([card for zone in places for card in zone.cards])
    too_many = seen - Counter(deck)
    if too_many:
        raise WrongObservation(
            f"The observation has the card {min(too_many)} in more places than {game.title} has "
            "such cards."
        )
    unseen = []
    for card in deck:
        if seen[card]:
            seen[card] -= 1
        else:
            unseen.append(card)
    hidden = sum([zone.hidden for zone in places])
    if hidden != len(unseen):
        raise WrongObservation(
            f"The observation hides {hidden} cards, but {len(unseen)} of the deck are not seen in "
            f"it ({players} players)."
        )
    return iter(unseen)


def restored(game: Game[Any], state: State, given: Observed, seat: int, rng: Random) -> Match:
    """A match from a state with only players, options and future chance."""
    observation = checked(game, given)
    seen = Seen(game, state.players, observation, seat, rng)
    try:
        match = with_hidden_dealt(game, state, seen, observation.facts)
        difference = first_difference(match, seat, observation)
    except (AttributeError, LookupError, TypeError, ValueError, StopIteration) as error:
        raise contradiction(game, seat, f"the rules stop at {error!r}") from error
    if difference:
        raise contradiction(game, seat, difference)
    return match


def checked(game: Game[Any], given: Observed) -> Observation:
    """The observation in the engine's types, if it has the facts of the game and is of a match in
    play."""
    zones = tuple([Zone(z.name, z.owner, tuple(z.cards), z.hidden) for z in given.zones])
    facts = Facts(given.facts)
    version = f"{game.title}, rules version {game.rules_version}"
    for name in game.facts:
        if name not in facts:
            raise WrongObservation(f"The observation lacks the fact {name!r} of {version}.")
    for kind, names, known in (
        ("fact", list(facts), game.all_facts),
        ("zone", [zone.name for zone in zones], game.zones),
    ):
        for name in names:
            if name not in known:
                raise WrongObservation(f"The observation has a {kind} {name!r}, unlike {version}.")
    if facts.get("phase") == OVER:
        raise WrongObservation("The observation is of the end: no decision is left to restore.")
    if facts.get("phase") not in game.phases:
        raise WrongObservation(f"{game.title} has no phase {facts.get('phase')!r}.")
    return Observation(zones, facts)


def with_hidden_dealt(game: Game[Any], state: State, seen: Seen, facts: Facts) -> Match:
    phase = state.phase = str(facts["phase"])
    state.deals.begin_deal()  # the current deal continues with this chance
    seen.put_into(state)
    game.recall(state, seen)
    game.redeal(state, seen.seat, seen.rng)
    state.log = None  # of rules that `recall` used
    match = Match.starting(game, state, phase)
    if "chosen" in facts:
        match.apply(seen.seat, str(facts["chosen"]))
    return match


def contradiction(game: Game[Any], seat: int, what: str) -> WrongObservation:
    return WrongObservation(
        f"No match of {game.title} with these players and options looks like this to seat {seat}: "
        f"{what}."
    )


def first_difference(match: Match, seat: int, given: Observation) -> str:
    """The first difference between the match that would be restored and the observation; empty if
    there is none."""
    restored = match.observe(seat)
    for name, value in given.facts.items():
        if restored.facts.get(name) != value:
            return f"the fact {name!r} would be {restored.facts.get(name)!r}, not {value!r}"
    for zone in given.zones:
        if zone not in restored.zones:
            return f"the zone {zone.name!r} of owner {zone.owner} would differ"
    if restored != given:
        return "it would have other zones"
    if not set(match.to_act) <= set(range(match.players)):
        return f"the seats that decide would be {match.to_act}"
    if seat in match.to_act and not match.legal_actions(seat):
        return "the seat would have no legal action"
    return ""
