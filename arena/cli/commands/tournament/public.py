"""`arena tournament export|verify`: a tournament as one public file, and its check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.arguments import TournamentArgument
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout
from arena.client.arena import Arena, arena_at
from arena.errors import ArenaError, Exit, Kind
from arena.foreign_text import visible
from arena.league.tournament import check, read_file, usable, write_file
from arena.operations.competitions.tournaments import read_tournament
from arena.operations.matches import read_played
from arena.views.tournaments.chess_report import chess_report
from arena.views.tournaments.tournament import Tournament

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file; compressed if it ends in .gz.")
]


def export(
    name: TournamentArgument,
    file: FileArgument,
    trf: Annotated[
        bool,
        typer.Option("--trf", help="Write FIDE's report (TRF16) for chess software instead."),
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Write a tournament to a file, with the records of all its matches.

    `arena tournament verify` checks the file, on any machine. --trf writes the results alone, of a
    tournament with two at a table.

    Examples:
        arena tournament export cup cup.jsonl.gz
        arena tournament export cup cup.trf --trf
    """
    with arena_at(server, data) as arena:
        document = arena.ask(read_tournament, name)
        if trf:
            with usable(file, "written"):
                file.write_text(_report(document), "utf-8")
            stderr.say(f"{file} has the results of the tournament {name}.")
            return
        count = write_file(file, document, _records(arena, document))
    stderr.say(f"{file} has the tournament {name} and the records of {count} matches.")


def verify(
    file: FileArgument,
    published: Annotated[
        str,
        typer.Option(
            metavar="DIGEST", help="The last digest of its chain, as the arena published it."
        ),
    ] = "",
    as_json: JsonOption = False,
) -> int:
    """Verify a tournament's file: plan, deals, results, pairings and places.

    Needs no arena. Prints contradictions of the records, the plan and the rules; the exit code is
    1 if there are any. Entries and withdrawals after the start are bound by the chain alone, whose
    last digest the arena shows on the tournament's page while it is played.

    Examples:
        arena tournament verify cup.jsonl.gz
        arena tournament verify cup.jsonl.gz --published 5f0c…
    """
    document, records = read_file(file)
    checked = check(document, records, published)
    if as_json:
        print_view(checked)
        return Exit.ANSWER_IS_NO if checked.problems else Exit.DONE
    for problem in checked.problems:
        stdout.say(visible(problem))
    if checked.problems:
        return Exit.ANSWER_IS_NO
    stdout.say(f"The results of the tournament {checked.tournament} follow from its records.")
    for sentence in checked.asserted:
        stdout.say(sentence)
    if checked.chain:
        stdout.say(_about_the_chain(checked.chain, published))
    return Exit.DONE


def _report(document: Tournament) -> str:
    if document.terms.per_table != 2:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The tournament {document.tournament} has {document.terms.per_table} at a table; a"
            " chess report has two. Export it without --trf.",
            "trf",
        )
    return chess_report(document)


def _about_the_chain(chain: str, published: str) -> str:
    if published:
        return "Plan and events are those that the arena published."
    return (
        f"Plan and events are the arena's own if their chain ends, as it published, with {chain}."
    )


def _records(arena: Arena, document: Tournament) -> Iterator[str]:
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                for match in group.matches:
                    yield arena.ask(read_played, match.match).record
