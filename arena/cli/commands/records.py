"""`arena log`, `arena replay`, `arena verify`: what happened in a match, and whether it is true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from arena.cli.calling import ServerOption
from arena.cli.errors import CommandError, Exit
from arena.cli.finding import file_named, found, kept_record
from arena.cli.match_reading import own_seats, served_match
from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.cli.reading import reading
from arena.league.audit import check_rows
from arena.records.private_log import PRIVATE_SUFFIX
from arena.records.record import BadRecord, load_file
from arena.records.render.as_json import decision_documents, log_document
from arena.records.render.decisions import decision_views
from arena.records.render.log import log_lines
from arena.records.verify import Verdict, verify_record
from arena.store.matches import match_named

T = TypeVar("T")
MatchArgument = Annotated[
    str, typer.Argument(metavar="MATCH", help="A match (the beginning of its id), or a file.")
]


def log(
    match: MatchArgument,
    mine: Annotated[
        bool, typer.Option("--mine", help="All that your own bots wrote, and no other's.")
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Print a match, one line per decision, with the bots' notes.

    Of bots that failed, it also prints the stderr.
    """
    played = found(match, data, server)
    own = own_seats(played.record, played.own_seats, data) if mine else None
    if as_json:
        print_json(log_document(played.record, played.private_log, own))
        return
    for line in log_lines(played.record, played.private_log, own):
        stdout.print(line)


def replay(
    match: MatchArgument,
    seat: Annotated[
        int | None, typer.Option(min=0, help="As this seat's bot saw it. [default: everything]")
    ] = None,
    decision: Annotated[
        int | None, typer.Option(min=1, help="Only this one of the decisions shown, from 1.")
    ] = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show a match decision by decision: what was seen, legal and chosen."""
    record = found(match, data, server).record
    if seat is not None and seat >= len(record.seats):
        last = len(record.seats) - 1
        raise CommandError(f"The match has seats 0 to {last}, not {seat}.", "seat")
    if as_json:
        decisions = _chosen(decision_documents(record, seat), decision)
        print_json({"match": record.match_id, "game": record.game, "decisions": decisions})
        return
    for view in _chosen(list(decision_views(record, seat)), decision):
        for line in view:
            stdout.print(line)
        stdout.print()


def _chosen(decisions: list[T], number: int | None) -> list[T]:
    """The one of that number, from 1; all if there is none."""
    if number is None:
        return decisions
    if number > len(decisions):
        raise CommandError(f"There are {len(decisions)} decisions to show.", "decision")
    return [decisions[number - 1]]


def verify(
    records: Annotated[
        list[str], typer.Argument(metavar="RECORD...", help="Files, or matches of the store.")
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Check records against the rules and name the first wrong field."""
    # A pattern for the records of `arena play` finds the private logs beside them as well.
    names = [name for name in records if not name.endswith(PRIVATE_SUFFIX)]
    if not names:
        raise CommandError("Private logs are no records; name the records themselves.", "record")
    verdicts = [(name, _verdict(name, data, server)) for name in names]
    if as_json:
        print_json({"records": [_row(name, verdict) for name, verdict in verdicts]})
    else:
        for name, verdict in verdicts:
            word = "verified" if verdict.ok else f"WRONG in {verdict.field or 'the text'}"
            stdout.print(f"{name}: {word}. {verdict.sentence}", markup=False)
    return Exit.DONE if all(verdict.ok for _, verdict in verdicts) else Exit.ANSWER_IS_NO


def _verdict(name: str, data: Path, server: str) -> Verdict:
    try:
        if (path := file_named(name)) is not None:
            return verify_record(load_file(path))
        return _served_verdict(name, server) if server else _kept_verdict(name, data)
    except BadRecord as bad:
        return Verdict(False, bad.field, bad.sentence)


def _served_verdict(name: str, server: str) -> Verdict:
    served = served_match(server, name)
    if served.kept_digest != served.record.digest:
        sentence = f"The server keeps another digest: {served.kept_digest}."
        return Verdict(False, "digest", sentence)
    return verify_record(served.record)


def _kept_verdict(name: str, data: Path) -> Verdict:
    """Of a match of the store: whether its tables tell the same, too."""
    with reading(data, "match") as session:
        match = match_named(session, name).match
        record = kept_record(session, match)
        verdict = verify_record(record)
        if verdict.ok:
            check_rows(session, match, record)
        return verdict


def _row(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "record": name,
        "ok": verdict.ok,
        "field": verdict.field,
        "sentence": verdict.sentence,
    }
