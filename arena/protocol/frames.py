"""The messages sent to a seat. The referee sends them; a replay creates the same bytes again.

A decision costs a few microseconds because most of an observation has not changed since the last
one: serialized pieces are stored and joined, as protobuf documents that concatenated messages parse
as their merge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from arena.protocol.faults import Fault
from sevens.bot.v1 import bot_service_pb2, decision_pb2, match_pb2, observation_pb2
from sevens_games import Event, Facts, Observation, Zone, text_of
from sevens_games.engine import FactValue, GameOf, OptionValue

FRAME_LIMIT_BYTES = 1024 * 1024
PIECES_KEPT = 4_096  # of each kind; about 300 bytes each
# A field that is a message begins with its number and a 2; then come the length and the bytes.
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
    """Returns the start of a match. Options that are not given have the game's defaults."""
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
    """Writes the decisions of one match. Zones that equal those of the previous observation,
    even of another seat, are not serialized again while the number of zones stays the same; nor
    are the facts while all are equal."""

    def __init__(self, match_id: str, frame_limit_bytes: int = FRAME_LIMIT_BYTES) -> None:
        self._match_id = match_id
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
        """Returns a decision that a seat owes, as the bytes of an ArenaFrame that holds nothing
        else. If the events take more than half a frame, the oldest are left out and counted: the
        observation alone suffices."""
        told = [_event_piece(event) for event in events]
        left_out = _count_to_leave_out(told, self._room_for_events)
        head = decision_pb2.Decision(
            match_id=self._match_id,
            number=number,
            seat=seat,
            time_left_ms=time_left_ms,
            legal_actions=legal,
            events_left_out=left_out,
        )
        # As one field: protobuf merges several, but not every bot's decoder does.
        seen = self.observation(observation)
        seen_head = OBSERVATION_TAG + _varint(len(seen))
        decision = b"".join([head.SerializeToString(), seen_head, seen, *told[left_out:]])
        return DECISIONS_TAG + _varint(len(decision)) + decision

    def observation(self, observation: Observation) -> bytes:
        """Returns a seat's observation, facts in alphabetical order, as the bytes of an
        Observation."""
        zones, facts = observation
        before, pieces = self._zones, self._zone_pieces
        if len(zones) == len(before):
            for i, zone in enumerate(zones):
                if zone != before[i]:
                    pieces[i] = _zone_piece(zone)
        else:
            pieces[:] = map(_zone_piece, zones)
        self._zones = zones
        if facts != self._facts:
            self._facts = facts
            self._fact_pieces = b"".join([_fact_piece(name, facts[name]) for name in sorted(facts)])
        return b"".join(pieces) + self._fact_pieces


def decision_in(frame: bytes) -> decision_pb2.Decision:
    """Returns the decision in a frame of a `DecisionWriter`."""
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
    """Returns the end of a match for one seat, without the details of other teams' faults."""
    return match_pb2.MatchEnd(
        match_id=match_id,
        scores=scores,
        ranks=ranks,
        reason=reason,
        faults=[_fault_message(fault, teams[fault.seat] == teams[seat]) for fault in faults],
    )


def observation_message(observation: Observation) -> observation_pb2.Observation:
    """Returns a seat's observation, facts in alphabetical order."""
    return observation_pb2.Observation.FromString(DecisionWriter("").observation(observation))


def event_message(event: Event) -> observation_pb2.Event:
    """Returns the message for an event."""
    return observation_pb2.Event(
        verb=event.verb, actor=event.actor, arguments=[str(word) for word in event.arguments]
    )


@lru_cache(PIECES_KEPT)
def _varint(number: int) -> bytes:
    """Encodes seven bits a byte, the lowest first; all bytes but the last have the top bit set."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _varint(number >> 7)


class Pieces(dict[K, bytes]):
    """The bytes of a limited number of values, each serialized on first use."""

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
ZONE_HEADS = Pieces[int](lambda size: ZONES_TAG + _varint(size))
HIDDEN = Pieces[int](lambda count: observation_pb2.Zone(hidden=count).SerializeToString())


def _zone_piece(zone: Zone) -> bytes:
    """Returns the bytes of an observation with nothing but this zone."""
    name, owner, cards, hidden = zone
    content = ZONE_NAMES[name, owner]
    if cards:
        content += b"".join(map(CARDS.__getitem__, cards))
    if hidden:
        content += HIDDEN[hidden]
    return ZONE_HEADS[len(content)] + content


@lru_cache(PIECES_KEPT)
def _fact_piece(name: str, value: FactValue) -> bytes:
    """Returns the bytes of an observation with nothing but this fact."""
    is_list = isinstance(value, tuple)
    values = value if isinstance(value, tuple) else (value,)
    words = [word for word in values if isinstance(word, str)]
    numbers = [number for number in values if isinstance(number, int)]
    fact = observation_pb2.Fact(name=name, numbers=numbers, words=words, is_list=is_list)
    return observation_pb2.Observation(facts=[fact]).SerializeToString()


@lru_cache(PIECES_KEPT)
def _event_piece(event: Event) -> bytes:
    """Returns the bytes of a decision with nothing but this event."""
    return decision_pb2.Decision(events=[event_message(event)]).SerializeToString()


def _count_to_leave_out(pieces: Sequence[bytes], room: int) -> int:
    """Returns the number of first pieces to leave out so that the rest fits into `room` bytes."""
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
