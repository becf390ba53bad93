"""A table as a document, which the page draws as it draws replays: a frame for each trick that came
between the person's last decisions, and one for the latest of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.records.wording import Wording, facts_of
from arena.web.replay import (
    click_meanings,
    deck_of,
    fact_entries,
    rows_of,
    said_facts,
    zone_entries,
)
from arena.web.tables.card_table import CardTable
from arena.web.tables.transcript import Transcript
from arena.web.tables.tricks import Held, card_laid, ended_tricks, trick_taken
from sevens.bot.v1 import observation_pb2 as pb
from sevens.bot.v1.decision_pb2 import Decision
from sevens_games import Event

Document = dict[str, Any]
ZoneKey = tuple[str, int | None]


def drawing_of(table: CardTable, wording: Wording, transcript: Transcript) -> Document | None:
    """Returns the document of what the person sees; None before their first decision."""
    match, decision, previous = transcript.match, transcript.decision, transcript.previous
    if match is None or decision is None:
        return None
    layout, asked = table.game.layout, [one for one in (decision, previous) if one is not None]
    frames = _Frames(table, wording, asked)
    events = [_event(event) for event in transcript.events]
    tricks, last = ended_tricks(layout, events, transcript.known)
    drawn = []
    if previous is not None:
        held = frames.held(previous)
        for trick in (one for one in tricks if one is not last):
            held = trick_taken(frames.entries, held, trick)
            drawn.append(frames.frame(previous, held, trick))
    held = frames.held(decision)
    if transcript.chosen:
        held = card_laid(layout, frames.entries, held, table.seat, transcript.chosen)
    drawn.append(frames.frame(decision, held, last))
    return {
        "seat": table.seat,
        "seats": [
            {"name": name, "team": team, "score": None, "rank": None, "fault": None}
            for name, team in zip(wording.names, table.teams, strict=True)
        ],
        "clock": {
            "bank_ms": round(1000 * match.clock.bank),
            "increment_ms": round(1000 * match.clock.increment),
        },
        "deck": deck_of(layout),
        "zones": [
            {**entry, "clicks": click_meanings(key, layout, table.seat)}
            for key, entry in zip(frames.keys, frames.entries, strict=True)
        ],
        "rows": rows_of(frames.keys, layout),
        "facts": fact_entries(frames.facts, layout),
        "order": layout.order,
        "nobody": layout.nobody,
        "turns": [str(word) for event in events[transcript.known :] for word in event.arguments],
        "frames": [*drawn, {}],  # a frame that is not the last is not drawn as the end
    }


class _Frames:
    """Makes the frames of a table from what its person was sent with these decisions."""

    def __init__(self, table: CardTable, wording: Wording, asked: Sequence[Decision]) -> None:
        self._table = table
        self._wording = wording
        self.keys = list(
            dict.fromkeys(_key(zone) for one in asked for zone in one.observation.zones)
        )
        self.facts = {name for one in asked for name in facts_of(one)}
        self.entries = zone_entries(self.keys, wording)

    def held(self, decision: Decision) -> Held:
        """Returns what the zones held, as the decision says."""
        zones = {_key(zone): zone for zone in decision.observation.zones}
        there = (zones.get(key, pb.Zone()) for key in self.keys)
        return [(list(zone.cards), zone.hidden) for zone in there]

    def frame(self, decision: Decision, held: Held, trick: Document | None) -> Document:
        """Returns a frame whose zones hold this, and whose last trick is this one."""
        facts = facts_of(decision)
        there = {_key(zone) for zone in decision.observation.zones}
        gone = dict.fromkeys(self.facts)
        frame = {
            "seat": self._table.seat,
            "time_left_ms": decision.time_left_ms,
            "events": [],
            "zones": {
                str(place): [" ".join(cards), hidden] if key in there else None
                for place, (key, (cards, hidden)) in enumerate(zip(self.keys, held, strict=True))
            },
            "facts": gone | facts,
            "said": gone | said_facts(self._wording.facts(facts, self._table.seat)),
        }
        return frame if trick is None else {**frame, "last_trick": trick}


def _key(zone: pb.Zone) -> ZoneKey:
    return zone.name, zone.owner if zone.HasField("owner") else None


def _event(event: pb.Event) -> Event:
    actor = event.actor if event.HasField("actor") else None
    return Event(event.verb, actor, tuple(event.arguments))
