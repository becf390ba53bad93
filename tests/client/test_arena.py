"""The arena of a data folder answers calls as a server does."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.client.arena import LocalArena, all_ladders, arena_at
from arena.errors import ArenaError, Exit
from arena.league.ladder.ladders import create_ladder
from arena.server.handlers.table import METHODS
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from sevens.league.v1 import league_service_pb2
from sevens.league.v1.ladder_pb2 import ListLaddersRequest
from sevens.league.v1.token_pb2 import ROLE_READER, CreateTokenRequest, RevokeTokenRequest
from sevens.league.v1.version_pb2 import RetireVersionRequest
from tests.support.stored_matches import MATCH, add_bots, add_match

READING = {
    "ListLadders",
    "ReadLadder",
    "ListComparisonGroups",
    "ListComparisons",
    "ListTournaments",
    "ReadComparison",
    "ReadTournament",
    "ListMatches",
    "ReadHistory",
    "ExplainRating",
    "ReadMatch",
    "ListFaults",
    "ListVersions",
}
WITH_METHODS_OF_THEIR_OWN = {
    "Submit",
    "SubmitWatched",
    "RegisterRemote",
    "FetchVersion",
    "EnrolWorker",
}


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


def test_the_table_has_every_method_with_one_request_and_one_response() -> None:
    service = league_service_pb2.DESCRIPTOR.services_by_name["LeagueService"]
    assert set(METHODS) == set(service.methods_by_name) - WITH_METHODS_OF_THEIR_OWN
    assert {name for name, method in METHODS.items() if not method.exclusive} == READING


def test_whoever_reads_does_not_need_the_folder_to_be_free(folder: DataFolder) -> None:
    arena = LocalArena(folder)
    with folder.hold() as hold:
        hold.announce("unix:///nowhere", only=["main"])
        [ladder] = all_ladders(arena)
        with pytest.raises(ArenaError) as refused:
            arena.call("RetireVersion", RetireVersionRequest(bot="ann-bot", number=1))
    assert (ladder.name, ladder.running_now) == ("main", True)
    assert (refused.value.field, refused.value.kind.exit) == ("data", Exit.UNREACHABLE)
    [ladder] = all_ladders(arena)
    assert not ladder.running_now


def test_changes_are_made_in_the_role_of_the_organiser(folder: DataFolder) -> None:
    arena = LocalArena(folder)
    retired = arena.call("RetireVersion", RetireVersionRequest(bot="ann-bot", number=1))
    assert (retired.version.bot, retired.version.owner) == ("ann-bot", "Ann")
    assert folder.holder() is None


def test_changes_go_to_the_server_that_runs_on_the_folder(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.client.channel.CONNECT_S", 0.2)
    socket = f"unix:{folder.path}/nobody.sock"
    with folder.hold() as hold:
        hold.announce("unix:///nowhere", server=socket)
        with pytest.raises(ArenaError, match=f"No arena answers at {socket}"):
            LocalArena(folder).call("RevokeToken", RevokeTokenRequest(id="x"))
        assert LocalArena(folder).call("ListLadders", ListLaddersRequest()).ladders


@pytest.mark.parametrize(
    ("method", "request_", "field", "words"),
    [
        (
            "RetireVersion",
            RetireVersionRequest(bot="x", number=1),
            "bot",
            "There is no bot 'x'; there are",
        ),
        ("RevokeToken", RevokeTokenRequest(id="x"), "id", "There is no token 'x'"),
        ("CreateToken", CreateTokenRequest(owner="Ann"), "role", "A token's role is one of"),
        ("CreateToken", CreateTokenRequest(role=ROLE_READER), "owner", "An owner's name begins"),
    ],
)
def test_a_refusal_names_the_argument(
    folder: DataFolder, method: str, request_: object, field: str, words: str
) -> None:
    with arena_at("", folder.path) as arena, pytest.raises(ArenaError) as refused:
        arena.call(method, request_)
    assert (refused.value.field, refused.value.kind.exit) == (field, Exit.WRONG_INPUT)
    assert words in refused.value.sentence
