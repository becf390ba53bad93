"""Lists of matches as files for programs, sent in parts while they are read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.store.session import Store
from arena.views.matches.match import Match
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.views.matches.match_query import to_query

AT_ONCE = 500  # matches
COLUMNS = (
    *("match", "competition", "game", "finished_at", "reason", "rated"),
    *(
        "seat",
        "bot",
        "number",
        "version",
        "team",
        "rank",
        "score",
        "margin",
        "fault",
        "fault_decision",
    ),
)


def all_matches(store: Store, wanted: MatchFilter) -> Iterator[Sequence[Match]]:
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


def as_ndjson(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields a JSON document a line, one for each match."""
    for part in all_matches(store, wanted):
        yield "".join(f"{match.model_dump_json()}\n" for match in part)


def as_json(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields one JSON document with the filter and the matches."""
    yield f'{{"filter": {json.dumps(dict(to_query(wanted)))}, "matches": ['
    before = "\n"
    for part in all_matches(store, wanted):
        texts = [match.model_dump_json() for match in part]
        yield (before if texts else "") + ",\n".join(texts)
        before = ",\n"
    yield "\n]}\n"


def as_csv(store: Store, wanted: MatchFilter) -> Iterator[str]:
    """Yields a line for each seat of each match, after one with the names of the columns."""
    yield _lines([COLUMNS])
    for part in all_matches(store, wanted):
        yield _lines(row for match in part for row in _seat_rows(match))


def _seat_rows(match: Match) -> Iterator[Sequence[object]]:
    of_match = match.model_dump(mode="json")
    for seat in of_match["seats"]:
        fault = seat["faults"][0] if seat["faults"] else {"kind": None, "decision": None}
        values = of_match | seat | {"fault": fault["kind"], "fault_decision": fault["decision"]}
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
"""The writer of each kind of file, and its media type."""
