"""The arena of a data folder answers as a running one does."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from arena.client.arena import FolderArena, arena_at
from arena.client.http_arena import HttpArena, opened
from arena.errors import ArenaError, Exit, Kind
from arena.league.ladder.ladders import create_ladder
from arena.operations.competitions.tournaments import read_tournament
from arena.operations.matches import list_matches
from arena.operations.tokens import create_token, list_tokens, revoke_token
from arena.operations.versions import list_versions, retire_version
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.schema import Role
from tests.support.asked import asked_arena
from tests.support.stored_matches import MATCH, add_bots, add_match


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A data folder in which Ann's bot has played Bob's on the ladder main."""
    folder = DataFolder(tmp_path / "data")
    store = open_store(folder.path, "write")
    create_ladder(store, "main", "xeri", draw_probability=0.05)
    with store.writing() as session:
        add_bots(session)
        add_match(session, MATCH, "main")
    store.close()
    return folder


def test_whoever_reads_does_not_need_the_folder_to_be_free(folder: DataFolder) -> None:
    arena = FolderArena(folder)
    with folder.hold() as hold:
        hold.announce("unix:///nowhere", only=["main"])
        [match] = arena.ask(list_matches).matches
        with pytest.raises(ArenaError) as refused:
            arena.ask(retire_version, "ann-bot", 1)
    assert match.match == MATCH
    assert (refused.value.field, refused.value.kind.exit) == ("data", Exit.UNREACHABLE)


def test_changes_are_made_in_the_role_of_the_organiser(folder: DataFolder) -> None:
    retired = FolderArena(folder).ask(retire_version, "ann-bot", 1).version
    assert (retired.bot, retired.owner, retired.state) == ("ann-bot", "Ann", "retired")
    assert folder.holder() is None


async def test_changes_go_to_the_door_of_the_arena_that_runs_on_the_folder(
    folder: DataFolder, tmp_path: Path
) -> None:
    from asyncio import to_thread

    store = open_store(folder.path, "write")
    try:
        async with asked_arena(store, folder, tmp_path):
            await to_thread(FolderArena(folder).ask, create_token, "Cid", Role.READER)
    finally:
        store.close()
    assert [token.owner for token in FolderArena(folder).ask(list_tokens).tokens] == ["Cid"]


def test_an_arena_that_does_not_answer_is_named(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.client.reachability.PATIENCE_S", 0.2)
    door = f"unix:{folder.path}/nobody.sock"
    with folder.hold() as hold:
        hold.announce("unix:///nowhere", door=door)
        with pytest.raises(ArenaError, match=f"No arena answers at {door}"):
            FolderArena(folder).ask(revoke_token, "x")
        assert FolderArena(folder).ask(list_matches).matches


@contextmanager
def answering(*statuses: int) -> Iterator[HttpArena]:
    """Asks what answers with these statuses, one after the other, and always with the last."""
    left = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(left.pop(0) if len(left) > 1 else left[0])

        def do_POST(self) -> None:
            # A connection with unread data is reset when it is closed, before its answer is read.
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, ThreadPoolExecutor() as threads:
        served = threads.submit(server.serve_forever, poll_interval=0.01)
        try:
            with opened(f"http://127.0.0.1:{server.server_port}", {"authorization": "x"}) as arena:
                yield arena
        finally:
            server.shutdown()
            served.result()


@pytest.mark.parametrize(
    ("status", "words"),
    [(502, "behind it"), (404, "Give the address of the arena's pages")],
)
def test_what_is_no_arena_is_told_from_a_proxy_without_one(
    status: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.client.http_arena.PATIENCE_S", 1.0)
    with (
        answering(status) as arena,
        pytest.raises(ArenaError, match=rf"says {status}\b.*{words}") as refused,
    ):
        arena.ask(list_matches)
    assert refused.value.kind is Kind.UNREACHABLE


def test_a_question_is_asked_again_while_an_arena_behind_a_proxy_is_being_started() -> None:
    with answering(502, 503, 404) as arena, pytest.raises(ArenaError, match="says 404"):
        arena.ask(list_matches)


def test_a_change_is_not_made_again_through_a_proxy() -> None:
    with answering(502, 404) as arena, pytest.raises(ArenaError, match="says 502"):
        arena.ask(create_token, "Cid", Role.READER)


def test_a_refusal_names_the_argument(folder: DataFolder) -> None:
    arena = FolderArena(folder)
    for ask, field, words in [
        (lambda: arena.ask(retire_version, "x", 1), "bot", "There is no bot 'x'; there are"),
        (lambda: arena.ask(revoke_token, "x"), "id", "There is no token 'x'"),
        (lambda: arena.ask(create_token, "", Role.READER), "owner", "An owner's name begins"),
        (lambda: arena.ask(list_versions, bot="x" * 201), "bot", "at most 200 characters"),
        (lambda: arena.ask(list_versions, bot="\x1b"), "bot", "may contain no control characters"),
    ]:
        with pytest.raises(ArenaError, match=words) as refused:
            ask()
        assert refused.value.field == field
        assert refused.value.kind.exit is Exit.WRONG_INPUT


def test_a_folder_without_an_arena_is_not_created_by_reading(tmp_path: Path) -> None:
    with (
        arena_at("", tmp_path / "nowhere") as arena,
        pytest.raises(ArenaError) as refused,
    ):
        arena.ask(list_matches)
    assert refused.value.kind.exit is Exit.WRONG_INPUT
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["", ".", "..", "../tokens", "a/b"])
def test_a_name_that_would_lead_elsewhere_is_not_asked_for(name: str) -> None:
    """Nothing can have such a name; as a part of an address it would mean another address."""
    with (
        opened("http://127.0.0.1:9", {}) as arena,  # nobody listens there
        pytest.raises(ArenaError) as refused,
    ):
        arena.ask(read_tournament, name)
    assert refused.value.kind is Kind.NOT_FOUND
    assert refused.value.sentence == f"There is no tournament {name!r}."
