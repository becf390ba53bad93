"""A decision as a bot sees it: views of messages that cost little until used."""

from collections.abc import Callable
from random import Random
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from sevens.bot.v1 import decision_pb2, observation_pb2
from sevens_sdk.match import Match
from sevens_sdk.randomness import Randomness

FactValue: TypeAlias = int | str | tuple[int, ...] | tuple[str, ...]


class Zone(NamedTuple):
    """A place for cards.

    `owner`: the seat that it belongs to, or None.
    `cards`: the codes of the cards that the seat sees, in the zone's order if it has one.
    `hidden`: the number of cards that the seat does not see.
    """

    name: str
    owner: int | None
    cards: tuple[str, ...] = ()
    hidden: int = 0


class Event(NamedTuple):
    """Something that happened, as the seat may know it.

    `actor`: the seat that did it or that it happened to, or None.
    `arguments`: cards, numbers and words, all as texts.
    """

    verb: str
    actor: int | None
    arguments: tuple[str, ...]


class Observation:
    """All that the seat may see: zones with cards, and facts.

    `arena games show SLUG` explains those of a game.
    """

    __slots__ = ("message",)

    def __init__(self, message: observation_pb2.Observation) -> None:
        self.message = message

    @property
    def zones(self) -> tuple[Zone, ...]:
        return tuple(
            Zone(zone.name, owner_of(zone), tuple(zone.cards), zone.hidden)
            for zone in self.message.zones
        )

    def zone(self, name: str, owner: int | None = None) -> Zone:
        """Returns the zone of that name and owner; an empty one if there is none now."""
        for zone in self.message.zones:
            if zone.name == name and owner_of(zone) == owner:
                return Zone(name, owner, tuple(zone.cards), zone.hidden)
        return Zone(name, owner)

    def cards(self, name: str, owner: int | None = None) -> tuple[str, ...]:
        """Returns the cards that the seat sees in the zone of that name and owner."""
        return self.zone(name, owner).cards

    @property
    def facts(self) -> dict[str, FactValue]:
        return {fact.name: value_of(fact) for fact in self.message.facts}

    def fact(self, name: str) -> Any:
        """Returns a fact's value: an int, a str, or a tuple of them."""
        for fact in self.message.facts:
            if fact.name == name:
                return value_of(fact)
        names = ", ".join(fact.name for fact in self.message.facts)
        raise KeyError(f"there is no fact {name!r} here, only: {names or 'none'}")

    def __repr__(self) -> str:
        return f"Observation(zones={self.zones!r}, facts={self.facts!r})"


def owner_of(zone: observation_pb2.Zone) -> int | None:
    return zone.owner if zone.HasField("owner") else None


def value_of(fact: observation_pb2.Fact) -> FactValue:
    if fact.is_list:
        return tuple(fact.numbers) or tuple(fact.words)
    return fact.numbers[0] if fact.numbers else fact.words[0]


class Decision:
    """A decision that the bot owes.

    `match`: the match that it belongs to.
    `message`: the arena's message, for code that must be as fast as possible.
    """

    __slots__ = ("_arrived", "_clock", "_legal", "_notes", "_randomness", "match", "message")

    def __init__(
        self,
        message: decision_pb2.Decision,
        match: Match,
        randomness: Randomness,
        arrived: float,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.message = message
        self.match = match
        self._randomness = randomness
        self._arrived = arrived
        self._clock = clock
        self._legal: list[str] | None = None
        self._notes: list[str] = []

    @property
    def legal(self) -> list[str]:
        """The texts of all legal actions. An action's index is its place here."""
        if self._legal is None:
            self._legal = list(self.message.legal_actions)
        return self._legal

    @property
    def random(self) -> Random:
        """A source of randomness that repeats itself if the arena asks for this decision again."""
        return self._randomness.random

    @property
    def number(self) -> int:
        """The seat's count of its decisions, from 1, including those the arena made for it."""
        return self.message.number

    @property
    def seat(self) -> int:
        return self.message.seat

    @property
    def time_left(self) -> float:
        """The seconds now left on the clock, in which the answer must reach the arena."""
        return self.message.time_left_ms / 1000 - (self._clock() - self._arrived)

    @property
    def observation(self) -> Observation:
        return Observation(self.message.observation)

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards of the seat's own zone "hand", which most games have."""
        return self.observation.cards("hand", self.seat)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything the seat has learnt since its previous decision, oldest first."""
        return tuple(
            Event(
                event.verb,
                event.actor if event.HasField("actor") else None,
                tuple(event.arguments),
            )
            for event in self.message.events
        )

    @property
    def events_left_out(self) -> int:
        """The number of events, the oldest ones, left out of `events` to keep the message small."""
        return self.message.events_left_out

    def note(self, text: str) -> None:
        """Adds a line to the note that goes with the answer.

        Only the bot's owner sees it, next to the decision. Anything beyond 1 KiB is cut off.
        """
        self._notes.append(text)

    @property
    def notes(self) -> str:
        """The note so far."""
        return "\n".join(self._notes)

    def __str__(self) -> str:
        return f"decision {self.number} of {self.match}"

    def __repr__(self) -> str:
        return f"<{self}: {len(self.legal)} legal actions>"
