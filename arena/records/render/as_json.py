"""Logs and replays as JSON values."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from arena.records.private_log import PrivateLog, shown_logs
from arena.records.render.decisions import decisions_shown
from arena.records.replay import replay
from arena.records.timeline import Step
from arena.records.wording import facts_of
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Zone
from sevens.record.v1 import match_record_pb2 as pb

Document = dict[str, Any]


def log_document(
    record: pb.MatchRecord,
    private: PrivateLog | None = None,
    seats: Collection[int] | None = None,
) -> Document:
    """Returns the match with one row per decision. `private`, `seats`: as in `log_lines`. Raises
    BadRecord."""
    logs = shown_logs(private, seats)
    notes = {(seat, note.decision): note.text for seat, log in logs.items() for note in log.notes}
    return {
        "match": record.match_id,
        "game": record.game,
        "rules_version": record.rules_version,
        "options": dict(record.options),
        "bank_ms": record.clock.bank_ms,
        "increment_ms": record.clock.increment_ms,
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "decisions": [
            _choice(step) | {"note": notes.get((step.seat, step.number))} for step in replay(record)
        ],
        "seats": [
            {
                "seat": index,
                "bot": seat.bot,
                "version": seat.version,
                "team": seat.team,
                "score": record.result.scores[index],
                "rank": record.result.ranks[index],
                "stderr": logs[index].stderr if index in logs else None,
                "fault_words": logs[index].fault_words if index in logs else None,
                "stale_answers": logs[index].stale_answers if index in logs else None,
            }
            for index, seat in enumerate(record.seats)
        ],
        "faults": [_fault(fault) | {"seat": fault.seat} for fault in record.faults],
        "reason": record.result.reason,
    }


def decision_documents(record: pb.MatchRecord, seat: int | None = None) -> list[Document]:
    """Returns each decision with the view at that moment, as in `decision_views`. Raises
    BadRecord."""
    return [_choice(step) | _seen(sent) for step, sent in decisions_shown(record, seat)]


def _choice(step: Step) -> Document:
    """Returns the row of a choice. `decision` counts within the match, `number` within the seat,
    from 1."""
    return {
        "decision": step.place + 1,
        "seat": step.seat,
        "number": step.number,
        "time_left_ms": step.time_left_ms,
        "action": str(step.action),
        "chosen_by": step.chosen_by.value,
        "milliseconds": step.milliseconds,
        "fault": _fault(step.fault) if step.fault is not None else None,
    }


def _fault(fault: pb.Fault) -> Document:
    return {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence}


def _seen(sent: Decision) -> Document:
    return {
        "legal": list(sent.legal_actions),
        "events": [
            {
                "verb": event.verb,
                "actor": event.actor if event.HasField("actor") else None,
                "arguments": list(event.arguments),
            }
            for event in sent.events
        ],
        "zones": [_zone(zone) for zone in sent.observation.zones],
        "facts": facts_of(sent),
    }


def _zone(zone: Zone) -> Document:
    owner = zone.owner if zone.HasField("owner") else None
    return {"name": zone.name, "owner": owner, "cards": list(zone.cards), "hidden": zone.hidden}
