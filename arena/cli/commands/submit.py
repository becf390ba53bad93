"""`arena submit`: submits a bot to a server, which puts it on trial and then on a ladder."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from arena.bots.source import ArchiveError, ContentError, Program, pack_to_submit
from arena.cli.commands.submit_remote import REMOTE, submit_remote
from arena.cli.options import ServerOption, found_bot
from arena.cli.output import JsonOption, continued, indented, print_json, stderr, stdout
from arena.client import RemoteArena, connected
from arena.errors import CommandError, Exit
from arena.foreign_text import visible
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest, SubmitResponse

DEFAULT_SERVER = "127.0.0.1:7777"
CHUNK_BYTES = 256 * 1024
IMAGE = "image:"


def submit(
    reference: Annotated[
        str, typer.Argument(metavar="BOT", help="A folder, a .py file, or remote:NAME.")
    ],
    ladder: Annotated[str, typer.Option(help="The ladder to enter.")],
    server: ServerOption = DEFAULT_SERVER,
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
    """Submit a bot to a ladder; the server tries it first.

    Put your token into the environment variable ARENA_USER_TOKEN.
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
        raise CommandError(
            "--new-version and --new-token are for remote bots; changed files are a new version"
            " anyway.",
            "bot",
        )
    program = _program(reference)
    with TemporaryFile() as archive:
        head = SubmitHead(
            ladder=ladder, version=program.version, archive_bytes=_packed(program, archive)
        )
        with connected(server) as arena:
            response = _send(arena, head, archive)
    if as_json:
        print_json(_document(program, ladder, response))
    else:
        _print(program, ladder, response)
    return Exit.DONE if response.accepted else Exit.ANSWER_IS_NO


def _program(reference: str) -> Program:
    if reference.startswith(IMAGE):
        raise CommandError(
            f"{reference} cannot be submitted: container engines load images as root, so only"
            " organisers enter images (arena ladder enter). Submit a folder or a .py file.",
            "bot",
        )
    source = found_bot(reference)
    if not isinstance(source, Program):
        raise CommandError(
            f"{reference} cannot be submitted; submit a folder or a .py file of your own.",
            "bot",
        )
    return source


def _packed(program: Program, archive: IO[bytes]) -> int:
    """Packs the bot; returns the size of the archive in bytes."""
    try:
        pack_to_submit(program.content(), archive)
    except (ArchiveError, ContentError, OSError) as error:
        raise CommandError(str(error), "bot") from None
    size = archive.tell()
    archive.seek(0)
    return size


def _send(arena: RemoteArena, head: SubmitHead, archive: IO[bytes]) -> SubmitResponse:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=stderr, transient=True) as progress:
        shown = progress.add_task("uploading", total=head.archive_bytes)

        def requests() -> Iterator[SubmitRequest]:
            yield SubmitRequest(head=head)
            while chunk := archive.read(CHUNK_BYTES):
                yield SubmitRequest(chunk=chunk)
                progress.advance(shown, len(chunk))
            progress.update(shown, description="uploaded; the bot is on trial")

        response: SubmitResponse = arena.call("Submit", requests())
        return response


def _print(program: Program, ladder: str, response: SubmitResponse) -> None:
    for step in response.steps:
        mark = ("✓", "green") if step.passed else ("✗", "red")
        stdout.print(Text.assemble(mark, f" {visible(step.name)}: ", continued(step.sentence)))
        if step.output and not step.passed:
            stdout.print(indented(step.output), style="dim")
    if response.accepted:
        number = response.version.number
        stdout.say(f"{program.name} version {number} is on the ladder {ladder}.")
    else:
        stdout.say(f"{program.name} was not accepted; the server has discarded it.")


def _document(program: Program, ladder: str, response: SubmitResponse) -> dict[str, Any]:
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
