"""`arena ladder list|show`: looking at ladders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.calling import ServerOption
from arena.cli.commands.ladder.suspended import suspension_row, suspension_words, suspensions
from arena.cli.commands.ratings import rating_table
from arena.cli.looking import all_ladders, looking, whole_ladder
from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.server.messages import FORMATS, LADDER_STATES, PARTNERS
from arena.store.tables import LadderState
from sevens.league.v1.ladder_pb2 import Ladder, ReadLadderResponse

STATE_NAMES = {number: str(state) for state, number in LADDER_STATES.items()}
FORMAT_NAMES = {number: str(format) for format, number in FORMATS.items()}
PARTNERS_NAMES = {number: str(partners) for partners, number in PARTNERS.items()}


def list_ladders(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the ladders."""
    with looking(server, data) as arena:
        found = all_ladders(arena)
    rows = [_row(ladder) for ladder in found]
    if as_json:
        print_json({"ladders": rows})
        return
    columns = ("ladder", "game", "seats", "format", "matches")
    values = [
        [*(row[column] for column in columns), _state_words(ladder)]
        for ladder, row in zip(found, rows, strict=True)
    ]
    stdout.print(table([*columns, "state"], values))


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The ladder's name.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show the terms, jobs and ratings of a ladder."""
    with looking(server, data) as arena:
        found = whole_ladder(arena, name)
    if as_json:
        print_json(_document(found))
    else:
        _print(found, data, server)


def _print(found: ReadLadderResponse, data: Path, server: str) -> None:
    lines = _terms(found.ladder) | {"state": _state_words(found.ladder)} | _counts(found)
    for field, value in lines.items():
        stdout.print(f"{field.replace('_', ' ')}: {_words(value)}", markup=False)
    if found.obstacle:
        stdout.print(found.obstacle, style="yellow", markup=False)
    stdout.print()
    stdout.print(rating_table(found))
    for fault in suspensions(found):
        stdout.print(suspension_words(fault, found.ladder.fault_quota, data, server), markup=False)


def _document(found: ReadLadderResponse) -> dict[str, Any]:
    return {
        **_terms(found.ladder),
        "state": STATE_NAMES[found.ladder.state],
        "running_now": found.ladder.running_now,
        **_counts(found),
        "obstacle": found.obstacle,
        "suspended": [suspension_row(fault) for fault in suspensions(found)],
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


def _state_words(ladder: Ladder) -> str:
    """What is so at this moment: the store's "running" means that the ladder is not paused."""
    if ladder.running_now or STATE_NAMES[ladder.state] != LadderState.RUNNING:
        return STATE_NAMES[ladder.state]
    return "not being run"


def _words(value: object) -> str:
    """A value as people read it."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
    return str(value)
