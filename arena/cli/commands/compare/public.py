"""`arena compare export|verify`: a comparison as one public file, and its check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.arguments import ComparisonArgument
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout
from arena.client.arena import Arena, arena_at
from arena.errors import Exit
from arena.foreign_text import visible
from arena.league.comparison import problems_of, read_file, write_file
from arena.match import NEW, OLD
from arena.operations.competitions.comparisons import read_certificate
from arena.operations.matches import read_played
from arena.statistics import caution, sentence
from arena.views.comparisons.certificate import Certificate, CheckedCertificate

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file; compressed if it ends in .gz.")
]


def export(
    name: ComparisonArgument,
    file: FileArgument,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Write a comparison to a file, with the records of all its matches.

    `arena compare verify` checks the file, on any machine.

    Examples:
        arena compare export compare-3fa9c1d2 duel.jsonl.gz
    """
    with arena_at(server, data) as arena:
        write_certificate(arena, name, file)


def verify(file: FileArgument, as_json: JsonOption = False) -> int:
    """Verify a comparison's file: deals, results, differences and verdict.

    Needs no arena. Prints contradictions of the plan and the records; the exit code is 1 if there
    are any.

    Examples:
        arena compare verify duel.jsonl.gz
    """
    certificate, records = read_file(file)
    problems = tuple(problems_of(certificate, records))
    if as_json:
        print_view(CheckedCertificate(comparison=certificate.comparison, problems=problems))
        return Exit.ANSWER_IS_NO if problems else Exit.DONE
    for problem in problems:
        stdout.say(visible(problem))
    if problems:
        return Exit.ANSWER_IS_NO
    plan, findings = certificate.plan, certificate.findings
    stdout.say(visible(sentence(findings, str(plan.new), str(plan.old))))
    new_faults, old_faults = certificate.faults(NEW), certificate.faults(OLD)
    if new_faults or old_faults:
        stdout.say(f"Seats at fault: {new_faults} of NEW, {old_faults} of OLD.")
    if warned := caution(findings, plan.terms):
        stdout.say(warned)
    stdout.say(
        "Everything follows from the plan and the records, but for the comparison's name, the"
        f" {certificate.earlier} earlier comparisons of these versions, the {certificate.replayed}"
        " jobs that were played again, and the number of groups that were not counted. The plan is"
        " the one agreed on if its digest, as published at the start, is"
        f" {certificate.plan_digest}."
    )
    return Exit.DONE


def write_certificate(arena: Arena, name: str, file: Path) -> None:
    """Writes a decided comparison to a file. Raises ArenaError."""
    certificate = arena.ask(read_certificate, name)
    count = write_file(file, certificate, _records(arena, certificate))
    stderr.say(f"{file} has the comparison {name} and the records of {count} matches.")


def _records(arena: Arena, certificate: Certificate) -> Iterator[str]:
    for group in certificate.groups:
        for match in group.matches:
            yield arena.ask(read_played, match.match).record
