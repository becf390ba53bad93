"""The document from which a page draws a match in one view.

It holds a frame a decision of that view, and one for the end. A frame has the zones and facts that
changed since the frame before, so that the table at a decision follows from the document and the
decision's number alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from arena.foreign_text import visible
from arena.records import PrivateLog, Step, View, views_of
from arena.records.wording import SaidFact, Wording
from arena.web.replay.highlights import highlights_of
from arena.web.replay.marks import marks_of
from arena.web.replay.sentences import end_sentence
from arena.web.replay.table_parts import ZoneKey, deck_of, fact_entries, rows_of, zone_entries
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Event, Layout, Zone, load
from sevens_games.engine import FactValue


class LastTrick:
    """Follows the events of a view."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._playing: list[tuple[int | None, str]] = []
        self._last: dict[str, Any] | None = None
        self._is_of_past_deal = False

    def after(self, events: Sequence[Event]) -> dict[str, Any] | None:
        """Returns the last trick if none has begun since: its cards, who played each (None: nobody
        who sits at the table), and the seat that took it. The last one of a deal is there once."""
        if self._is_of_past_deal:
            self._last, self._is_of_past_deal = None, False
        before = self._last
        for event in events:
            verb, actor, arguments = event
            if verb == self._layout.deal:
                self._playing = []
                self._is_of_past_deal = True
                self._last = None if self._last is before else self._last
            elif verb in self._layout.plays:
                self._playing += [(actor, str(card)) for card in arguments]
            elif verb in self._layout.trick_ends and self._playing:
                self._last = {
                    "cards": " ".join(card for _, card in self._playing),
                    "seats": [seat for seat, _ in self._playing],
                    "taker": actor,
                }
                self._playing, self._is_of_past_deal = [], False
        return None if self._playing else self._last


FORMAT = 3
"""Part of the document's entity tag: it changes whenever the document does."""

Document = dict[str, Any]
V = TypeVar("V")


def replay_document(
    record: pb.MatchRecord,
    *,
    seat: int | None = None,
    private: PrivateLog | None = None,
    owned_seats: Collection[int] = (),
) -> Document:
    """Returns the document of a match, as JSON takes it. A match in play, whose record has no
    result, has neither scores nor ranks. Raises BadRecord.

    `seat`: the match as this seat was sent it; None: as seen by a spectator who sees everything.
    `private`: the bots' notes, of which those of `owned_seats` are shown.
    """
    views = list(views_of(record, seat))
    game = load(record.game)
    wording = Wording(game.layout, record.seats)
    keys = _zone_keys(views)
    notes = _notes(private, owned_seats)
    frames = _frames(views, keys, wording, seat)
    marks = marks_of(frames, game.layout)
    for frame in frames[:-1]:
        if note := notes.get((frame["seat"], frame["number"])):
            frame["note"] = note
    return {
        "format": FORMAT,
        "match": record.match_id,
        "game": record.game,
        "title": game.title,
        "options": dict(sorted(record.options.items())),
        "clock": {"bank_ms": record.clock.bank_ms, "increment_ms": record.clock.increment_ms},
        "seat": seat,
        "decisions": len(record.choices),
        "seats": _seats(record, wording),
        "deck": deck_of(game.layout),
        "zones": zone_entries(keys, wording),
        "rows": rows_of(keys, game.layout),
        "facts": fact_entries(
            {name for view in views for name in view.observation.facts}, game.layout
        ),
        "order": game.layout.order,
        "deal": game.layout.deal,
        "nobody": game.layout.nobody,
        "score": game.layout.score,
        "frames": frames,
        "choices": {action: wording.choice(action) for action in dict.fromkeys(_actions(frames))},
        "marks": marks,
        "highlights": highlights_of(frames, marks["tricks"]),
        "result": {
            "reason": record.result.reason,
            "says": end_sentence(record, game, wording),
        },
    }


def _seats(record: pb.MatchRecord, wording: Wording) -> list[Document]:
    faults = {fault.seat: fault for fault in record.faults}
    is_over = record.HasField("result")
    return [
        {
            "name": wording.names[i],
            "version": seat.version[:12],
            "team": seat.team,
            "score": record.result.scores[i] if is_over else None,
            "rank": record.result.ranks[i] if is_over else None,
            "fault": faults[i].kind if i in faults else None,
        }
        for i, seat in enumerate(record.seats)
    ]


def _notes(private: PrivateLog | None, seats: Collection[int]) -> dict[tuple[int, int], str]:
    if private is None:
        return {}
    return {
        (seat, note.decision): note.text for seat in seats for note in private.seats[seat].notes
    }


def _zone_keys(views: Sequence[View]) -> list[ZoneKey]:
    """Returns the zones of all views, in the order of their appearance."""
    keys = ((zone.name, zone.owner) for view in views for zone in view.observation.zones)
    return list(dict.fromkeys(keys))


def _actions(frames: Sequence[Document]) -> Iterator[str]:
    return (action for frame in frames for action in frame.get("legal", ()))


def _frames(
    views: Sequence[View], keys: Sequence[ZoneKey], wording: Wording, viewer: int | None
) -> list[Document]:
    places = {key: str(place) for place, key in enumerate(keys)}  # as JSON has its keys
    zones: dict[str, Zone] = {}
    facts: Document = {}
    told: Document = {}
    last_trick = LastTrick(wording.layout)
    said: list[tuple[int | None, str]] = []  # choices shown whose events are still to come
    frames = []
    for view in views:
        seen = {places[zone.name, zone.owner]: zone for zone in view.observation.zones}
        known = {name: _json(value) for name, value in view.observation.facts.items()}
        events = [_event(event, wording, said) for event in view.events]
        frame = {
            "events": events,
            "zones": {place: zone and _zone(zone) for place, zone in _changes(zones, seen).items()},
            "facts": _changes(facts, known),
            "said": _changes(
                told, now := said_facts(wording.facts(view.observation.facts, viewer))
            ),
        }
        if trick := last_trick.after(view.events):
            frame["last_trick"] = trick
        if view.step is not None:
            frame |= _choice(view.step) | {"says": wording.action(view.step.seat, view.step.action)}
            said.append((view.step.seat, str(view.step.action)))
        zones, facts, told = seen, known, now
        frames.append(frame)
    return frames


def said_facts(facts: Iterable[SaidFact]) -> Document:
    """Returns facts in words by name: a text, or one for each seat or team."""
    return {fact.name: fact.value for fact in facts}


def _choice(step: Step) -> Document:
    """Returns a decision. `decision` counts within the match, `number` within the seat, from 1."""
    fault = step.fault and {"kind": step.fault.kind, "sentence": visible(step.fault.sentence)}
    return {
        "decision": step.place + 1,
        "seat": step.seat,
        "number": step.number,
        "time_left_ms": step.time_left_ms,
        "action": str(step.action),
        "chosen_by": step.chosen_by.value,
        "milliseconds": step.milliseconds,
        "fault": fault,
        "legal": list(map(str, step.legal)),
    }


def _zone(zone: Zone) -> list[Any]:
    return [" ".join(zone.cards), zone.hidden]


def _json(value: FactValue) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _event(event: Event, wording: Wording, said: list[tuple[int | None, str]]) -> Document:
    """Returns an event with its sentence; the sentence is empty if the choice that the event
    repeats has been shown."""
    verb, actor = event.verb, event.actor
    arguments = [str(argument) for argument in event.arguments]
    choice = (actor, " ".join([verb, *arguments]))
    is_repeated = choice in said
    if is_repeated:
        said.remove(choice)
    says = "" if is_repeated else wording.event(verb, actor, arguments)
    return {"verb": verb, "actor": actor, "arguments": arguments, "says": says}


def _changes(before: Mapping[str, V], now: Mapping[str, V]) -> dict[str, V | None]:
    """Returns what differs, with None for what is no longer there."""
    gone = dict.fromkeys(before.keys() - now.keys())
    return {name: value for name, value in now.items() if before.get(name) != value} | gone
