"""The facts of a match, as one seat receives them at its beginning and at its end."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sevens.bot.v1 import match_pb2


@dataclass(frozen=True)
class Clock:
    """A bank of seconds for the whole match, and the seconds that each decision adds to it."""

    bank: float
    increment: float


@dataclass(frozen=True)
class Match:
    """The facts of a match.

    `teams`: the team of each seat, by seat.
    `seed`: the seat's own 32 random bytes.
    `commitment`: SHA-256 of the secret behind the deals; empty if they follow a known seed.
    `resumed`: whether the match had begun before, in a process or on a connection that was lost.
    """

    id: str
    game: str
    rules_version: int
    options: Mapping[str, int | bool | str]
    seat: int
    teams: tuple[int, ...]
    clock: Clock
    seed: bytes
    commitment: bytes
    resumed: bool

    @property
    def players(self) -> int:
        return len(self.teams)

    @classmethod
    def of(cls, start: match_pb2.MatchStart) -> "Match":
        return cls(
            id=start.match_id,
            game=start.game,
            rules_version=start.rules_version,
            options=MappingProxyType({name: value(text) for name, text in start.options.items()}),
            seat=start.seat,
            teams=tuple(start.teams),
            clock=Clock(start.clock.bank_ms / 1000, start.clock.increment_ms / 1000),
            seed=start.seed,
            commitment=start.commitment,
            resumed=start.resumed,
        )

    def __str__(self) -> str:
        return f"match {self.id} ({self.game}), seat {self.seat}"


def value(text: str) -> int | bool | str:
    """Returns an option's value; the arena sends it as text."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text


@dataclass(frozen=True)
class Fault:
    """The reason why the arena played for a seat from a certain decision on.

    `kind`: a word such as "timeout" or "illegal-action".
    `decision`: the number of that decision, 0 before the first; sent to the seat's own team only.
    `sentence`: what happened; sent to the seat's own team only.
    """

    seat: int
    kind: str
    decision: int
    sentence: str


@dataclass(frozen=True)
class MatchEnd:
    """The end of a match.

    `scores`: by seat.
    `ranks`: by seat; 1 is best, equal ranks are ties.
    `reason`: the game's own word for what ended it, or "abandoned".
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str
    faults: tuple[Fault, ...]

    @classmethod
    def of(cls, end: match_pb2.MatchEnd) -> "MatchEnd":
        return cls(
            scores=tuple(end.scores),
            ranks=tuple(end.ranks),
            reason=end.reason,
            faults=tuple(
                Fault(fault.seat, kind(fault.kind), fault.decision, fault.sentence)
                for fault in end.faults
            ),
        )


def kind(number: int) -> str:
    """Returns the name of a kind of fault: "kind-N" if it is newer than this SDK."""
    if number not in match_pb2.FaultKind.values():
        return f"kind-{number}"
    name = match_pb2.FaultKind.Name(match_pb2.FaultKind.ValueType(number))
    return name.removeprefix("FAULT_KIND_").lower().replace("_", "-")
