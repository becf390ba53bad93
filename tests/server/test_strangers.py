"""Callers without a token, and with made-up ones, do not keep out those who have one."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import grpc
import grpc.aio
import psutil
import pytest

from arena.bots.remote import address_of
from arena.bots.remote.unauthenticated_streams import UnauthenticatedStreams
from arena.errors import Kind
from arena.server.lookups import ONE_TOKEN, STRANGERS, Lookups
from arena.store.schema import Role
from bench.hostile_bot.raw_http2 import beginning, call, connected, message
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest
from tests.support.failing import failing
from tests.support.remote_streams import welcomed
from tests.support.seats import until
from tests.support.served import Person, Served

PLAY = "/sevens.bot.v1.BotService/Play"
RELAY = "/sevens.relay.v1.RelayService/Relay"
LEAGUE = "/sevens.league.v1.LeagueService/EnrolWorker"
A_CONNECTION = 60
LIST = EnrolWorkerRequest()
# Before gRPC itself ends connections on which nothing happens, which takes 40 seconds.
SOON_S = 30.0
MADE_UP = BotFrame(hello=Hello(token="srt_x", protocol=1)).SerializeToString()


async def bot_token(person: Person) -> str:
    response = await person.call("RegisterRemote", RegisterRemoteRequest(bot="b", ladder="main"))
    return str(response.token)


@contextmanager
def crowd(
    address: str, streams: int, method: str, said: bytes | None = None, **headers: str
) -> Iterator[list[socket.socket]]:
    """Opens that many streams, whose callers read nothing of what is sent to them."""
    connections = []
    for first in range(0, streams, A_CONNECTION):
        connections.append(connected(address))
        raw = beginning(window=0)
        for number in range(min(A_CONNECTION, streams - first)):
            raw += call(2 * number + 1, method, headers)
            raw += b"" if said is None else message(2 * number + 1, said)
        connections[-1].sendall(raw)
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


async def can_be_used(server: Served, person: Person, token: str) -> None:
    """A bot dials in, and its owner makes a call."""
    async with asyncio.timeout(SOON_S), welcomed(server.grpc, token):
        await person.call("EnrolWorker", LIST)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "said", "headers"),
    [
        pytest.param(RELAY, None, {}, id="relay"),
        pytest.param(LEAGUE, None, {}, id="league"),
        pytest.param(PLAY, None, {}, id="silent"),
        pytest.param(PLAY, MADE_UP, {}, id="wrong token"),
        pytest.param(
            *(RELAY, None, {"authorization": "Bearer sat_x"}),
            id="relay, token",
            marks=pytest.mark.nightly,
        ),
        pytest.param(PLAY, b"\xff" * 100, {}, id="garbage", marks=pytest.mark.nightly),
        pytest.param("/x", None, {}, id="unknown", marks=pytest.mark.nightly),
    ],
)
async def test_2000_streams_of_strangers_keep_nobody_out(
    server: Served, method: str, said: bytes | None, headers: dict[str, str]
) -> None:
    ann = server.person("Ann", Role.ORGANISER)
    token = await bot_token(ann)
    with crowd(server.grpc, 2000, method, said, **headers):
        for _ in range(5):
            await can_be_used(server, ann, token)
            await asyncio.sleep(0.2)


@pytest.mark.slow
async def test_600_connections_of_strangers_keep_nobody_out(server: Served) -> None:
    ann = server.person("Ann", Role.ORGANISER)
    token = await bot_token(ann)
    with ExitStack() as held:
        async with welcomed(server.grpc, token) as dialled:
            for _ in range(600):
                held.enter_context(connected(server.grpc)).sendall(beginning())
            async with asyncio.timeout(SOON_S):
                while not await dials_in(server, token):
                    await asyncio.sleep(0.1)
            # Those who were there before and have said who they are, stay.
            assert "Another program" in (await dialled.hear()).refusal.sentence
            await ann.call("EnrolWorker", LIST)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pings", "settings", "unknown"])
async def test_a_flood_of_strangers_is_ended(server: Served, kind: str) -> None:
    ann = server.person("Ann", Role.ORGANISER)
    await ann.call("EnrolWorker", LIST)
    await flood(server, kind)
    await ann.call("EnrolWorker", LIST)
    if kind == "unknown":
        # gRPC itself ends the others, as it sometimes can; and these where a machine is busy.
        while not await is_turned_away(server):
            await flood(server, kind)
        await ann.call("EnrolWorker", LIST)


async def flood(server: Served, kind: str) -> None:
    """Floods the server until it ends the connection."""
    before = connections_of(server)
    flooder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.flooder", server.grpc, kind),
        stdout=asyncio.subprocess.PIPE,
    )
    assert flooder.stdout is not None
    try:
        async with asyncio.timeout(60):
            assert await flooder.stdout.readline() == b"flooding\n"
            while connections_of(server) - before:
                await asyncio.sleep(0.1)
    finally:
        with suppress(ProcessLookupError):
            flooder.kill()
        await flooder.wait()


def connections_of(server: Served) -> set[int]:
    """Returns the ports from which somebody is connected to the server."""
    port = int(server.grpc.rpartition(":")[2])
    return {
        one.raddr.port
        for one in psutil.Process().net_connections("tcp")
        if one.laddr.port == port and one.raddr and one.status == psutil.CONN_ESTABLISHED
    }


async def is_turned_away(server: Served) -> bool:
    """Returns whether a stranger's connection is ended soon."""
    reader, writer = await asyncio.open_connection(*server.grpc.rsplit(":", 1))
    try:
        writer.write(beginning())
        async with asyncio.timeout(SOON_S):
            while await reader.read(65_536):
                pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    else:
        return True
    finally:
        writer.close()


async def dials_in(server: Served, token: str) -> bool:
    try:
        async with welcomed(server.grpc, token):
            return True
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            return False
        raise


# The parts.


async def test_a_crowded_address_loses_its_own_oldest_stream() -> None:
    strangers = UnauthenticatedStreams(limit=3, patience_s=60)
    ended: list[str] = []

    async def wait(name: str, peer: str) -> None:
        with strangers.waiting(peer) as patience:
            try:
                async with patience:
                    await asyncio.Event().wait()
            except TimeoutError:
                ended.append(name)

    waiting = [
        asyncio.create_task(wait(name, f"ipv4:192.0.2.{host}:{port}"))
        for port, (name, host) in enumerate([("a1", 1), ("b1", 2), ("b2", 2), ("c1", 3), ("b3", 2)])
    ]
    await until(lambda: len(ended) >= 2)
    for task in waiting:
        task.cancel()
    assert ended == ["b1", "b2"]


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.7:4242", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4242", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2::9]:4242", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:4242", "fe80::/64"),
        ("unix:", ""),
    ],
)
def test_an_address_is_a_machine_or_its_network(peer: str, address: str) -> None:
    assert address_of(peer) == address


async def test_lookups_of_strangers_do_not_hold_up_those_who_are_known() -> None:
    lookups, gate = Lookups(), threading.Event()
    assert await lookups.find("known", lambda: "Ann") == "Ann"
    made_up = [
        asyncio.create_task(lookups.find(f"made up {i}", gate.wait)) for i in range(STRANGERS)
    ]
    await asyncio.sleep(0)
    try:
        with failing(Kind.TOO_MANY, match="Too many calls with unknown tokens"):
            await lookups.find("new", lambda: "Bob")
        assert await lookups.find("known", lambda: "Ann") == "Ann"
    finally:
        gate.set()
    await asyncio.gather(*made_up)
    assert await lookups.find("new", lambda: "Bob") == "Bob"


async def test_one_token_is_not_looked_up_by_the_thousand() -> None:
    lookups, gate = Lookups(), threading.Event()
    assert await lookups.find("known", lambda: True)
    many = [asyncio.create_task(lookups.find("known", gate.wait)) for _ in range(ONE_TOKEN)]
    await asyncio.sleep(0)
    try:
        with failing(Kind.TOO_MANY, match="with your token"):
            await lookups.find("known", lambda: True)
    finally:
        gate.set()
    assert all(await asyncio.gather(*many))


async def test_a_token_that_was_revoked_is_no_longer_known() -> None:
    lookups = Lookups()
    threads: list[str] = []

    def find(fails: bool) -> None:
        threads.append(threading.current_thread().name)
        if fails:
            raise LookupError

    for fails in (False, False, True, False):
        try:
            await lookups.find("token", lambda: find(fails))  # noqa: B023
        except LookupError:
            assert fails
    by_strangers = [name.startswith("strangers") for name in threads]
    assert by_strangers == [True, False, False, True]
