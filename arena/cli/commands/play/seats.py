"""The seats of a finished match, as `--json` gives them."""

from __future__ import annotations

from typing import Any

from sevens.record.v1.match_record_pb2 import MatchRecord


def seat_rows(record: MatchRecord) -> list[dict[str, Any]]:
    """A row for each seat of a record."""
    return [
        {
            "seat": i,
            "bot": seat.bot,
            "version": seat.version,
            "team": seat.team,
            "score": record.result.scores[i],
            "rank": record.result.ranks[i],
            "faults": [
                {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence}
                for fault in record.faults
                if fault.seat == i
            ],
        }
        for i, seat in enumerate(record.seats)
    ]
