"""`arena log`, `arena replay`, `arena verify`: records of matches, shown and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

import typer

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout
from arena.client.folder_access import reading
from arena.client.matches import (
    FoundMatch,
    file_named,
    find_match,
    match_of_arena,
    own_seats,
    stored_record,
)
from arena.errors import ArenaError, Exit, Kind
from arena.league import check_rows
from arena.records import (
    PRIVATE_SUFFIX,
    BadRecord,
    Verdict,
    check_seat,
    load_file,
    verify_record,
)
from arena.records.render import decision_documents, decision_views, log_document, log_lines
from arena.store.data_folder import DataFolder
from arena.views.matches.match import match_named
from sevens.record.v1.match_record_pb2 import MatchRecord

T = TypeVar("T")
MatchArgument = Annotated[
    str,
    typer.Argument(
        metavar="MATCH",
        help="A match (its id or the beginning of its id), or a file.",
        autocompletion=completion.matches,
    ),
]


def log(
    match: MatchArgument,
    mine: Annotated[
        bool,
        typer.Option(
            "--mine",
            help="Show the full notes and output of your own bots, and none of other bots.",
        ),
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Print a match, one line per decision, with the bots' notes.

    Also prints the stderr of bots that failed.

    Examples:
        arena log 3f2a91c07e-0          # a match that `arena matches` lists
        arena log 3f2a91c07e-0 --mine   # with the stderr of your own bot
    """
    found = found_match(match, data, server)
    own = own_seats(found, data) if mine else None
    if as_json:
        print_json(log_document(found.record, found.private_log, own))
        return
    for line in log_lines(found.record, found.private_log, own):
        stdout.print(line)


def replay(
    match: MatchArgument,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Show only the view of this seat's bot. [default: everything]"),
    ] = None,
    decision: Annotated[
        int | None,
        typer.Option(min=1, help="Show only one of the listed decisions, counted from 1."),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Show one decision: the first at or after this number (`?at=` in page addresses).",
        ),
    ] = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Replay a match by decisions: view, legal actions and choice.

    Examples:
        arena replay 3f2a91c07e-0 --seat 1               # as seat 1 saw it
        arena replay 3f2a91c07e-0 --seat 1 --decision 37
        arena replay 3f2a91c07e-0 --seat 1 --at 74       # as on its page
    """
    if at is not None and decision is not None:
        raise ArenaError(Kind.WRONG_INPUT, "Give --decision or --at, not both.", "at")
    record = found_match(match, data, server).record
    check_seat(seat, len(record.seats))
    if at is not None:
        decision = _listed_at(record, seat, at)
    if as_json:
        decisions = _chosen(decision_documents(record, seat), decision)
        print_json({"match": record.match_id, "game": record.game, "decisions": decisions})
        return
    if address := _page(match, data, server, record, seat, at):
        stdout.say(f"Page: {address}")
    for view in _chosen(list(decision_views(record, seat)), decision):
        for line in view:
            stdout.print(line)
        stdout.print()


def found_match(match: str, data: Path, server: str) -> FoundMatch:
    """Finds the match, and warns if its private log cannot be read."""
    found = find_match(match, data, server)
    if found.warning:
        stderr.say(found.warning, style="yellow")
    return found


def _page(
    match: str, data: Path, server: str, record: MatchRecord, seat: int | None, at: int | None
) -> str:
    """Returns the address of the match's page, if an arena with pages runs on the data folder."""
    pages = "" if server or file_named(match) else DataFolder(data).pages()
    query = {name: value for name, value in (("seat", seat), ("at", at)) if value is not None}
    return pages and f"{pages}/matches/{record.match_id}?{urlencode(query)}".rstrip("?")


def _listed_at(record: MatchRecord, seat: int | None, at: int) -> int:
    """Returns the number among those listed of the first decision at or after one of the match."""
    for number, document in enumerate(decision_documents(record, seat), 1):
        if document["decision"] >= at:
            return number
    raise ArenaError(
        Kind.WRONG_INPUT, f"No decision is listed at or after decision {at} of the match.", "at"
    )


def _chosen(decisions: list[T], number: int | None) -> list[T]:
    """Returns the decision of that number, counted from 1; all of them if there is no number."""
    if number is None:
        return decisions
    if number > len(decisions):
        raise ArenaError(
            Kind.WRONG_INPUT, f"There are only {len(decisions)} decisions to show.", "decision"
        )
    return [decisions[number - 1]]


def verify(
    records: Annotated[
        list[str],
        typer.Argument(
            metavar="RECORD...",
            help="Files, or matches of the arena.",
            autocompletion=completion.matches,
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Check records against the rules and name the first wrong field.

    Examples:
        arena verify 3f2a91c07e-0
        arena verify arena-data/plays/xeri-1/*.json
    """
    # A shell pattern for the records of `arena play` also matches the private logs next to them.
    names = [name for name in records if not name.endswith(PRIVATE_SUFFIX)]
    if not names:
        raise ArenaError(
            Kind.WRONG_INPUT, "Private logs are not records; name the records themselves.", "record"
        )
    verdicts = [(name, _verdict(name, data, server)) for name in names]
    if as_json:
        print_json({"records": [_row(name, verdict) for name, verdict in verdicts]})
    else:
        for name, verdict in verdicts:
            word = "verified" if verdict.ok else f"WRONG in {verdict.field or 'the text'}"
            stdout.say(f"{name}: {word}. {verdict.sentence}")
    return Exit.DONE if all(verdict.ok for _, verdict in verdicts) else Exit.ANSWER_IS_NO


def _verdict(name: str, data: Path, server: str) -> Verdict:
    try:
        if (path := file_named(name)) is not None:
            return verify_record(load_file(path))
        return _verdict_on_server(name, server) if server else _verdict_in_folder(name, data)
    except BadRecord as bad:
        return Verdict(False, bad.field, bad.sentence)


def _verdict_on_server(name: str, server: str) -> Verdict:
    found = match_of_arena(name, Path(), server)
    if found.digest != found.record.digest:
        return Verdict(False, "digest", f"The server has another digest: {found.digest}.")
    return verify_record(found.record)


def _verdict_in_folder(name: str, data: Path) -> Verdict:
    """Verifies a match of the store, and that the store's tables agree with its record."""
    with reading(data, "match") as session:
        match = match_named(session, name).match
        record = stored_record(session, match)
        verdict = verify_record(record)
        if verdict.ok:
            check_rows(session, match, record, verdict.thinking)
        return verdict


def _row(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "record": name,
        "ok": verdict.ok,
        "field": verdict.field,
        "sentence": verdict.sentence,
    }
