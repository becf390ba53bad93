"""A worker's referee and a remote bot, with the server's gateway between them."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from unittest.mock import create_autospec

import grpc
import grpc.aio
import pytest

from arena.bots import ArenaFailure, MachineFailure, PendingDecision
from arena.bots.remote import BotAway, Relay, RemoteBounds
from arena.match import Timekeeper
from arena.protocol.faults import FaultKind
from arena.server.limits import SERVER_LIMITS
from arena.server.remote.relay import RemoteSeat
from arena.store.schema import Role
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest
from sevens.relay.v1 import relay_service_pb2 as relay_pb
from tests.support.clock import StoppedClock
from tests.support.remote_streams import Heard, question, welcomed
from tests.support.seats import until, within
from tests.support.served import Serve, Served

BOT = "ann-bot"
SLOW_S = 0.4
AWAY_S = 0.5
START = MatchStart(match_id="m", game="xeri", seed=bytes(32))


@asynccontextmanager
async def relay_of(
    server: Served, metadata: Sequence[tuple[str, str]] | None = None
) -> AsyncIterator[Relay]:
    """Yields a worker's relay, over the socket of the data folder, or over TCP with some
    metadata."""
    address = f"unix:{server.socket}" if metadata is None else server.grpc
    async with grpc.aio.insecure_channel(address) as channel:
        yield Relay(channel, metadata or ())


@pytest.fixture
async def token(server: Served) -> str:
    return await registered(server)


async def registered(server: Served) -> str:
    request = RegisterRemoteRequest(bot=BOT, ladder="main")
    token: str = (await server.person("Ann").call("RegisterRemote", request)).token
    return token


async def test_what_both_say_arrives_as_it_is(server: Served, token: str) -> None:
    heard, asked = Heard(), question("m")
    async with welcomed(server.grpc, token) as bot, relay_of(server) as relay:
        async with relay.seat(BOT, "m") as seated:
            line = seated.sit("m", heard)
            line.send_start(START)
            assert await bot.accept("m", b"nonce") == START
            assert await within(heard.accepted_.get()) == b"nonce"
            line.ask(asked)
            decisions = (await bot.hear()).decisions
            assert ArenaFrame(decisions=decisions).SerializeToString() == asked.frame
            given = Answer(match_id="m", number=1, text="pass", note="why not")
            await bot.say(BotFrame(answers=[given]))
            answer, at = await within(heard.answered_.get())
            assert answer == given
            assert asked.sent_at is not None
            assert asked.sent_at <= at
            line.send_end(MatchEnd(match_id="m", reason="played-out"))
        [end] = (await bot.hear()).ends
        assert end.reason == "played-out"
    assert heard.lost_.empty()
    assert heard.restored_.empty()


@pytest.mark.usefixtures("no_garbage_collection")
async def test_a_match_that_is_over_is_freed(server: Served, token: str) -> None:
    async with welcomed(server.grpc, token) as bot, relay_of(server) as relay:
        async with relay.seat(BOT, "m") as seated:
            line = seated.sit("m", Heard())
            line.send_start(START)
            await bot.accept("m", b"nonce")
            line.send_end(MatchEnd(match_id="m", reason="played-out"))
        over = weakref.ref(seated)
        del seated, line
        await until(lambda: over() is None)


@asynccontextmanager
async def slow_wire(server: Served) -> AsyncIterator[str]:
    """Yields an address that leads to the server with a delay of SLOW_S each way."""
    carrying: set[asyncio.Task[None]] = set()
    ends: list[asyncio.StreamWriter] = []

    async def carry(here: asyncio.StreamReader, there: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while data := await here.read(65536):
            loop.call_later(SLOW_S, there.write, data)

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = server.grpc.rpartition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        ends.extend((writer, far_writer))
        carrying.add(asyncio.create_task(carry(reader, far_writer)))
        carrying.add(asyncio.create_task(carry(far_reader, writer)))

    wire = await asyncio.start_server(join, "127.0.0.1", 0)
    yield f"127.0.0.1:{wire.sockets[0].getsockname()[1]}"
    wire.close()
    for task in carrying:
        task.cancel()
    for end in ends:
        end.close()
        await end.wait_closed()


async def test_no_bot_is_charged_for_the_way_between_worker_and_gateway(
    server: Served, token: str
) -> None:
    heard, asked = Heard(), question("m")
    metadata = server.person("Org", Role.ORGANISER).metadata
    async with (
        welcomed(server.grpc, token) as bot,
        slow_wire(server) as address,
        grpc.aio.insecure_channel(address) as channel,
        Relay(channel, metadata).seat(BOT, "m") as seated,
    ):
        line = seated.sit("m", heard)
        line.send_start(START)
        await bot.accept("m")
        await within(heard.accepted_.get())
        began = time.monotonic()
        line.ask(asked)
        await bot.answer("pass")
        _, at = await within(heard.answered_.get())
        took_s = time.monotonic() - began
        assert asked.sent_at is not None
        assert took_s >= 2 * SLOW_S
        assert at - asked.sent_at <= took_s - 2 * SLOW_S + 0.01


@dataclass
class Line:
    """A channel to a bot that is asked at the time 10."""

    handled_s: float = 0.0

    def ask(self, pending: PendingDecision) -> None:
        pending.sent_at = 10.0


async def test_lag_of_the_gateway_that_a_bot_causes_is_charged_to_it() -> None:
    keeper = Timekeeper()
    keeper._stalls.add(11.0, 13.0)
    seat = RemoteSeat(relay_pb.Seat(bot=BOT, match_id="m"), keeper)
    line = Line(handled_s=7.0)
    seat.channel = line  # type: ignore[assignment]
    asked = relay_pb.Question(number=1, frame=question("m").frame)
    seat.receive(relay_pb.RelayRequest(question=asked))
    line.handled_s += 1.5
    seat.answered(Answer(match_id="m", number=1), 14.0)
    response = seat.unsent.get_nowait()
    assert response is not None
    assert response.answered.spent_ms == 3500


async def test_a_bot_that_is_back_in_time_goes_on_and_its_clock_has_run(
    server: Served, token: str, clock: StoppedClock
) -> None:
    heard, asked = Heard(), question("m")
    async with relay_of(server) as relay:
        async with welcomed(server.grpc, token) as bot:
            seat = relay.seat(BOT, "m")
            seated = await seat.__aenter__()
            line = seated.sit("m", heard)
            line.send_start(START)
            await bot.accept("m")
            line.ask(asked)
            await bot.hear()
        await within(_gone(server))
        await clock.advance(AWAY_S)
        async with welcomed(server.grpc, token) as bot:
            await within(heard.restored_.get())
            line.send_start(MatchStart(match_id="m", game="xeri", resumed=True))
            line.ask(asked)
            assert (await bot.accept("m")).resumed
            await bot.answer("pass")
            _, at = await within(heard.answered_.get())
            assert asked.sent_at is not None
            assert at - asked.sent_at >= AWAY_S
        await seat.__aexit__(None, None, None)
    assert heard.lost_.empty()


async def test_what_is_asked_while_the_bot_is_away_runs_on_its_clock(
    server: Served, token: str, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, asked = Heard(), question("m")
    received = create_autospec(RemoteSeat.receive, side_effect=RemoteSeat.receive)
    monkeypatch.setattr(RemoteSeat, "receive", received)
    async with relay_of(server) as relay:
        async with welcomed(server.grpc, token) as bot:
            seat = relay.seat(BOT, "m")
            seated = await seat.__aenter__()
            line = seated.sit("m", heard)
            line.send_start(START)
            await bot.accept("m")
            await within(heard.accepted_.get())
        await within(_gone(server))
        before = received.call_count
        line.ask(asked)
        await clock.until(lambda: received.call_count > before)
        await clock.advance(AWAY_S)
        async with welcomed(server.grpc, token) as bot:
            await within(heard.restored_.get())
            line.ask(asked)
            await bot.answer("pass")
            _, at = await within(heard.answered_.get())
            assert asked.sent_at is not None
            assert at - asked.sent_at >= AWAY_S
        await seat.__aexit__(None, None, None)


async def test_a_bot_that_stays_away_is_lost_and_may_be_back_later(serve: Serve) -> None:
    heard = Heard()
    limits = replace(SERVER_LIMITS, remotes=RemoteBounds(grace_s=0.2))
    async with serve(limits) as server, relay_of(server) as relay:
        token = await registered(server)
        async with welcomed(server.grpc, token) as bot:
            seat = relay.seat(BOT, "m")
            seated = await seat.__aenter__()
            line = seated.sit("m", heard)
            line.send_start(START)
            await bot.accept("m")
        loss = await within(heard.lost_.get())
        assert loss.kind is FaultKind.DISCONNECTED
        assert "did not dial in again within 0.2 seconds" in loss.sentence
        line.ask(question("m"))
        assert (await within(heard.lost_.get())).kind is FaultKind.DISCONNECTED
        async with welcomed(server.grpc, token):
            await within(heard.restored_.get())
        await seat.__aexit__(None, None, None)


async def test_garbage_is_a_fault_at_once(server: Served, token: str) -> None:
    heard = Heard()
    async with (
        welcomed(server.grpc, token) as bot,
        relay_of(server) as relay,
        relay.seat(BOT, "m") as seated,
    ):
        seated.sit("m", heard).send_start(START)
        await bot.accept("m")
        await bot.call.write(b"\xff" * 10)
        assert (await within(heard.lost_.get())).kind is FaultKind.PROTOCOL_ERROR


async def test_no_match_begins_with_a_bot_that_is_away(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    within_s = partial(monkeypatch.setattr, "arena.server.remote.relay.SEATED_WITHIN_S")
    async with serve() as server, relay_of(server) as relay:
        token = await registered(server)
        within_s(0.2)
        with pytest.raises(
            BotAway, match=f"{BOT} was not connected when its match should have begun"
        ):
            async with relay.seat(BOT, "m"):
                pass
        within_s(30.0)
        async with welcomed(server.grpc, token), relay.seat(BOT, "m1"):
            within_s(0.2)
            with pytest.raises(MachineFailure, match="is busy with other matches"):
                async with relay.seat(BOT, "m2"):
                    pass


async def test_a_seat_that_is_free_again_is_taken(server: Served, token: str) -> None:
    async with welcomed(server.grpc, token), relay_of(server) as relay:
        for number in range(3):
            async with relay.seat(BOT, f"m{number}"):
                pass


async def test_a_match_whose_worker_has_gone_is_abandoned_and_may_be_played_again(
    server: Served, token: str
) -> None:
    heard = Heard()
    async with welcomed(server.grpc, token) as bot:
        async with relay_of(server) as relay:
            seat = relay.seat(BOT, "m")
            seated = await seat.__aenter__()
            seated.sit("m", Heard()).send_start(START)
            await bot.accept("m")
        [end] = (await bot.hear()).ends
        assert (end.match_id, end.reason) == ("m", "abandoned")
        async with relay_of(server) as relay, relay.seat(BOT, "m") as again:
            again.sit("m", heard).send_start(START)
            assert not (await bot.accept("m")).resumed
            await within(heard.accepted_.get())
        await seat.__aexit__(None, None, None)


@pytest.mark.parametrize("role", [None, Role.OWNER])
async def test_only_the_arenas_workers_may_relay(
    server: Served, token: str, role: Role | None
) -> None:
    metadata = server.person("Bob", role).metadata if role else ()
    async with welcomed(server.grpc, token), relay_of(server, metadata) as relay:
        with pytest.raises(MachineFailure, match="token"):
            async with relay.seat(BOT, "m"):
                pass


async def test_a_worker_elsewhere_relays_with_a_token(server: Served, token: str) -> None:
    metadata = server.person("Org", Role.ORGANISER).metadata
    async with (
        welcomed(server.grpc, token),
        relay_of(server, metadata) as relay,
        relay.seat(BOT, "m") as seated,
    ):
        assert await seated.ready() is None


async def test_a_lost_gateway_is_nobodys_fault(serve: Serve) -> None:
    heard = Heard()
    async with serve() as server:
        token = await registered(server)
        dialled = welcomed(server.grpc, token)
        bot = await dialled.__aenter__()
        relay_context = relay_of(server)
        relay = await relay_context.__aenter__()
        seat = relay.seat(BOT, "m")
        line = (await seat.__aenter__()).sit("m", heard)
        line.send_start(START)
        await bot.accept("m")
        await within(heard.accepted_.get())
    await within(heard.restored_.get())
    with pytest.raises(ArenaFailure, match="The gateway of the remote bots was lost"):
        line.send_start(START)
    assert heard.lost_.empty()
    await seat.__aexit__(None, None, None)
    await relay_context.__aexit__(None, None, None)
    await dialled.__aexit__(None, None, None)


async def _gone(server: Served) -> None:
    while server.gateway.room(BOT, "xeri"):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x0a\x03\xed\xa0\x80",
        relay_pb.RelayRequest(seat=relay_pb.Seat(bot=BOT, match_id="again")).SerializeToString(),
        relay_pb.RelayRequest(
            question=relay_pb.Question(number=2**32 - 1, frame=b"\xff")
        ).SerializeToString(),
        relay_pb.RelayRequest(start=MatchStart(game="\0" * 999)).SerializeToString(),
        relay_pb.RelayRequest(end=MatchEnd(match_id="other", reason="\x1b")).SerializeToString(),
        b"",
    ],
)
async def test_garbage_in_a_seat_that_is_taken_is_no_failure_of_the_server(
    server: Served, token: str, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = relay_pb.RelayRequest(seat=relay_pb.Seat(bot=BOT, match_id="m")).SerializeToString()
    async with (
        welcomed(server.grpc, token),
        grpc.aio.insecure_channel(f"unix:{server.socket}") as channel,
    ):
        call: Any = channel.stream_stream("/sevens.relay.v1.RelayService/Relay")()
        await call.write(head)
        await call.read()
        await call.write(garbage)
        with suppress(grpc.aio.AioRpcError):
            await call.done_writing()
            while await within(call.read()) is not grpc.aio.EOF:
                pass
        assert await call.code() in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)
    assert [record for record in caplog.records if record.exc_info] == []
