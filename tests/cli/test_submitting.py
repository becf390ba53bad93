"""What `arena submit` shows while the server works."""

from __future__ import annotations

import io
import shutil
import socket
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.cli.commands.submit import command as submit
from arena.cli.commands.submit import display as submit_display
from arena.cli.commands.submit.display import SubmissionDisplay, Upload
from sevens.league.v1.submission_pb2 import (
    Step,
    StepBegun,
    StepProgress,
    SubmitHead,
    SubmitOutcome,
    SubmitResponse,
)
from tests.support.command_line import Arena

UNPACKED = Step(name="archive", passed=True, sentence="Unpacked 2 files.")
FAILED = Step(
    name="build", passed=False, sentence="The build failed.", output="no\x1b[2J such file"
)
EVENTS = [
    SubmitResponse(begun=StepBegun(name="archive")),
    SubmitResponse(ended=UNPACKED),
    SubmitResponse(begun=StepBegun(name="build")),
    SubmitResponse(progress=StepProgress(line="cc \x1b[2J" + "x" * 200)),
]
REFUSED = [
    SubmitResponse(ended=FAILED),
    SubmitResponse(outcome=SubmitOutcome(accepted=False, steps=[UNPACKED, FAILED])),
]


class Server:
    """A server that answers with these events, and then with Ctrl-C if there is no outcome."""

    def __init__(self, events: Sequence[SubmitResponse], *, interrupted: bool) -> None:
        self._events = events
        self._interrupted = interrupted
        self.cancelled = False

    def stream(self, method: str, requests: Iterator[Any]) -> Generator[SubmitResponse]:
        assert method == "Submit"
        assert next(requests).head.ladder == "main"
        try:
            yield from self._events
            if self._interrupted:
                raise KeyboardInterrupt
        finally:
            self.cancelled = True


def served(
    monkeypatch: pytest.MonkeyPatch,
    events: Sequence[SubmitResponse],
    *,
    interrupted: bool = False,
) -> Server:
    server = Server(events, interrupted=interrupted)

    @contextmanager
    def connected(_: str) -> Iterator[Server]:
        yield server

    monkeypatch.setattr(submit, "submitting_address", lambda server: server)
    monkeypatch.setattr(submit, "league_service", connected)
    return server


def test_without_a_terminal_each_step_is_a_line_when_it_ends(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(monkeypatch, EVENTS + REFUSED)
    told = arena("submit", samples / "random_bot", "--ladder", "main")
    assert (told.code, told.err) == (1, "")
    assert told.out.splitlines() == [
        "✓ archive: Unpacked 2 files.",
        "✗ build: The build failed.",
        "    no\\x1b[2J such file",
        "random was not accepted; the server has discarded it.",
    ]


def test_a_program_gets_the_same_document_as_ever(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(monkeypatch, EVENTS + REFUSED)
    told = arena("submit", samples / "random_bot", "--ladder", "main", "--json")
    assert (told.code, told.err) == (1, "")
    assert list(told.json) == ["bot", "version", "ladder", "accepted", "number", "steps"]
    assert [(step["step"], step["ok"]) for step in told.json["steps"]] == [
        ("archive", True),
        ("build", False),
    ]


def test_who_interrupts_is_told_what_becomes_of_the_submission(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = served(monkeypatch, EVENTS, interrupted=True)
    told = arena("submit", samples / "random_bot", "--ladder", "main")
    assert (told.code, server.cancelled) == (130, True)
    assert told.err == (
        "Interrupted: the submission is withdrawn; the server stops its trial and discards it.\n"
    )


def test_what_may_be_secret_is_left_out_and_named(
    arena: Arena, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(monkeypatch, REFUSED)
    folder = shutil.copytree(samples / "random_bot", tmp_path / "bot")
    (folder / ".env").write_text("ARENA_USER_TOKEN=sat_1")
    (folder / ".DS_Store").write_text("")
    told = arena("submit", folder, "--ladder", "main")
    assert told.err.splitlines()[0] == "Left out as private: .env."


def test_where_to_submit_is_explained_if_no_server_is_named(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARENA_SERVER", raising=False)
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody_listens.getsockname()[1]}"
        monkeypatch.setattr("arena.cli.options.PAGES_ADDRESS", address)
        words = ("submit", samples / "random_bot", "--ladder", "main", "--server", address)
        told = arena(*words)
        assert (told.code, "set ARENA_SERVER or pass --server" in told.err) == (3, True)
        monkeypatch.setenv("ARENA_SERVER", address)
        assert "ARENA_SERVER" not in arena(*words).err


def test_a_call_that_ends_without_an_outcome_is_a_failure(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(monkeypatch, EVENTS)
    told = arena("submit", samples / "random_bot", "--ladder", "main")
    assert (told.code, "without an outcome" in told.err) == (3, True)


def test_the_step_that_goes_on_takes_a_line_and_its_output_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(submit_display, "monotonic", iter((0.0, 0.0, 10.0, 15.4)).__next__)
    display = SubmissionDisplay(Upload(SubmitHead(), io.BytesIO()), quiet=True)
    for event in EVENTS[2:]:
        display.show(event)
    screen = Console(width=80, file=io.StringIO(), force_terminal=True, color_system=None)
    monkeypatch.setattr(submit_display, "monotonic", lambda: 5.4)
    with screen.capture() as shown:
        screen.print(display)
    first, second = shown.get().splitlines()
    assert first.endswith("building it (5 s)")
    assert second.startswith("    cc \\x1b[2Jxxx")
    assert second.endswith("x…")
    assert len(second) < 80


def test_the_upload_is_measured() -> None:
    archive = io.BytesIO(b"x" * 600_000)
    upload = Upload(SubmitHead(archive_bytes=600_000), archive)
    requests = upload.requests()
    _ = next(requests), next(requests), next(requests)
    assert str(upload) == "uploading it: 0.3 of 0.6 MB"
    assert sum(len(request.chunk) for request in requests) == 600_000 - 2 * 256 * 1024
    assert str(upload) == "uploading it: 0.6 of 0.6 MB"
