"""`arena log`, `arena replay`, `arena verify`: what happened in a match, and whether it is true."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.arguments import DEFAULT_DATA, DataOption
from arena.cli.errors import CommandError, Exit
from arena.cli.output import JsonOption, print_json, stdout
from arena.cli.reading import reading
from arena.records.private import PRIVATE_SUFFIX, PrivateLog
from arena.records.record import BadRecord, load_file, read
from arena.records.show import log_lines
from arena.records.show_decisions import decision_views
from arena.records.verify import Verdict, verify_record
from arena.store.matches import match_named, private_log_text, record_text
from arena.store.reading import NotFound
from sevens.record.v1.match_record_pb2 import MatchRecord

MatchArgument = Annotated[
    str, typer.Argument(metavar="MATCH", help="A match (the beginning of its id), or a file.")
]


@dataclass(frozen=True)
class Found:
    """A match as it was found: in a file, or in the store, which keeps the digest beside it."""

    record: MatchRecord
    private_log: PrivateLog | None
    kept_digest: str = ""


def log(
    match: MatchArgument,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Tells a match, a line a decision, with the bots' notes and the last words of failed ones."""
    found = _found(match, data)
    lines = log_lines(found.record, found.private_log)
    if as_json:
        print_json({"match": found.record.match_id, "lines": [line.plain for line in lines]})
        return
    for line in lines:
        stdout.print(line)


def replay(
    match: MatchArgument,
    seat: Annotated[
        int | None, typer.Option(min=0, help="As this seat's bot saw it. [default: everything]")
    ] = None,
    decision: Annotated[
        int | None, typer.Option(min=1, help="Only this one of the decisions shown, from 1.")
    ] = None,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Shows a match decision by decision: what was seen, what was legal, what was chosen."""
    record = _found(match, data).record
    if seat is not None and seat >= len(record.seats):
        last = len(record.seats) - 1
        raise CommandError(f"The match has seats 0 to {last}, not {seat}.", "seat")
    views = list(decision_views(record, seat))
    if decision is not None:
        if decision > len(views):
            raise CommandError(f"There are {len(views)} decisions to show.", "decision")
        views = [views[decision - 1]]
    if as_json:
        decisions = [[line.plain for line in view] for view in views]
        print_json({"match": record.match_id, "decisions": decisions})
        return
    for view in views:
        for line in view:
            stdout.print(line)
        stdout.print()


def verify(
    records: Annotated[
        list[str], typer.Argument(metavar="RECORD...", help="Files, or matches of the store.")
    ],
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Plays records again by the rules and names the first field that contradicts them."""
    # A pattern for the records of `arena play` finds the private logs beside them as well.
    names = [name for name in records if not name.endswith(PRIVATE_SUFFIX)]
    if not names:
        raise CommandError("Private logs are no records; name the records themselves.", "record")
    verdicts = [(name, _verdict(name, data)) for name in names]
    if as_json:
        print_json({"records": [_row(name, verdict) for name, verdict in verdicts]})
    else:
        for name, verdict in verdicts:
            word = "true" if verdict.ok else f"WRONG in {verdict.field or 'the text'}"
            stdout.print(f"{name}: {word}. {verdict.sentence}", markup=False)
    return Exit.DONE if all(verdict.ok for _, verdict in verdicts) else Exit.ANSWER_IS_NO


def _verdict(name: str, data: Path) -> Verdict:
    try:
        found = _found(name, data)
    except BadRecord as bad:
        return Verdict(False, bad.field, bad.sentence)
    if found.kept_digest and found.kept_digest != found.record.digest:
        sentence = f"The store keeps another digest: {found.kept_digest}."
        return Verdict(False, "digest", sentence)
    return verify_record(found.record)


def _row(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "record": name,
        "ok": verdict.ok,
        "field": verdict.field,
        "sentence": verdict.sentence,
    }


def _found(name: str, data: Path) -> Found:
    path = Path(name)
    if path.is_file():
        return _in_file(path)
    if path.suffix or "/" in name:
        raise CommandError(f"There is no file {name}.", "match")
    with reading(data, "match") as session:
        row = match_named(session, name)
        try:
            private = PrivateLog.from_json(private_log_text(session, row.match))
        except NotFound:
            private = None
        return Found(read(record_text(session, row.match)), private, row.digest)


def _in_file(path: Path) -> Found:
    """A record in a file, and the private log that `arena play` puts beside it."""
    beside = path.with_suffix(PRIVATE_SUFFIX)
    private = PrivateLog.from_json(beside.read_text()) if beside.is_file() else None
    return Found(load_file(path), private)
