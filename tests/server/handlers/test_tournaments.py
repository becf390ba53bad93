"""Tournaments on a server: who may do what, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import grpc
import pytest

from arena.store.schema import Role
from sevens.league.v1 import tournament_pb2 as pb
from tests.support.served import Served, archive_of

CODES = grpc.StatusCode
RUNNING, CANCELLED = pb.TOURNAMENT_STATE_RUNNING, pb.TOURNAMENT_STATE_CANCELLED


@pytest.fixture
async def cup(server: Served, bot: Path) -> Served:
    """A tournament that has not begun, and a bot of Ann's."""
    await server.person("Ann").submits(archive_of(bot))
    organiser = server.person("Org", Role.ORGANISER)
    created = await organiser.call(
        "CreateTournament",
        pb.CreateTournamentRequest(name="cup", game="xeri", rounds=3, format="swiss"),
    )
    assert created.tournament.state == pb.TOURNAMENT_STATE_OPEN
    assert (created.tournament.groups, created.tournament.common_deals) == (2, True)
    assert len(created.tournament.commitment) == 64
    return server


async def test_owners_enter_their_own_bots_and_organisers_any(cup: Served) -> None:
    enter = pb.EnterTournamentRequest(tournament="cup", bot="random")
    refused = await cup.person("Bob").refused("EnterTournament", enter)
    assert refused.code is CODES.PERMISSION_DENIED
    for _ in range(2):
        entered = await cup.person("Ann").call("EnterTournament", enter)
        assert (entered.entrant, entered.first_round) == (1, 1)
    reader = cup.person("Rea", Role.READER)
    found = await reader.call("ReadTournament", pb.ReadTournamentRequest(tournament="cup"))
    document = json.loads(found.document)
    assert found.tournament.entrants == 1
    assert [one["bot"] for one in document["entrants"]] == ["random"]
    assert document["secret"] == ""
    [listed] = (await reader.call("ListTournaments", pb.ListTournamentsRequest())).tournaments
    assert listed == found.tournament
    left = await cup.person("Ann").call(
        "LeaveTournament", pb.LeaveTournamentRequest(tournament="cup", bot="random")
    )
    assert left.first_round == 1
    found = await reader.call("ReadTournament", pb.ReadTournamentRequest(tournament="cup"))
    [entrant] = json.loads(found.document)["entrants"]
    assert entrant["reason"] == "Its owner withdrew it."


async def test_one_is_created_with_its_bots_or_not_at_all(cup: Served) -> None:
    organiser = cup.person("Org", Role.ORGANISER)
    wanted = pb.CreateTournamentRequest(name="new", game="xeri")
    wanted.versions.add(bot="random")
    wanted.versions.add(bot="random", number=7)
    refused = await organiser.refused("CreateTournament", wanted)
    assert (refused.code, refused.field) == (CODES.NOT_FOUND, "number")
    listed = (await organiser.call("ListTournaments", pb.ListTournamentsRequest())).tournaments
    assert [one.name for one in listed] == ["cup"]
    del wanted.versions[1]
    created = await organiser.call("CreateTournament", wanted)
    assert created.tournament.entrants == 1
    assert [(one.entrant, one.first_round) for one in created.entered] == [(1, 1)]


@pytest.mark.parametrize(
    ("method", "request_", "code", "field", "sentence"),
    [
        (
            "EnterTournament",
            pb.EnterTournamentRequest(tournament="cap", bot="random"),
            CODES.NOT_FOUND,
            "tournament",
            "There is no tournament 'cap'; there are: cup.",
        ),
        (
            "EnterTournament",
            pb.EnterTournamentRequest(tournament="cup", bot="random", number=7),
            CODES.NOT_FOUND,
            "number",
            "random has no version 7 that plays",
        ),
        (
            "ChangeTournament",
            pb.ChangeTournamentRequest(tournament="cup", state=RUNNING),
            CODES.FAILED_PRECONDITION,
            "",
            "has 0 entrants, and a table needs 2",
        ),
        (
            "ChangeTournament",
            pb.ChangeTournamentRequest(tournament="cup"),
            CODES.INVALID_ARGUMENT,
            "state",
            "becomes one of running, paused, cancelled",
        ),
        (
            "CreateTournament",
            pb.CreateTournamentRequest(name="c", game="xerii"),
            CODES.NOT_FOUND,
            "game",
            "Did you mean xeri?",
        ),
        (
            "CreateTournament",
            pb.CreateTournamentRequest(name="c", game="xeri", options={"deal": "1"}),
            CODES.INVALID_ARGUMENT,
            "options",
            "Did you mean deals?",
        ),
        (
            "CreateTournament",
            pb.CreateTournamentRequest(name="main", game="xeri"),
            CODES.ALREADY_EXISTS,
            "name",
            "There is a ladder 'main' already.",
        ),
        (
            "LeaveTournament",
            pb.LeaveTournamentRequest(tournament="cup", bot="random"),
            CODES.NOT_FOUND,
            "bot",
            "random is not in the tournament cup.",
        ),
    ],
)
async def test_what_cannot_be_is_refused_with_the_field(
    cup: Served, method: str, request_: object, code: grpc.StatusCode, field: str, sentence: str
) -> None:
    refused = await cup.person("Org", Role.ORGANISER).refused(method, request_)
    assert (refused.code, refused.field) == (code, field)
    assert sentence in refused.sentence


async def test_only_organisers_create_and_change(cup: Served) -> None:
    for method, request in (
        ("CreateTournament", pb.CreateTournamentRequest(name="c", game="xeri")),
        ("ChangeTournament", pb.ChangeTournamentRequest(tournament="cup", state=CANCELLED)),
    ):
        refused = await cup.person("Ann").refused(method, request)
        assert refused.code is CODES.PERMISSION_DENIED
    organiser = cup.person("Org", Role.ORGANISER)
    changed = await organiser.call(
        "ChangeTournament", pb.ChangeTournamentRequest(tournament="cup", state=CANCELLED)
    )
    assert changed.tournament.state == CANCELLED
    found = await organiser.call("ReadTournament", pb.ReadTournamentRequest(tournament="cup"))
    assert len(json.loads(found.document)["secret"]) == 64
