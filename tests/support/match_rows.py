"""Rows of finished matches that nobody has played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from arena.store.schema import Match, MatchSeat


def match_row(
    match: str,
    job: str,
    competition: str,
    finished_at: datetime,
    seats: Iterable[Mapping[str, Any]],
    **fields: Any,
) -> Match:
    """Returns a match of Xeri. `seats`, `fields`: what those and the match have besides."""
    at_each = {"competition": competition, "finished_at": finished_at}
    no_times = {"decision_counts": [], "total_ms": 0, "slowest_ms": 0}
    usual = {
        "id": match,
        "job": job,
        "number": 1,
        "attempt": 1,
        "competition": competition,
        "game": "xeri",
        "rules_version": 1,
        "reason": "played-out",
        "rated": True,
        "digest": "d" * 64,
        "started_at": finished_at,
        "finished_at": finished_at,
        "seats": [
            MatchSeat(**{"seat": number, "team": number} | at_each | no_times | {**seat})
            for number, seat in enumerate(seats)
        ],
    }
    return Match(**usual | fields)
