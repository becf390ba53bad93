"""Lists of matches as files for programs, sent in parts while they are read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from arena.store.matches import MatchFilter, MatchRow, find_matches, to_query
from arena.store.session import Store

AT_ONCE = 500  # matches
COLUMNS = (
    *("match", "competition", "game", "finished_at", "reason", "rated"),
    *("seat", "bot", "version", "team", "rank", "score", "margin", "fault", "fault_decision"),
)


def all_matches(store: Store, wanted: MatchFilter) -> Iterator[Sequence[MatchRow]]:
    """Yields all matches of a list in parts, each read in a transaction of its own, so that a slow
    reader holds none."""
    after: str | None = None
    while True:
        with store.reading() as session:
            page = find_matches(session, wanted, after=after, limit=AT_ONCE)
        yield page.matches
        if page.next is None:
            return
        after = page.next


def match_document(match: MatchRow) -> dict[str, Any]:
    """Returns a match as JSON has it. `version`: the number of the bot's version."""
    return {
        "match": match.match,
        "job": match.job,
        "competition": match.competition,
        "kind": match.competition_kind,
        "game": match.game,
        "rules_version": match.rules_version,
        "started_at": match.started_at.isoformat(),
        "finished_at": match.finished_at.isoformat(),
        "reason": match.reason,
        "rated": match.rated,
        "seats": [
            {
                "seat": seat.seat,
                "bot": seat.bot,
                "version": seat.number,
                "digest": seat.version,
                "team": seat.team,
                "rank": seat.rank,
                "score": seat.score,
                "margin": seat.margin,
                "fault": seat.faults[0].kind if seat.faults else None,
                "fault_decision": seat.faults[0].decision if seat.faults else None,
                "slowest_ms": seat.slowest_ms,
            }
            for seat in match.seats
        ],
    }


def as_ndjson(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields a JSON document a line, one for each match."""
    for part in all_matches(store, wanted):
        yield "".join(f"{json.dumps(match_document(match))}\n" for match in part)


def as_json(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields one JSON document with the filter and the matches."""
    yield f'{{"filter": {json.dumps(dict(to_query(wanted)))}, "matches": ['
    before = "\n"
    for part in all_matches(store, wanted):
        texts = [json.dumps(match_document(match)) for match in part]
        yield (before if texts else "") + ",\n".join(texts)
        before = ",\n"
    yield "\n]}\n"


def as_csv(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields a line for each seat of each match, after one with the names of the columns."""
    yield _lines([COLUMNS])
    for part in all_matches(store, wanted):
        yield _lines(row for match in part for row in _seat_rows(match_document(match)))


def _seat_rows(match: dict[str, Any]) -> Iterator[Sequence[object]]:
    for seat in match["seats"]:
        values = match | seat
        yield [values[column] for column in COLUMNS]


def _lines(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


Export = Callable[[Store, MatchFilter], Iterator[str]]
EXPORTS: dict[str, tuple[Export, str]] = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "json": (as_json, "application/json"),
    "ndjson": (as_ndjson, "application/x-ndjson"),
}
"""What writes each kind of file, and its media type."""
