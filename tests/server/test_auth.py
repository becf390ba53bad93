"""Permissions for each call by gRPC."""

from contextlib import suppress

import grpc
import pytest

from arena.league.fleet import machine_named
from arena.store.schema import Role
from arena.store.tokens import create_token
from arena.views.audit_line import audit_lines
from sevens.league.v1 import remote_pb2, worker_pb2
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from tests.support.served import Person, Served

CODES = grpc.StatusCode
CALLS = {
    "RegisterRemote": remote_pb2.RegisterRemoteRequest(bot="x", ladder="x"),
    "EnrolWorker": worker_pb2.EnrolWorkerRequest(),
}
ALLOWED = {
    Role.READER: set[str](),
    Role.OWNER: {"RegisterRemote"},
    Role.ORGANISER: {"RegisterRemote", "EnrolWorker"},
    Role.WORKER: {"EnrolWorker"},
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
        with suppress(grpc.aio.AioRpcError):  # there is no ladder x
            await person.call(name, CALLS[name])
    if role not in (Role.OWNER, Role.ORGANISER):
        refused = await person.submits_in_vain(b"x")
        assert refused.code is CODES.PERMISSION_DENIED
        assert "needs the role owner or organiser" in refused.sentence


async def test_no_bot_belongs_to_who_may_enter_the_data_folder(server: Served) -> None:
    at = f"unix:{server.socket}"
    async with grpc.aio.insecure_channel(at) as channel:
        with grpc.insecure_channel(at) as blocking:
            local = Person(LeagueServiceStub(channel), None, LeagueServiceStub(blocking))
            refused = await local.submits_in_vain(b"x")
        await local.call("EnrolWorker", CALLS["EnrolWorker"])
        assert "submit it with its owner's token" in refused.sentence
        # Tokens are checked here as everywhere.
        reader = Person(LeagueServiceStub(channel), "sat_x")
        assert (await reader.refused("EnrolWorker", CALLS["EnrolWorker"])).field == "token"


async def test_a_local_caller_acts_in_the_name_of_a_token(server: Served) -> None:
    """As the pages do for who has logged in."""
    ids = {role: acting(server, "Ann", role) for role in Role}
    at = f"unix:{server.socket}"
    async with grpc.aio.insecure_channel(at) as channel:
        stub = LeagueServiceStub(channel)
        for role, metadata in ids.items():
            local = Person(stub, None)
            local.metadata = metadata
            for name in set(CALLS) - ALLOWED[role]:
                refused = await local.refused(name, CALLS[name])
                assert refused.code is CODES.PERMISSION_DENIED
                assert f"the token of Ann has the role {role}" in refused.sentence
    with grpc.insecure_channel(at) as blocking:
        ann = Person(None, None, LeagueServiceStub(blocking))
        ann.metadata = ids[Role.OWNER]
        refused = await ann.submits_in_vain(b"x")
        assert "owner" not in refused.field
        assert "readable tar.gz" in refused.sentence
        for wrong in ("", "x"):
            ann.metadata = (("acting-token-id", wrong),)
            refused = await ann.submits_in_vain(b"x")
            assert (refused.code, refused.field) == (CODES.UNAUTHENTICATED, "token"), wrong


async def test_nobody_else_can_act_in_the_name_of_a_token(server: Served) -> None:
    organiser = acting(server, "Org", Role.ORGANISER)
    stranger = server.stranger(None)
    stranger.metadata = organiser
    refused = await stranger.refused("EnrolWorker", CALLS["EnrolWorker"])
    assert (refused.code, refused.field) == (CODES.UNAUTHENTICATED, "token")
    reader = server.person("Rea", Role.READER)
    reader.metadata = (*reader.metadata, *organiser)
    refused = await reader.refused("EnrolWorker", CALLS["EnrolWorker"])
    assert "the token of Rea has the role reader" in refused.sentence


async def test_a_worker_that_enrols_is_noted_with_its_address(server: Served) -> None:
    worker = server.person("Fleet", Role.WORKER)
    worker.metadata = (*worker.metadata, ("enrolling-worker", "far-host-77"))
    await worker.call("EnrolWorker", CALLS["EnrolWorker"])
    with server.store.reading() as session:
        machine = machine_named(session, "far-host")
        assert (machine.address, machine.seen_at is None) == ("127.0.0.1", False)
        [line] = audit_lines(session).lines
        assert (line.who, line.what) == ("Fleet", "enrol_worker (worker: far-host-77)")


def acting(server: Served, owner: str, role: Role) -> tuple[tuple[str, str], ...]:
    """Returns the metadata that names a new token of this owner."""
    with server.store.writing() as session:
        return (("acting-token-id", create_token(session, owner, role)[0].id),)
