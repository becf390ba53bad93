"""`arena ladder list|show`: prints ladders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli import completion
from arena.cli.commands.ratings.table import print_ratings
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, hint
from arena.cli.output import JsonOption, indented, print_json, stdout, table
from arena.client import all_ladders, arena_at, whole_ladder
from arena.foreign_text import visible
from arena.league import LAST_MATCHES
from arena.server import FORMATS, LADDER_STATES, PARTNERS
from arena.store.schema import CompetitionState
from sevens.league.v1.ladder_pb2 import Ladder, ReadLadderResponse
from sevens.league.v1.match_pb2 import Fault

STATE_NAMES = {number: str(state) for state, number in LADDER_STATES.items()}
FORMAT_NAMES = {number: str(format) for format, number in FORMATS.items()}
PARTNERS_NAMES = {number: str(partners) for partners, number in PARTNERS.items()}


def list_ladders(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the ladders.

    Examples:
        arena ladder list
    """
    with arena_at(server, data) as arena:
        found = all_ladders(arena)
    rows = [_row(ladder) for ladder in found]
    if as_json:
        print_json({"ladders": rows})
        return
    columns = ("ladder", "game", "seats", "format", "matches")
    values = [
        [*(row[column] for column in columns), _state_text(ladder)]
        for ladder, row in zip(found, rows, strict=True)
    ]
    stdout.print(table([*columns, "state"], values))


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The ladder's name.", autocompletion=completion.ladders
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show the terms, jobs and ratings of a ladder.

    Examples:
        arena ladder show xeri
    """
    with arena_at(server, data) as arena:
        found = whole_ladder(arena, name)
    if as_json:
        print_json(_document(found))
    else:
        _print(found, data, server)


def _print(found: ReadLadderResponse, data: Path, server: str) -> None:
    lines = _terms(found.ladder) | {"state": _state_text(found.ladder)} | _counts(found)
    for field, value in lines.items():
        stdout.say(f"{field.replace('_', ' ')}: {_text(value)}")
    if found.obstacle:
        stdout.say(found.obstacle, style="yellow")
    stdout.print()
    print_ratings(found)
    for fault in _suspensions(found):
        stdout.print(_suspension_text(fault, found.ladder.fault_quota, data, server))


def _document(found: ReadLadderResponse) -> dict[str, Any]:
    return {
        **_terms(found.ladder),
        "state": STATE_NAMES[found.ladder.state],
        "running_now": found.ladder.running_now,
        **_counts(found),
        "obstacle": found.obstacle,
        "suspended": [_suspension_row(fault) for fault in _suspensions(found)],
    }


def _row(ladder: Ladder) -> dict[str, Any]:
    return {
        "ladder": ladder.name,
        "game": ladder.game,
        "seats": ladder.seats,
        "format": FORMAT_NAMES[ladder.format],
        "matches": ladder.matches,
        "state": STATE_NAMES[ladder.state],
        "running_now": ladder.running_now,
    }


def _terms(ladder: Ladder) -> dict[str, Any]:
    return {
        "ladder": ladder.name,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "options": dict(sorted(ladder.options.items())),
        "seats": ladder.seats,
        "format": FORMAT_NAMES[ladder.format],
        "partners": PARTNERS_NAMES[ladder.partners],
        "bank_ms": ladder.bank_ms,
        "increment_ms": ladder.increment_ms,
        "draw_probability": ladder.draw_probability,
        "fault_quota": ladder.fault_quota,
    }


def _counts(found: ReadLadderResponse) -> dict[str, Any]:
    jobs = found.jobs
    return {
        "matches": found.ladder.matches,
        "jobs": {"queued": jobs.queued, "recorded": jobs.recorded, "parked": jobs.parked},
    }


def _state_text(ladder: Ladder) -> str:
    """Returns the present state: in the store "running" only means that the ladder is not
    paused."""
    if ladder.running_now or STATE_NAMES[ladder.state] != CompetitionState.RUNNING:
        return STATE_NAMES[ladder.state]
    return "not being run"


def _text(value: object) -> str:
    """Returns a value in the form for people."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
    return visible(str(value))


def _suspensions(found: ReadLadderResponse) -> list[Fault]:
    """Returns, for each suspended version by bot and number, the fault that exceeded the quota."""
    suspended = [one.suspended_for for one in found.standings if one.HasField("suspended_for")]
    return sorted(suspended, key=lambda fault: (fault.bot, fault.number))


def _suspension_text(fault: Fault, quota: int, data: Path, server: str) -> str:
    """Explains a suspension by its last fault, with the commands to use next."""
    where = f"at decision {fault.decision}" if fault.decision else "before its first decision"
    readmit = f"arena bot readmit {fault.bot} {fault.number} --ladder {fault.ladder}"
    read_why = f"arena log {fault.match} --mine"
    bot = visible(fault.bot)
    words = f"{indented(fault.words)}\n" if fault.words else ""
    return (
        f"\n{bot} version {fault.number} is suspended: it was at fault in more than {quota}"
        f" of its last {LAST_MATCHES} matches. Its last fault, {where} of match"
        f" {visible(fault.match)}:"
        f" {visible(fault.kind)}. {visible(fault.sentence)}\n{words}"
        f"  why: {visible(hint(read_why, data, server))}\n"
        f"  let it play again: {visible(hint(readmit, data, server))}"
    )


def _suspension_row(fault: Fault) -> dict[str, Any]:
    return {
        "bot": fault.bot,
        "version": fault.version,
        "number": fault.number,
        "match": fault.match,
        "seat": fault.seat,
        "fault": {
            "kind": fault.kind,
            "decision": fault.decision,
            "sentence": fault.sentence,
            "words": fault.words,
        },
    }
