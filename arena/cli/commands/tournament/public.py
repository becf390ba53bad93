"""`arena tournament export|verify`: a tournament as one public file, and its check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.tournament.show import Name
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout
from arena.client.arena import Arena, arena_at
from arena.errors import ArenaError, Exit, Kind
from arena.league.tournament import BadFile, problems_of, read_file, write_file
from arena.operations.competitions.tournaments import read_tournament
from arena.operations.matches import read_played
from arena.store.schema import CompetitionState
from arena.views.tournaments.tournament import CheckedTournament, Tournament

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
        document = arena.ask(read_tournament, name)
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
        checked = CheckedTournament(
            tournament=document.tournament, problems=tuple(problems_of(document, records))
        )
    except BadFile as bad:
        raise ArenaError(Kind.WRONG_INPUT, str(bad), "file") from None
    except OSError as error:
        raise ArenaError(
            Kind.WRONG_INPUT, f"{file} cannot be read: {error.strerror}.", "file"
        ) from None
    if as_json:
        print_view(checked)
        return Exit.ANSWER_IS_NO if checked.problems else Exit.DONE
    for problem in checked.problems:
        stdout.say(problem)
    if checked.problems:
        return Exit.ANSWER_IS_NO
    stdout.say(f"Everything in the tournament {document.tournament} follows from its records.")
    if document.state is not CompetitionState.OVER:
        stdout.say(f"It is {document.state}, so matches that were not played are missing.")
    if not document.secret:
        stdout.say("Its secret is not revealed yet, so the deals were not checked.")
    return Exit.DONE


def _records(arena: Arena, document: Tournament) -> Iterator[str]:
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                for match in group.matches:
                    yield arena.ask(read_played, match.match).record
