from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from arena.records import BadRecord, Note, PrivateLog, SeatLog, frames_of
from arena.records.replay import replay
from arena.web.replay import frame_at, place_of, replay_document
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Fact
from sevens_games import Event, Match, load, slugs
from tests.support.played_matches import played

each_game = pytest.mark.parametrize("slug", slugs())
FAULTY = (1,)
MOST_BYTES = 100_000


def seats_of(slug: str) -> range:
    return range(load(slug).ladder_players)


def through_json(document: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(json.dumps(document)))


def end_of(slug: str) -> Match:
    steps = list(replay(played(slug).record))
    return steps[-1].match


def answered(slug: str, seat: int, document: dict[str, Any]) -> list[Decision]:
    """Returns the decisions that the seat was sent and that were taken: the last may not be."""
    sent = frames_of(played(slug, faulty=FAULTY).record, seat).decisions
    assert len(sent) - len(document["frames"][:-1]) in (0, 1)
    return sent[: len(document["frames"]) - 1]


def zones_in(document: dict[str, Any], place: int) -> set[tuple[Any, ...]]:
    zones = document["zones"]
    return {
        (zones[i]["name"], zones[i]["owner"], tuple(cards), hidden)
        for i, (cards, hidden) in frame_at(document, place).zones.items()
    }


def zones_sent(decision: Decision) -> set[tuple[Any, ...]]:
    return {
        (
            zone.name,
            zone.owner if zone.HasField("owner") else None,
            tuple(zone.cards),
            zone.hidden,
        )
        for zone in decision.observation.zones
    }


def value_of(fact: Fact) -> Any:
    values = [*fact.numbers, *fact.words]
    return values if fact.is_list else values[0]


def events_in(frame: dict[str, Any]) -> list[tuple[str, int | None, list[str]]]:
    return [(event["verb"], event["actor"], event["arguments"]) for event in frame["events"]]


def events_sent(decision: Decision) -> list[tuple[str, int | None, list[str]]]:
    return [
        (event.verb, event.actor if event.HasField("actor") else None, list(event.arguments))
        for event in decision.events
    ]


def views(slug: str) -> Iterator[tuple[int, dict[str, Any]]]:
    record = played(slug, faulty=FAULTY).record
    for seat in seats_of(slug):
        yield seat, through_json(replay_document(record, seat=seat))


@each_game
def test_a_seats_frames_are_what_it_was_sent(slug: str) -> None:
    for seat, document in views(slug):
        for place, sent in enumerate(answered(slug, seat, document)):
            frame = document["frames"][place]
            facts = {fact.name: value_of(fact) for fact in sent.observation.facts}
            assert zones_in(document, place) == zones_sent(sent)
            assert frame_at(document, place).facts == facts
            assert frame["legal"] == list(sent.legal_actions)
            assert events_in(frame) == events_sent(sent)
            assert (frame["seat"], frame["number"]) == (seat, sent.number)
            assert frame["time_left_ms"] == sent.time_left_ms


@each_game
def test_a_seats_document_names_no_card_that_it_had_not_been_shown(slug: str) -> None:
    for seat, document in views(slug):
        shown: set[str] = set()
        for frame, sent in zip(document["frames"], answered(slug, seat, document), strict=False):
            shown |= cards_in(str(sent))
            assert cards_in(json.dumps(frame, ensure_ascii=False)) <= shown


def cards_in(text: str) -> set[str]:
    """Returns the cards that a text names, whether by code or with a symbol, as codes."""
    letters = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
    found = re.findall(r"\b(10|[0-9ATJQK])([A-Z♣♦♥♠])(?![0-9A-Za-z])", text)
    return {rank.replace("10", "T") + letters.get(suit, suit) for rank, suit in found}


@each_game
@pytest.mark.parametrize("view", ["spectator", "seat"])
def test_the_last_frame_is_the_end(slug: str, view: str) -> None:
    seat = None if view == "spectator" else 0
    document = through_json(replay_document(played(slug).record, seat=seat))
    match = end_of(slug)
    last = len(document["frames"]) - 1
    seen = match.observe(seat)
    assert zones_in(document, last) == {tuple(zone) for zone in seen.zones}
    assert "action" not in document["frames"][last]
    assert all_events(document) == [as_sent(event) for event in match.events(seat)]


def as_sent(event: Event) -> tuple[str, int | None, list[str]]:
    return event.verb, event.actor, [str(argument) for argument in event.arguments]


def all_events(document: dict[str, Any]) -> list[tuple[str, int | None, list[str]]]:
    return [event for frame in document["frames"] for event in events_in(frame)]


@each_game
def test_the_spectator_sees_every_decision_and_every_card(slug: str) -> None:
    record = played(slug, faulty=FAULTY).record
    document = replay_document(record)
    decisions = document["frames"][:-1]
    assert [frame["action"] for frame in decisions] == [one.action for one in record.choices]
    assert all(
        not held[1] for frame in document["frames"] for held in frame["zones"].values() if held
    )
    assert all(event["says"] != event["verb"] for frame in decisions for event in frame["events"])
    faults = [decisions[place]["seat"] for place in document["marks"]["faults"]]
    assert faults == [fault.seat for fault in record.faults]


@each_game
def test_a_document_is_small(slug: str) -> None:
    for seat in (None, 0):
        document = replay_document(played(slug).record, seat=seat)
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        assert len(gzip.compress(text.encode())) < MOST_BYTES


def test_a_record_that_contradicts_the_rules_is_refused() -> None:
    record = type(played("xeri").record)()
    record.CopyFrom(played("xeri").record)
    record.choices[3].action = "play XX"
    with pytest.raises(BadRecord, match=r"choices\[3\]"):
        replay_document(record)


def log_with_notes(record_seats: Sequence[Any]) -> PrivateLog:
    return PrivateLog(
        match_id="m-7",
        seats=[
            SeatLog(bot=seat.bot, notes=[Note(decision=1, text=f"a secret of {seat.bot}")])
            for seat in record_seats
        ],
    )


def test_only_the_notes_of_the_readers_own_seats_are_in_it() -> None:
    record = played("xeri").record
    private = log_with_notes(record.seats)
    own = replay_document(record, private=private, owned_seats=[1])
    notes = [frame["note"] for frame in own["frames"] if "note" in frame]
    assert notes == [f"a secret of {record.seats[1].bot}"]
    assert "secret" not in json.dumps(replay_document(record, private=private))


def test_a_decision_of_the_match_is_found_in_every_view() -> None:
    record = played("xeri").record
    count = len(record.choices)
    for seat in (None, 0, 1):
        document = replay_document(record, seat=seat)
        for decision in range(1, count + 1):
            place = place_of(document, decision)
            assert place is not None
            frame = document["frames"][place]
            assert frame.get("decision", count + 1) >= decision
        assert place_of(document, count + 1) == len(document["frames"]) - 1
        assert place_of(document, count + 2) is None
        assert place_of(document, 0) is None


@pytest.mark.parametrize(
    ("slug", "zone", "called"),
    [
        ("russian-bank", "pile-1", ["pile-1", "1"]),
        ("russian-bank", "clubs-1", ["clubs-1"]),  # `move pile-1 foundation`: any of the eight
        ("california-speed", "cell-3", ["cell-3", "3"]),  # `cover 3`
        ("xeri", "pile", ["pile"]),
    ],
)
def test_zones_say_by_which_words_actions_name_them(
    slug: str, zone: str, called: list[str]
) -> None:
    document = replay_document(played(slug).record)
    assert called in [each["called"] for each in document["zones"] if each["name"] == zone]
