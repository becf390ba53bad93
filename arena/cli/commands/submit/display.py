"""The display of `arena submit` while the server works on a submission."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import IO, Self

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from arena.cli.output import continued, indented, stderr, stdout
from arena.foreign_text import visible
from sevens.league.v1.submission_pb2 import (
    Step,
    SubmitHead,
    SubmitRequest,
    SubmitResponse,
)

CHUNK_BYTES = 256 * 1024
REFRESHES = 5  # a second
DOING = {
    "archive": "unpacking it",
    "queue": "waiting for its trial",
    "build": "building it",
    "start": "starting it",
    "match": "playing a match against itself",
}


class Upload:
    """An archive on its way to the server."""

    def __init__(self, head: SubmitHead, archive: IO[bytes]) -> None:
        self._head = head
        self._archive = archive
        self._sent = 0

    def __str__(self) -> str:
        sent, size = self._sent / 1e6, self._head.archive_bytes / 1e6
        return f"uploading it: {sent:.1f} of {size:.1f} MB"

    def requests(self) -> Iterator[SubmitRequest]:
        """Yields the requests of a submission."""
        yield SubmitRequest(head=self._head)
        while chunk := self._archive.read(CHUNK_BYTES):
            yield SubmitRequest(chunk=chunk)
            self._sent += len(chunk)


class SubmissionDisplay:
    """Prints each step to stdout when it is over. On a terminal it also shows, below them, the
    current step with its seconds and its latest output.

    `quiet`: stdout has another use; the steps are not printed.
    """

    def __init__(self, upload: Upload, *, quiet: bool) -> None:
        self._quiet = quiet
        self._doing: object = upload
        self._line = ""
        self._since = monotonic()
        self._spinner = Spinner("dots")
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        # Not by Rich's own rule, which treats FORCE_COLOR as a terminal.
        if stderr.file.isatty() and not stderr.is_dumb_terminal:
            self._live = Live(
                self,
                console=stderr,
                transient=True,
                refresh_per_second=REFRESHES,
                redirect_stdout=False,
            )
            self._live.start()

    def close(self) -> None:
        """Removes the current step from the terminal."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def show(self, event: SubmitResponse) -> None:
        """Shows what has happened."""
        match event.WhichOneof("event"):
            case "begun":
                self._begin(DOING.get(event.begun.name, event.begun.name))
            case "progress":
                self._line = event.progress.line
            case "ended":
                self._end(event.ended)

    def _begin(self, doing: str) -> None:
        self._doing, self._line, self._since = doing, "", monotonic()

    def _end(self, step: Step) -> None:
        self._begin("waiting for the server")
        if not self._quiet:
            self.close()
            _print(step)
            self._open()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        seconds = f" ({monotonic() - self._since:.0f} s)"
        self._spinner.update(text=_one_line(f"{self._doing}{seconds}", options))
        yield Group(self._spinner, *self._below(options))

    def _below(self, options: ConsoleOptions) -> Iterator[Text]:
        if self._line:
            yield _one_line(f"    {self._line}", options, "dim")


def _one_line(text: str, options: ConsoleOptions, style: str = "") -> Text:
    """Returns the text cut to one line, because the display is redrawn in place."""
    line = Text(visible(text), style)
    line.truncate(options.max_width - 3, overflow="ellipsis")  # the spinner takes two
    return line


def _print(step: Step) -> None:
    mark = ("✓", "green") if step.passed else ("✗", "red")
    stdout.print(Text.assemble(mark, f" {visible(step.name)}: ", continued(step.sentence)))
    if step.output and not step.passed:
        stdout.print(indented(step.output), style="dim")
