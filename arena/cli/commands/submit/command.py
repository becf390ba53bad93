"""`arena submit`: submits a bot to a server, which puts it on trial and then on a ladder."""

from __future__ import annotations

from contextlib import closing
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

import typer

from arena.bots.source import ArchiveError, ContentError, Program, pack_to_submit
from arena.cli import completion
from arena.cli.commands.submit.display import SubmissionDisplay, Upload
from arena.cli.commands.submit.remote import REMOTE, submit_remote
from arena.cli.options import PAGES_ADDRESS, ServerOption, found_bot, submitting_address
from arena.cli.output import JsonOption, print_json, stderr, stdout
from arena.client.league_service import LeagueService, league_service
from arena.errors import ArenaError, Exit, Kind
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitOutcome

IMAGE = "image:"


def submit(
    reference: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A folder, a .py file, or remote:NAME.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    ladder: Annotated[str, typer.Option(help="The ladder to enter.")],
    server: ServerOption = PAGES_ADDRESS,
    new_version: Annotated[
        bool,
        typer.Option(
            "--new-version", help="Remote bots: start a new version, with its own rating."
        ),
    ] = False,
    new_token: Annotated[
        bool,
        typer.Option("--new-token", help="Remote bots: replace the token; the old one is revoked."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Submit a bot to a ladder; the server tests it first.

    Put your token into the environment variable ARENA_USER_TOKEN. Ctrl-C withdraws the submission.

    Examples:
        arena submit my-bot --ladder xeri --server https://arena.example
        arena submit remote:my-bot --ladder xeri   # it runs on your own machine
    """
    if reference.startswith(REMOTE):
        submit_remote(
            reference,
            ladder,
            server,
            new_version=new_version,
            new_token=new_token,
            as_json=as_json,
        )
        return Exit.DONE
    if new_version or new_token:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "--new-version and --new-token are for remote bots; changed files are a new version"
            " anyway.",
            "bot",
        )
    program = _program(reference)
    with TemporaryFile() as archive:
        head = SubmitHead(
            ladder=ladder, version=program.version, archive_bytes=_packed(program, archive)
        )
        with league_service(submitting_address(server)) as arena:
            response = _send(arena, head, archive, quiet=as_json)
    if as_json:
        print_json(_document(program, ladder, response))
    elif response.accepted:
        number = response.version.number
        stdout.say(f"{program.name} version {number} is on the ladder {ladder}.")
    else:
        stdout.say(f"{program.name} was not accepted; the server has discarded it.")
    return Exit.DONE if response.accepted else Exit.ANSWER_IS_NO


def _program(reference: str) -> Program:
    if reference.startswith(IMAGE):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{reference} cannot be submitted: container engines load images as root, so only"
            " organisers enter images (arena ladder enter). Submit a folder or a .py file.",
            "bot",
        )
    source = found_bot(reference, to_run=False)
    if not isinstance(source, Program):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{reference} cannot be submitted; submit a folder or a .py file of your own.",
            "bot",
        )
    return source


def _packed(program: Program, archive: IO[bytes]) -> int:
    """Packs the bot; returns the size of the archive in bytes."""
    try:
        pack_to_submit(program.content(), archive)
    except (ArchiveError, ContentError, OSError) as error:
        raise ArenaError(Kind.WRONG_INPUT, str(error), "bot") from None
    size = archive.tell()
    archive.seek(0)
    return size


def _send(
    arena: LeagueService, head: SubmitHead, archive: IO[bytes], *, quiet: bool
) -> SubmitOutcome:
    """Submits the archive and shows the progress; `quiet`: only on a terminal."""
    upload = Upload(head, archive)
    with SubmissionDisplay(upload, quiet=quiet) as display:
        try:
            with closing(arena.stream("Submit", upload.requests())) as events:
                for event in events:
                    if event.HasField("outcome"):
                        outcome: SubmitOutcome = event.outcome
                        return outcome
                    display.show(event)
        except KeyboardInterrupt:
            display.close()
            stderr.say(
                "Interrupted: the submission is withdrawn; the server stops its trial and discards"
                " it."
            )
            raise
    raise ArenaError(
        Kind.UNREACHABLE,
        "The server ended the call without an outcome; `arena bot list` shows whether the bot was"
        " accepted.",
    )


def _document(program: Program, ladder: str, response: SubmitOutcome) -> dict[str, Any]:
    return {
        "bot": program.name,
        "version": program.version,
        "ladder": ladder,
        "accepted": response.accepted,
        "number": response.version.number if response.accepted else None,
        "steps": [
            {
                "step": step.name,
                "ok": step.passed,
                "sentence": step.sentence,
                "output": step.output,
            }
            for step in response.steps
        ],
    }
