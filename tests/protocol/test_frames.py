"""The messages that a seat receives."""

from typing import Any

import pytest

from arena.protocol.faults import Fault, FaultKind
from arena.protocol.frames import (
    FRAME_LIMIT_BYTES,
    DecisionWriter,
    decision_in,
    end_message,
    event_message,
    observation_message,
    start_message,
)
from sevens.bot.v1 import match_pb2
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Event as EventMessage
from sevens.bot.v1.observation_pb2 import Fact
from sevens.bot.v1.observation_pb2 import Observation as ObservationMessage
from sevens.bot.v1.observation_pb2 import Zone as ZoneMessage
from sevens_games import Event, Facts, Observation, SeededDeals, Zone, load

SEEN = Observation(
    (Zone("trick", None, ("7S", "2C")), Zone("hand", 0, (), 3)),
    Facts({"trump": "S", "bids": (), "scores": (-1, 2), "calls": ("pass", "bid 7"), "deal": 0}),
)
AS_MESSAGE = ObservationMessage(
    zones=[
        ZoneMessage(name="trick", cards=["7S", "2C"]),
        ZoneMessage(name="hand", owner=0, hidden=3),
    ],
    facts=[
        Fact(name="bids", is_list=True),
        Fact(name="calls", words=["pass", "bid 7"], is_list=True),
        Fact(name="deal", numbers=[0]),
        Fact(name="scores", numbers=[-1, 2], is_list=True),
        Fact(name="trump", words=["S"]),
    ],
)
EVENTS = [Event("deal", None, (1,)), Event("play", 0, ("7S",)), Event("play", 1, ("2C",))]
FAULTS = [
    Fault(0, FaultKind.TIMEOUT, 7, "No answer came."),
    Fault(1, FaultKind.START_FAILED, 0, "Exit status 1."),
]


def decision(frame_limit_bytes: int = FRAME_LIMIT_BYTES, **changes: Any) -> Decision:
    given: dict[str, Any] = {
        "number": 7,
        "seat": 1,
        "time_left_ms": 300,
        "legal": ["play 7S", "pass"],
        "observation": SEEN,
        "events": EVENTS,
    }
    writer = DecisionWriter("m", frame_limit_bytes)
    return decision_in(writer.frame(**{**given, **changes}))


def test_an_observation_has_its_facts_in_alphabetical_order() -> None:
    assert observation_message(SEEN) == AS_MESSAGE


def test_a_zone_of_seat_0_has_an_owner_and_one_of_nobody_has_none() -> None:
    trick, hand = observation_message(SEEN).zones
    assert hand.HasField("owner")
    assert not trick.HasField("owner")


def test_an_observation_twice_is_the_same_and_independent() -> None:
    first = observation_message(SEEN)
    first.zones[0].cards.append("9H")
    assert observation_message(SEEN) == AS_MESSAGE


def test_an_event_has_its_arguments_as_texts() -> None:
    assert event_message(Event("deal", None, (1, "S"))) == EventMessage(
        verb="deal", arguments=["1", "S"]
    )
    assert event_message(Event("pass", 0)).HasField("actor")


def test_a_decision_holds_all_that_it_takes_to_answer() -> None:
    assert decision() == Decision(
        match_id="m",
        number=7,
        seat=1,
        time_left_ms=300,
        legal_actions=["play 7S", "pass"],
        observation=AS_MESSAGE,
        events=[event_message(event) for event in EVENTS],
    )


def test_a_decision_without_events_has_none() -> None:
    assert list(decision(events=[]).events) == []


def test_events_beyond_half_a_frame_are_left_out_the_oldest_first() -> None:
    one = len(decision(events=EVENTS[:1]).SerializeToString()) - len(
        decision(events=[]).SerializeToString()
    )
    long = [Event("deal", None, (n,)) for n in range(9)]
    shortened = decision(events=long, frame_limit_bytes=2 * 4 * one)
    assert shortened.events_left_out == 5
    assert [event.arguments[0] for event in shortened.events] == ["5", "6", "7", "8"]
    assert decision(events=long, frame_limit_bytes=2 * 9 * one).events_left_out == 0
    assert decision(events=long, frame_limit_bytes=0).events_left_out == 9


def test_a_start_tells_every_option_as_text() -> None:
    start = start_message(
        match_id="m",
        game=load("seven-euchre"),
        options={"target": 77},
        seat=2,
        teams=(0, 1, 0, 1),
        bank_ms=60_000,
        increment_ms=200,
        commitment=bytes(32),
        seed=bytes(range(32)),
    )
    assert start == match_pb2.MatchStart(
        match_id="m",
        game="seven-euchre",
        rules_version=load("seven-euchre").rules_version,
        options={"target": "77", "max_deals": "40"},
        seat=2,
        teams=[0, 1, 0, 1],
        clock=match_pb2.ClockSettings(bank_ms=60_000, increment_ms=200),
        commitment=bytes(32),
        seed=bytes(range(32)),
    )


@pytest.mark.parametrize(
    ("teams", "seat", "told"),
    [
        ((0, 1, 2), 0, [(7, "No answer came."), (0, "")]),
        ((0, 1, 2), 2, [(0, ""), (0, "")]),
        ((0, 1, 0), 2, [(7, "No answer came."), (0, "")]),
        ((0, 1, 1), 2, [(0, ""), (0, "Exit status 1.")]),
    ],
)
def test_only_the_own_team_is_told_where_and_why_it_failed(
    teams: tuple[int, ...], seat: int, told: list[tuple[int, str]]
) -> None:
    end = end_message(
        match_id="m",
        seat=seat,
        teams=teams,
        scores=[-1, 0, 1],
        ranks=[2, 3, 1],
        reason="limit",
        faults=FAULTS,
    )
    assert (list(end.scores), list(end.ranks), end.reason) == ([-1, 0, 1], [2, 3, 1], "limit")
    assert [fault.kind for fault in end.faults] == [
        match_pb2.FAULT_KIND_TIMEOUT,
        match_pb2.FAULT_KIND_START_FAILED,
    ]
    assert [(fault.decision, fault.sentence) for fault in end.faults] == told


def test_every_kind_of_fault_has_its_protocol_kind() -> None:
    for kind in FaultKind:
        end = end_message(
            match_id="m",
            seat=0,
            teams=(0,),
            scores=[0],
            ranks=[1],
            reason="limit",
            faults=[Fault(0, kind, 1, "")],
        )
        name = match_pb2.FaultKind.Name(end.faults[0].kind)
        assert name == f"FAULT_KIND_{kind.replace('-', '_').upper()}"


@pytest.mark.parametrize("slug", ["insidious-sevens", "xeri", "seven-rummy"])
def test_pieces_that_are_kept_do_not_change_what_is_sent(slug: str) -> None:
    """Compares a message built at once, field by field, with one built from stored pieces."""
    match = load(slug).start(deals=SeededDeals("frames"))
    writer = DecisionWriter("m")
    while match.to_act:
        seat = match.to_act[0]
        seen = match.observe(seat)
        message = ObservationMessage.FromString(writer.observation(seen))
        assert message == observation_message(seen)
        assert [(z.name, tuple(z.cards), z.hidden) for z in message.zones] == [
            (zone.name, zone.cards, zone.hidden) for zone in seen.zones
        ]
        for fact in message.facts:
            values = (*fact.numbers, *fact.words)
            assert seen.facts[fact.name] == (values if fact.is_list else values[0])
        match.apply(seat, match.legal_actions(seat)[0])


def test_zones_and_facts_may_come_and_go_from_one_decision_to_the_next() -> None:
    trick, hand = SEEN.zones
    writer = DecisionWriter("m")
    for zones in ((trick, hand), (hand,), (), (hand, trick, hand), (trick, hand)):
        for facts in (SEEN.facts, Facts({}), Facts({"deal": 1})):
            seen = Observation(zones, facts)
            message = ObservationMessage.FromString(writer.observation(seen))
            assert message == observation_message(seen)


def test_a_decision_tells_nothing_of_the_one_written_before() -> None:
    given: dict[str, Any] = {"time_left_ms": 300, "observation": SEEN}
    first: dict[str, Any] = {"number": 7, "seat": 1, "legal": ["a", "b", "c"], "events": EVENTS}
    other: dict[str, Any] = {"number": 8, "seat": 0, "legal": ["d"], "events": []}
    writer = DecisionWriter("m", frame_limit_bytes=0)
    writer.frame(**given, **first)
    fresh = DecisionWriter("m", frame_limit_bytes=0)
    assert writer.frame(**given, **other) == fresh.frame(**given, **other)
