"""`arena tournament export|verify`: a tournament as one public file, and its check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.commands.tournament.show import Name, read
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout
from arena.client import Arena, arena_at
from arena.errors import ArenaError, Exit, Kind
from arena.league.tournament import BadFile, problems_of, read_file, write_file
from arena.store.schema import CompetitionState
from sevens.league.v1.match_pb2 import ReadMatchRequest

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file; compressed if it ends in .gz.")
]


def export(
    name: Name, file: FileArgument, server: ServerOption = "", data: DataOption = DEFAULT_DATA
) -> None:
    """Write a tournament to a file, with the records of all its matches.

    `arena tournament verify` checks the file, on any machine.

    Examples:
        arena tournament export cup cup.jsonl.gz
    """
    with arena_at(server, data) as arena:
        document = read(arena, name)
        try:
            count = write_file(file, document, _records(arena, document))
        except OSError as error:
            raise ArenaError(
                Kind.WRONG_INPUT, f"{file} cannot be written: {error.strerror}.", "file"
            ) from None
    stderr.say(f"{file} has the tournament {name} and the records of {count} matches.")


def verify(file: FileArgument, as_json: JsonOption = False) -> int:
    """Verify a tournament's file: deals, results, pairings, tie-breaks and places.

    Needs no arena. Prints contradictions of the records and the rules; the exit code is 1 if there
    are any.

    Examples:
        arena tournament verify cup.jsonl.gz
    """
    try:
        document, records = read_file(file)
        problems = list(problems_of(document, records))
    except BadFile as bad:
        raise ArenaError(Kind.WRONG_INPUT, str(bad), "file") from None
    except OSError as error:
        raise ArenaError(
            Kind.WRONG_INPUT, f"{file} cannot be read: {error.strerror}.", "file"
        ) from None
    if as_json:
        print_json({"tournament": document.tournament, "problems": problems})
        return Exit.ANSWER_IS_NO if problems else Exit.DONE
    for problem in problems:
        stdout.say(problem)
    if problems:
        return Exit.ANSWER_IS_NO
    stdout.say(f"Everything in the tournament {document.tournament} follows from its records.")
    if document.state != CompetitionState.OVER:
        stdout.say(f"It is {document.state}: what it did not play is missing.")
    if not document.secret:
        stdout.say("Its secret is not revealed yet, so that the deals were not checked.")
    return Exit.DONE


def _records(arena: Arena, document: Mapping[str, Any]) -> Iterator[str]:
    for played in document["rounds"]:
        for table in played["tables"]:
            for group in table["groups"]:
                for match in group["matches"]:
                    request = ReadMatchRequest(match=match["match"])
                    yield arena.call("ReadMatch", request).record
