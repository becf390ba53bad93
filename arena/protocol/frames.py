"""The messages that a seat is sent. The referee sends them; a replay makes them again, to the byte.

A decision costs a few microseconds because most of what there is to see has not changed since the
last one: serialized pieces are kept, and put together by a documented property of protobuf:
serialized messages, one after the other, parse as their merge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import TypeVar

from arena.games import Event, Facts, Observation, Zone, text_of
from arena.games.engine.game import GameOf
from arena.games.engine.observation import FactValue
from arena.games.engine.options import OptionValue
from arena.protocol.faults import Fault
from sevens.bot.v1 import bot_service_pb2, decision_pb2, match_pb2, observation_pb2

FRAME_LIMIT_BYTES = 1024 * 1024
PIECES_KEPT = 4_096  # of each sort; some 300 bytes each
# What begins a field that is a message: the field's number, and 2 for "a length and so many bytes".
DECISIONS_TAG = bytes([bot_service_pb2.ArenaFrame.DECISIONS_FIELD_NUMBER << 3 | 2])
OBSERVATION_TAG = bytes([decision_pb2.Decision.OBSERVATION_FIELD_NUMBER << 3 | 2])
ZONES_TAG = bytes([observation_pb2.Observation.ZONES_FIELD_NUMBER << 3 | 2])

K = TypeVar("K")


def start_message(
    *,
    match_id: str,
    game: GameOf,
    options: Mapping[str, OptionValue],
    seat: int,
    teams: Sequence[int],
    bank_ms: int,
    increment_ms: int,
    commitment: bytes,
    seed: bytes,
    resumed: bool = False,
) -> match_pb2.MatchStart:
    """The beginning of a match. Options that are not given have the game's defaults."""
    defaults = {name: option.default for name, option in game.options.items()}
    return match_pb2.MatchStart(
        match_id=match_id,
        game=game.slug,
        rules_version=game.rules_version,
        options={name: text_of(value) for name, value in {**defaults, **options}.items()},
        seat=seat,
        teams=teams,
        clock=match_pb2.ClockSettings(bank_ms=bank_ms, increment_ms=increment_ms),
        commitment=commitment,
        seed=seed,
        resumed=resumed,
    )


class DecisionWriter:
    """Writes the decisions of one match. Of the observation before, whichever seat's it was, what
    is the same in this one is not written again: each zone, and the facts together."""

    def __init__(self, match_id: str, frame_limit_bytes: int = FRAME_LIMIT_BYTES) -> None:
        self._head = decision_pb2.Decision(match_id=match_id)
        self._room_for_events = frame_limit_bytes // 2
        self._zones: Sequence[Zone] = ()
        self._zone_pieces: list[bytes] = []
        self._facts: Facts | None = None
        self._fact_pieces = b""

    def frame(
        self,
        *,
        number: int,
        seat: int,
        time_left_ms: int,
        legal: Sequence[str],
        observation: Observation,
        events: Sequence[Event],
    ) -> bytes:
        """A decision that a seat owes, as the bytes of an ArenaFrame that holds nothing else. If
        the events take more than half a frame, the oldest are left out and counted: the observation
        alone suffices."""
        told = [_event_piece(event) for event in events]
        left_out = _count_to_leave_out(told, self._room_for_events)
        head = self._head
        head.number = number
        head.seat = seat
        head.time_left_ms = time_left_ms
        head.legal_actions[:] = legal
        head.events_left_out = left_out
        # As one field: protobuf merges several, but not every decoder of a bot keeps to that.
        seen = _inside(OBSERVATION_TAG, self.observation(observation))
        pieces = [head.SerializeToString(), seen, *told[left_out:]]
        return _inside(DECISIONS_TAG, b"".join(pieces))

    def observation(self, observation: Observation) -> bytes:
        """What a seat sees, facts in alphabetical order, as the bytes of an Observation."""
        zones, facts = observation
        known, pieces = chain(self._zones, repeat(None)), chain(self._zone_pieces, repeat(b""))
        self._zone_pieces = [
            piece if zone == before else _zone_piece(zone)
            for zone, before, piece in zip(zones, known, pieces, strict=False)
        ]
        self._zones = zones
        if facts != self._facts:
            self._facts = facts
            self._fact_pieces = b"".join([_fact_piece(name, facts[name]) for name in sorted(facts)])
        return b"".join(self._zone_pieces) + self._fact_pieces


def decision_in(frame: bytes) -> decision_pb2.Decision:
    """The decision that a frame of a `DecisionWriter` holds."""
    return bot_service_pb2.ArenaFrame.FromString(frame).decisions[0]


def end_message(
    *,
    match_id: str,
    seat: int,
    teams: Sequence[int],
    scores: Sequence[int],
    ranks: Sequence[int],
    reason: str,
    faults: Iterable[Fault],
) -> match_pb2.MatchEnd:
    """The end of a match, as told to one seat. Where and why another team failed is not told."""
    return match_pb2.MatchEnd(
        match_id=match_id,
        scores=scores,
        ranks=ranks,
        reason=reason,
        faults=[_fault_message(fault, teams[fault.seat] == teams[seat]) for fault in faults],
    )


def observation_message(observation: Observation) -> observation_pb2.Observation:
    """All that a seat sees, facts in alphabetical order."""
    return observation_pb2.Observation.FromString(DecisionWriter("").observation(observation))


def event_message(event: Event) -> observation_pb2.Event:
    """Something that happened."""
    return observation_pb2.Event(
        verb=event.verb, actor=event.actor, arguments=[str(word) for word in event.arguments]
    )


class Pieces(dict[K, bytes]):
    """The bytes of what there is a limited number of: each is made when it is first asked for."""

    def __init__(self, make: Callable[[K], bytes]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> bytes:
        piece = self[key] = self._make(key)
        return piece


CARDS = Pieces[str](lambda card: observation_pb2.Zone(cards=[card]).SerializeToString())
ZONE_NAMES = Pieces[tuple[str, int | None]](
    lambda name: observation_pb2.Zone(name=name[0], owner=name[1]).SerializeToString()
)
HIDDEN = Pieces[int](lambda count: observation_pb2.Zone(hidden=count).SerializeToString())


def _zone_piece(zone: Zone) -> bytes:
    """The bytes of an observation with nothing but this zone."""
    name, owner, cards, hidden = zone
    content = ZONE_NAMES[name, owner]
    if cards:
        content += b"".join(map(CARDS.__getitem__, cards))
    if hidden:
        content += HIDDEN[hidden]
    return _inside(ZONES_TAG, content)


def _inside(tag: bytes, message: bytes) -> bytes:
    """A message as the field of another: the field's tag, the length, the bytes."""
    return tag + _varint(len(message)) + message


@lru_cache(PIECES_KEPT)
def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; all bytes but the last have the highest bit set."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _varint(number >> 7)


@lru_cache(PIECES_KEPT)
def _fact_piece(name: str, value: FactValue) -> bytes:
    """The bytes of an observation with nothing but this fact."""
    is_list = isinstance(value, tuple)
    values = value if isinstance(value, tuple) else (value,)
    words = [word for word in values if isinstance(word, str)]
    numbers = [number for number in values if isinstance(number, int)]
    fact = observation_pb2.Fact(name=name, numbers=numbers, words=words, is_list=is_list)
    return observation_pb2.Observation(facts=[fact]).SerializeToString()


@lru_cache(PIECES_KEPT)
def _event_piece(event: Event) -> bytes:
    """The bytes of a decision with nothing but this event."""
    return decision_pb2.Decision(events=[event_message(event)]).SerializeToString()


def _count_to_leave_out(pieces: Sequence[bytes], room: int) -> int:
    """How many of the first pieces must go so that the rest fits the room."""
    too_much = sum(map(len, pieces)) - room
    count = 0
    while too_much > 0:
        too_much -= len(pieces[count])
        count += 1
    return count


def _fault_message(fault: Fault, own_team: bool) -> match_pb2.Fault:
    return match_pb2.Fault(
        seat=fault.seat,
        kind=f"FAULT_KIND_{fault.kind.name}",
        decision=fault.decision if own_team else 0,
        sentence=fault.sentence if own_team else "",
    )
