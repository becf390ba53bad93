"""A table as a document of one frame, which the page draws as it draws replays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.records.wording import SaidFact, Wording, facts_of
from arena.web.replay import (
    click_meanings,
    deck_of,
    fact_entries,
    rows_of,
    said_facts,
    zone_entries,
)
from arena.web.tables.card_table import CardTable
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Zone
from sevens_sdk import Clock

Document = dict[str, Any]


def drawing_of(
    table: CardTable,
    wording: Wording,
    clock: Clock,
    decision: Decision,
    said: Sequence[SaidFact],
) -> Document:
    """Returns the document of what the person saw when they were asked."""
    layout = table.game.layout
    zones = decision.observation.zones
    keys = [(zone.name, _owner(zone)) for zone in zones]
    facts = facts_of(decision)
    return {
        "seat": table.seat,
        "seats": [
            {"name": name, "team": team, "score": None, "rank": None, "fault": None}
            for name, team in zip(wording.names, table.teams, strict=True)
        ],
        "clock": {
            "bank_ms": round(1000 * clock.bank),
            "increment_ms": round(1000 * clock.increment),
        },
        "deck": deck_of(layout),
        "zones": [
            {**zone, "clicks": click_meanings(key, layout, table.seat)}
            for key, zone in zip(keys, zone_entries(keys, wording), strict=True)
        ],
        "rows": rows_of(keys, layout),
        "facts": fact_entries(facts, layout),
        "order": layout.order,
        "nobody": layout.nobody,
        "frames": [
            {
                "seat": table.seat,
                "time_left_ms": decision.time_left_ms,
                "events": [],
                "zones": {
                    str(place): [" ".join(zone.cards), zone.hidden]
                    for place, zone in enumerate(zones)
                },
                "facts": facts,
                "said": said_facts(said),
            },
            {},  # a frame that is not the last is not drawn as the end
        ],
    }


def _owner(zone: Zone) -> int | None:
    return zone.owner if zone.HasField("owner") else None
