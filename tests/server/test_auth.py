"""Permissions for each call."""

from contextlib import suppress

import grpc
import pytest

from arena.store.schema import Role
from arena.store.tokens import create_token
from sevens.league.v1 import ladder_pb2, match_pb2, token_pb2, version_pb2
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from tests.support.served import Person, Served

CODES = grpc.StatusCode
CALLS = {
    "ListVersions": version_pb2.ListVersionsRequest(),
    "RetireVersion": version_pb2.RetireVersionRequest(bot="x", number=1),
    "DeleteBot": version_pb2.DeleteBotRequest(bot="x"),
    "ReadmitVersion": version_pb2.ReadmitVersionRequest(bot="x", number=1, ladder="main"),
    "ListFaults": match_pb2.ListFaultsRequest(),
    "ListLadders": ladder_pb2.ListLaddersRequest(),
    "ReadLadder": ladder_pb2.ReadLadderRequest(ladder="main"),
    "ReadHistory": ladder_pb2.ReadHistoryRequest(ladder="main", bot="x"),
    "ExplainRating": ladder_pb2.ExplainRatingRequest(ladder="main", bot="x"),
    "ListMatches": match_pb2.ListMatchesRequest(),
    "ReadMatch": match_pb2.ReadMatchRequest(match="x"),
    "CreateToken": token_pb2.CreateTokenRequest(owner="Eve", role=token_pb2.ROLE_ORGANISER),
    "ListTokens": token_pb2.ListTokensRequest(),
    "RevokeToken": token_pb2.RevokeTokenRequest(id="x"),
}
READING = {
    "ListVersions",
    "ListFaults",
    "ListLadders",
    "ReadLadder",
    "ReadHistory",
    "ExplainRating",
    "ListMatches",
    "ReadMatch",
}
ALLOWED = {
    Role.READER: READING,
    Role.OWNER: READING | {"RetireVersion", "DeleteBot"},
    Role.ORGANISER: set(CALLS),
    Role.WORKER: set(),
}


@pytest.mark.parametrize("token", [None, "", "sat_", "sat_" + "x" * 43, "Καλημέρα".encode().hex()])
async def test_nobody_without_a_good_token_may_do_anything(
    server: Served, token: str | None
) -> None:
    stranger = server.stranger(token)
    for name, request in CALLS.items():
        refused = await stranger.refused(name, request)
        assert (refused.code, refused.field) == (CODES.UNAUTHENTICATED, "token"), name
    refused = await stranger.submits_in_vain(b"x")
    assert refused.code is CODES.UNAUTHENTICATED


@pytest.mark.parametrize("role", Role)
async def test_a_role_allows_what_it_says(server: Served, role: Role) -> None:
    person = server.person("Ann", role)
    for name in set(CALLS) - ALLOWED[role]:
        refused = await person.refused(name, CALLS[name])
        assert refused.code is CODES.PERMISSION_DENIED
        assert f"the token of Ann has the role {role}" in refused.sentence
    for name in ALLOWED[role]:
        with suppress(grpc.aio.AioRpcError):  # there is no bot x, nor such a token
            await person.call(name, CALLS[name])


async def test_a_reader_cannot_submit(server: Served) -> None:
    refused = await server.person("Ann", Role.READER).submits_in_vain(b"x")
    assert refused.code is CODES.PERMISSION_DENIED
    assert "needs the role owner or organiser" in refused.sentence


async def test_tokens_are_created_listed_and_revoked(server: Served) -> None:
    organiser = server.person("Org", Role.ORGANISER)
    request = token_pb2.CreateTokenRequest(owner="Ann", role=token_pb2.ROLE_OWNER)
    created = await organiser.call("CreateToken", request)
    ann = server.stranger(created.text)
    await ann.call("ListVersions", version_pb2.ListVersionsRequest())
    listed = (await organiser.call("ListTokens", token_pb2.ListTokensRequest())).tokens
    assert [token.owner for token in listed] == ["Org", "Ann"]
    assert created.text not in str(listed)
    await organiser.call("RevokeToken", token_pb2.RevokeTokenRequest(id=created.token.id))
    refused = await ann.refused("ListVersions", version_pb2.ListVersionsRequest())
    assert refused.code is CODES.UNAUTHENTICATED
    assert "was revoked" in refused.sentence


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        (token_pb2.CreateTokenRequest(owner="Ann"), CODES.INVALID_ARGUMENT, "role"),
        (
            token_pb2.CreateTokenRequest(owner="\n", role=token_pb2.ROLE_OWNER),
            CODES.INVALID_ARGUMENT,
            "owner",
        ),
        (token_pb2.RevokeTokenRequest(id="x"), CODES.NOT_FOUND, "id"),
    ],
)
async def test_mistakes_are_reported(
    server: Served, request_: object, code: grpc.StatusCode, field: str
) -> None:
    name = type(request_).__name__.removesuffix("Request")
    refused = await server.person("Org", Role.ORGANISER).refused(name, request_)
    assert (refused.code, refused.field) == (code, field)


async def test_who_may_enter_the_data_folder_is_its_organiser(server: Served) -> None:
    async with grpc.aio.insecure_channel(f"unix:{server.socket}") as channel:
        local = Person(LeagueServiceStub(channel), None)
        await local.call("CreateToken", CALLS["CreateToken"])
        refused = await local.submits_in_vain(b"x")
        assert "submit it with its owner's token" in refused.sentence
        # Tokens are checked here as everywhere.
        reader = Person(LeagueServiceStub(channel), "sat_x")
        assert (await reader.refused("ListTokens", CALLS["ListTokens"])).field == "token"


async def test_a_local_caller_acts_in_the_name_of_a_token(server: Served) -> None:
    """As the pages do for who has logged in."""
    ids = {role: acting(server, "Ann", role) for role in Role}
    async with grpc.aio.insecure_channel(f"unix:{server.socket}") as channel:
        stub = LeagueServiceStub(channel)
        for role, metadata in ids.items():
            local = Person(stub, None)
            local.metadata = metadata
            for name in set(CALLS) - ALLOWED[role]:
                refused = await local.refused(name, CALLS[name])
                assert refused.code is CODES.PERMISSION_DENIED
                assert f"the token of Ann has the role {role}" in refused.sentence
        ann = Person(stub, None)
        ann.metadata = ids[Role.OWNER]
        await ann.call("ListVersions", CALLS["ListVersions"])
        refused = await ann.submits_in_vain(b"x")
        assert "owner" not in refused.field
        assert "readable tar.gz" in refused.sentence
        [(_, token_id)] = ids[Role.OWNER]
        organiser = Person(stub, None)
        await organiser.call("RevokeToken", token_pb2.RevokeTokenRequest(id=token_id))
        for wrong in (token_id, "", "x"):
            ann.metadata = (("acting-token-id", wrong),)
            refused = await ann.refused("ListVersions", CALLS["ListVersions"])
            assert (refused.code, refused.field) == (CODES.UNAUTHENTICATED, "token"), wrong


async def test_nobody_else_can_act_in_the_name_of_a_token(server: Served) -> None:
    organiser = acting(server, "Org", Role.ORGANISER)
    stranger = server.stranger(None)
    stranger.metadata = organiser
    refused = await stranger.refused("ListTokens", CALLS["ListTokens"])
    assert (refused.code, refused.field) == (CODES.UNAUTHENTICATED, "token")
    reader = server.person("Rea", Role.READER)
    reader.metadata = (*reader.metadata, *organiser)
    refused = await reader.refused("ListTokens", CALLS["ListTokens"])
    assert "the token of Rea has the role reader" in refused.sentence


def acting(server: Served, owner: str, role: Role) -> tuple[tuple[str, str], ...]:
    """Returns the metadata that names a new token of this owner."""
    with server.store.writing() as session:
        return (("acting-token-id", create_token(session, owner, role)[0].id),)
