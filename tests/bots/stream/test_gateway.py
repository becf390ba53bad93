"""The frames between a bot and the arena's end of its socket."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import grpc
import grpc.aio
import psutil
import pytest

from arena.bots.interface import BotLost, PendingDecision
from arena.bots.stream import backlog
from arena.bots.stream.allowance import FRAME_BYTES, STREAMS, UNASKED_BYTES
from arena.bots.stream.connection import Connection
from arena.bots.stream.gateway import CONNECTIONS, LOOK_S, SOCKET, WAITING_CONNECTIONS, Gateway
from arena.bots.stream.socket_readings import SocketReadings
from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    REFUSAL_REASON_PROTOCOL_VERSION,
    REFUSAL_REASON_TOKEN,
    ArenaFrame,
    BotFrame,
    Hello,
    RefusalReason,
)
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from tests.support.clock import StoppedClock
from tests.support.seats import until, within

TOKEN = "the right one"
HELLO = BotFrame(hello=Hello(token=TOKEN, protocol=1, matches_at_once=64))


@dataclass
class Owner:
    """Records what the gateway reports."""

    connections: list[Connection] = field(default_factory=list)
    frames: list[tuple[BotFrame, float]] = field(default_factory=list)
    losses: list[BotLost] = field(default_factory=list)
    refusals: list[BotLost] = field(default_factory=list)
    ended: int = 0
    asks_on: bool = False  # after each answer, ask the next question at once, as a referee does

    def connected(self, connection: Connection) -> None:
        self.connections.append(connection)

    def heard(self, frame: BotFrame, at: float) -> None:
        self.frames.append((frame, at))
        if self.asks_on:
            for answer in frame.answers:
                self.connections[0].ask(PendingDecision.of(Decision(number=answer.number + 1)))

    def report(self, event: BotLost) -> None:
        self.losses.append(event)

    def refused(self, loss: BotLost) -> None:
        self.refusals.append(loss)

    def disconnected(self) -> None:
        self.ended += 1


class Caller:
    """A bot's end of a stream."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        play = channel.stream_stream(
            "/sevens.bot.v1.BotService/Play", response_deserializer=ArenaFrame.FromString
        )
        self.call = play()

    async def say(self, said: BotFrame | bytes) -> None:
        raw = said if isinstance(said, bytes) else said.SerializeToString()
        await self.call.write(raw)

    async def hear(self) -> ArenaFrame:
        frame = await within(self.call.read())
        assert isinstance(frame, ArenaFrame)
        return frame

    async def code(self) -> grpc.StatusCode:
        return await within(self.call.code())


@pytest.fixture
def owner() -> Owner:
    return Owner()


@pytest.fixture
def socket_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s") / SOCKET


@pytest.fixture
async def channel(owner: Owner, socket_path: Path) -> AsyncIterator[grpc.aio.Channel]:
    gateway = Gateway(socket_path.parent, TOKEN, owner)
    await gateway.open()
    async with grpc.aio.insecure_channel(f"unix:{socket_path}") as channel:
        yield channel
    await gateway.close()


@pytest.fixture
async def caller(channel: grpc.aio.Channel) -> Caller:
    """A stream whose bot has said hello and was welcomed."""
    caller = Caller(channel)
    await caller.say(HELLO)
    assert (await caller.hear()).HasField("welcome")
    return caller


async def test_a_welcome_tells_what_the_arena_speaks(channel: grpc.aio.Channel) -> None:
    caller = Caller(channel)
    await caller.say(HELLO)
    welcome = (await caller.hear()).welcome
    assert (welcome.protocol, welcome.frame_limit_bytes) == (1, 1024 * 1024)
    assert welcome.arena.startswith("sevens-arena ")


async def test_a_bot_that_hangs_up_while_it_is_welcomed_gets_its_status(
    channel: grpc.aio.Channel,
) -> None:
    caller = Caller(channel)
    await caller.say(HELLO)
    await caller.call.done_writing()
    while isinstance(await within(caller.call.read()), ArenaFrame):
        pass
    assert await caller.code() is grpc.StatusCode.OK


async def test_a_large_frame_is_worked_through_while_the_first_questions_go_out(
    caller: Caller, owner: Owner
) -> None:
    owner.asks_on = True
    numbers = list(range(100))
    await caller.say(BotFrame(answers=[Answer(match_id="m", number=n) for n in numbers]))
    asked: list[list[int]] = []
    while sum(map(len, asked)) < 100:
        asked.append([decision.number for decision in (await caller.hear()).decisions])
    assert [number for frame in asked for number in frame] == [n + 1 for n in numbers]
    assert len(asked[0]) < 100
    assert [a.number for frame, _ in owner.frames for a in frame.answers] == numbers
    assert len({at for _, at in owner.frames}) == 1


@pytest.mark.parametrize(
    ("first", "reason", "kind"),
    [
        (
            BotFrame(hello=Hello(token="a wrong one", protocol=1)),
            REFUSAL_REASON_TOKEN,
            FaultKind.START_FAILED,
        ),
        (
            BotFrame(hello=Hello(token=TOKEN, protocol=2)),
            REFUSAL_REASON_PROTOCOL_VERSION,
            FaultKind.START_FAILED,
        ),
        (BotFrame(), REFUSAL_REASON_PROTOCOL_ERROR, FaultKind.PROTOCOL_ERROR),
        (b"\xff" * 9, REFUSAL_REASON_PROTOCOL_ERROR, FaultKind.PROTOCOL_ERROR),
    ],
    ids=["wrong token", "unknown version", "no hello", "garbage"],
)
async def test_a_stream_is_refused_in_a_sentence(
    channel: grpc.aio.Channel,
    owner: Owner,
    first: BotFrame | bytes,
    reason: RefusalReason,
    kind: FaultKind,
) -> None:
    caller = Caller(channel)
    await caller.say(first)
    refusal = (await caller.hear()).refusal
    assert refusal.reason == reason
    assert owner.refusals == [BotLost(kind, refusal.sentence)]
    assert await caller.code() is grpc.StatusCode.OK
    assert owner.connections == []


@pytest.mark.parametrize(
    "broken",
    [b"\xff" * 9, HELLO, b"\xff" * (1024 * 1024 + 1)],
    ids=["garbage", "hello again", "too large"],
)
async def test_a_broken_protocol_ends_the_stream_in_a_sentence(
    caller: Caller, owner: Owner, broken: BotFrame | bytes
) -> None:
    await caller.say(broken)
    refusal = (await caller.hear()).refusal
    assert refusal.reason == REFUSAL_REASON_PROTOCOL_ERROR
    assert owner.losses == [BotLost(FaultKind.PROTOCOL_ERROR, refusal.sentence)]
    assert await caller.code() is grpc.StatusCode.OK
    assert owner.ended == 1


async def test_a_message_past_grpcs_own_bound_ends_the_stream(caller: Caller, owner: Owner) -> None:
    await caller.say(b"\xff" * (5 * 1024 * 1024))
    assert await caller.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    await until(lambda: owner.ended == 1)
    assert owner.losses == []


async def test_a_second_stream_is_refused_while_the_first_lives(
    channel: grpc.aio.Channel, caller: Caller, owner: Owner
) -> None:
    second = Caller(channel)
    await second.say(HELLO)
    refusal = (await second.hear()).refusal
    assert refusal.reason == REFUSAL_REASON_TOKEN
    assert "in use" in refusal.sentence
    assert len(owner.connections) == 1
    assert owner.ended == 0


async def test_a_new_stream_takes_the_place_of_a_dead_one(
    channel: grpc.aio.Channel, caller: Caller, owner: Owner
) -> None:
    caller.call.cancel()
    second = Caller(channel)
    await second.say(HELLO)
    assert (await second.hear()).HasField("welcome")
    assert len(owner.connections) == 2
    assert owner.ended == 1


async def test_frames_are_received_with_the_time_of_their_arrival(
    caller: Caller, owner: Owner
) -> None:
    await caller.say(BotFrame(answers=[Answer(match_id="m", number=1)]))
    await caller.say(BotFrame(answers=[Answer(match_id="m", number=2)]))
    await until(lambda: len(owner.frames) == 2)
    assert [frame.answers[0].number for frame, _ in owner.frames] == [1, 2]
    assert owner.frames[0][1] <= owner.frames[1][1]


async def test_what_gathers_travels_together(caller: Caller, owner: Owner) -> None:
    (connection,) = owner.connections
    questions = [PendingDecision.of(Decision(match_id=f"m{i}", number=1)) for i in range(64)]
    connection.start(MatchStart(match_id="m0"))
    for question in questions:
        connection.ask(question)
    frame = await caller.hear()
    assert [start.match_id for start in frame.starts] == ["m0"]
    assert [decision.match_id for decision in frame.decisions] == [f"m{i}" for i in range(64)]
    assert len({question.sent_at for question in questions}) == 1
    assert questions[0].sent_at is not None


async def test_a_start_after_an_end_is_a_frame_of_its_own(caller: Caller, owner: Owner) -> None:
    (connection,) = owner.connections
    connection.end(MatchEnd(match_id="old"))
    connection.ask(PendingDecision.of(Decision(match_id="other")))
    connection.start(MatchStart(match_id="new"))
    first, second = await caller.hear(), await caller.hear()
    assert (len(first.ends), len(first.decisions), len(first.starts)) == (1, 1, 0)
    assert second.starts[0].match_id == "new"


async def test_frames_keep_to_their_bound(caller: Caller, owner: Owner) -> None:
    (connection,) = owner.connections
    for i in range(5):
        connection.ask(
            PendingDecision.of(Decision(match_id=f"m{i}", legal_actions=["x" * 400_000]))
        )
    frames = [await caller.hear() for _ in range(3)]
    assert [len(frame.decisions) for frame in frames] == [2, 2, 1]
    assert all(frame.ByteSize() <= 1024 * 1024 for frame in frames)


async def test_a_time_of_sending_is_not_taken_twice(caller: Caller, owner: Owner) -> None:
    (connection,) = owner.connections
    question = PendingDecision.of(Decision(match_id="m"))
    question.sent_at = 1.5
    connection.ask(question)
    await caller.hear()
    assert question.sent_at == 1.5


async def test_a_bot_that_receives_goodbye_closes_its_side(caller: Caller, owner: Owner) -> None:
    (connection,) = owner.connections
    connection.say_goodbye("That was all.")
    assert (await caller.hear()).goodbye.sentence == "That was all."
    await caller.call.done_writing()
    assert await caller.code() is grpc.StatusCode.OK
    await until(lambda: owner.ended == 1)


# A bot that breaks the protocol -----------------------------------------------------------------
#
# Where an allowance is used up, the clock stands still: a bot that takes long may send more.


@pytest.mark.parametrize("frame", [BotFrame(), BotFrame(answers=[Answer(match_id="x")] * 4096)])
async def test_a_bot_that_talks_without_being_asked_is_ended(
    caller: Caller, owner: Owner, clock: StoppedClock, frame: BotFrame
) -> None:
    raw = frame.SerializeToString()
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while not owner.losses:
            await caller.say(raw)
    [loss] = owner.losses
    assert loss.kind is FaultKind.PROTOCOL_ERROR
    assert loss.sentence.startswith("The bot sent frame after frame without being asked")
    assert sum(part.ByteSize() for part, _ in owner.frames) <= UNASKED_BYTES
    assert len(owner.frames) < 1.2 * UNASKED_BYTES / FRAME_BYTES


async def test_a_frame_with_too_many_entries_is_not_parsed(caller: Caller, owner: Owner) -> None:
    await caller.say(BotFrame(answers=[Answer()] * 500_000))
    [loss] = [await caller.hear()]
    assert loss.refusal.sentence == "The bot sent a frame of more than 4,096 accepts and answers."
    assert owner.losses == [BotLost(FaultKind.PROTOCOL_ERROR, loss.refusal.sentence)]
    [connection] = owner.connections
    assert connection.allowance.handled_s == 0.0


async def test_time_spent_on_a_bots_bytes_is_counted(caller: Caller, owner: Owner) -> None:
    before = monotonic()
    await caller.say(BotFrame(answers=[Answer(note="7" * 1_000_000)]))
    await until(lambda: len(owner.frames) == 1)
    [connection] = owner.connections
    assert 0.0 < connection.allowance.handled_s < monotonic() - before


@pytest.mark.parametrize("hello", [Hello(token="x" * 5000), Hello(games=[""] * 4000)])
async def test_a_first_frame_is_short(
    channel: grpc.aio.Channel, owner: Owner, hello: Hello
) -> None:
    caller = Caller(channel)
    await caller.say(BotFrame(hello=hello))
    refusal = (await caller.hear()).refusal
    assert refusal.reason == REFUSAL_REASON_PROTOCOL_ERROR
    assert "a hello has at most 4,096" in refusal.sentence
    assert owner.refusals == [BotLost(FaultKind.PROTOCOL_ERROR, refusal.sentence)]


async def test_a_new_stream_gives_a_bot_no_new_allowance(
    channel: grpc.aio.Channel, owner: Owner, clock: StoppedClock
) -> None:
    for number in range(5):
        one = Caller(channel)
        await one.say(HELLO)
        await one.hear()
        await one.say(BotFrame(answers=[Answer(note="7" * 1_000_000)]))
        await clock.until(lambda: len(owner.frames) == number + 1 or owner.losses)  # noqa: B023
        one.call.cancel()
    assert len(owner.connections) == 5
    assert [loss.kind for loss in owner.losses] == [FaultKind.PROTOCOL_ERROR]


@pytest.mark.parametrize(
    "method", ["/sevens.bot.v1.BotService/Play", "/sevens.bot.v1.BotService/Other", "/x"]
)
async def test_a_bot_that_opens_stream_after_stream_is_lost(
    channel: grpc.aio.Channel, caller: Caller, owner: Owner, clock: StoppedClock, method: str
) -> None:
    for _ in range(2 * STREAMS):
        call = channel.stream_stream(method)()
        await call.done_writing()
        await within(call.code())
    [loss] = owner.losses
    assert loss.kind is FaultKind.PROTOCOL_ERROR
    assert loss.sentence.startswith("The bot opened stream after stream")


async def test_a_bot_that_opens_connection_after_connection_is_lost(
    owner: Owner, socket_path: Path, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = {str(socket_path): WAITING_CONNECTIONS}
    monkeypatch.setattr(backlog.BACKLOGS, "of", lambda path: waiting[path])
    gateway = Gateway(socket_path.parent, TOKEN, owner)
    await gateway.open()
    await clock.advance(60.0)
    assert owner.losses == []
    waiting[str(socket_path)] += 1
    await clock.advance(LOOK_S)
    await gateway.close()
    [loss] = owner.losses
    assert loss.kind is FaultKind.PROTOCOL_ERROR
    assert loss.sentence.startswith("The bot opened connection after connection")


async def test_a_bot_that_has_a_stream_cannot_connect_again(
    channel: grpc.aio.Channel, caller: Caller, socket_path: Path
) -> None:
    def mode() -> int:
        return stat.S_IMODE(socket_path.stat().st_mode)

    assert mode() == 0
    caller.call.cancel()
    await until(lambda: mode() == 0o666)


@pytest.mark.skipif(not hasattr(socket, "AF_NETLINK"), reason="only Linux tells")
def test_the_kernel_tells_how_many_connections_wait(socket_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, ExitStack() as waiting:
        listener.bind(str(socket_path))
        listener.listen()
        assert backlog.read()[str(socket_path)] == 0
        for _ in range(7):
            waiting.enter_context(socket.socket(socket.AF_UNIX)).connect(str(socket_path))
        assert backlog.read()[str(socket_path)] == 7
        assert SocketReadings(backlog.read, 0).of(str(socket_path)) == 7
        assert SocketReadings(backlog.read, 0).of("/elsewhere") == 0


async def test_a_bot_that_answers_may_go_on_for_ever(caller: Caller, owner: Owner) -> None:
    [connection] = owner.connections
    answer = BotFrame(answers=[Answer(match_id="m", note="7" * 1024)])
    each = UNASKED_BYTES // 1024 // 8
    for _ in range(4):
        for number in range(each):
            connection.ask(question(number))
            await caller.say(answer)
        await until(lambda: len(owner.frames) == each)
        owner.frames.clear()
    assert owner.losses == []


async def test_a_flood_of_connections_and_streams_reaches_nobody(
    channel: grpc.aio.Channel,
    caller: Caller,
    owner: Owner,
    socket_path: Path,
    clock: StoppedClock,  # so that the gateway does not look while they wait
) -> None:
    before = len(psutil.Process().net_connections("unix"))
    flood = []
    for _ in range(2000):
        one = socket.socket(socket.AF_UNIX)
        one.connect(str(socket_path))
        flood.append(one)
    await clock.until(lambda: backlog.read()[str(socket_path)] == 0)
    # This process holds one end of each connection, and both ends of accepted ones.
    taken = len(psutil.Process().net_connections("unix")) - before - len(flood)
    assert taken < CONNECTIONS
    for one in flood:
        one.close()
    streams = [Caller(channel) for _ in range(500)]
    for heard in (1, 2, 3):
        await caller.say(BotFrame())
        await clock.until(lambda: len(owner.frames) == heard)  # noqa: B023
    for stream in streams:
        stream.call.cancel()
    assert owner.losses == []


def question(number: int) -> PendingDecision:
    return PendingDecision.of(Decision(match_id="m", number=number))


OPENED_AND_CLOSED = """
import asyncio, gc, sys, threading
from pathlib import Path
from arena.bots.stream import Gateway

async def open_and_close():
    gateway = Gateway(Path(sys.argv[1]), "token", None)
    await gateway.open()
    await gateway.close()

asyncio.run(open_and_close())
gc.collect()
print(*(thread.name for thread in threading.enumerate()))
"""


def test_grpc_goes_on_running_when_the_last_bot_is_gone(tmp_path: Path) -> None:
    """Its threads may still be busy with what the bot sent, and would use what is freed. In a
    process of its own, where nothing else keeps gRPC running."""
    command = [sys.executable, "-c", OPENED_AND_CLOSED, str(tmp_path)]
    threads = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "_poll_wrapper" in threads


TALK = """
import asyncio, sys
from pathlib import Path
from arena.bots.stream import Gateway
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello
from sevens_sdk.aio import channel_to
from sevens_sdk.connection import METHOD, Place

class Owner:
    heard = disconnected = refused = report = lambda *_: None

    def connected(self, connection):
        self.connection = connection

async def talk():
    owner = Owner()
    gateway = Gateway(Path(sys.argv[1]), "token", owner)
    await gateway.open()
    async with channel_to(Place(f"unix:{sys.argv[1]}/arena.sock")) as channel:
        call = channel.stream_stream(METHOD)()
        await call.write(BotFrame(hello=Hello(token="token", protocol=1)).SerializeToString())
        await call.read()
        owner.connection.say_goodbye("Goodbye.")
        await call.read()

asyncio.run(talk())
"""


def test_a_bot_that_was_frozen_is_not_late_with_its_pings(tmp_path: Path) -> None:
    """gRPC's own pings have no time limit, neither the gateway's nor those of the Python SDK: one
    of them may be on its way when the bot is frozen, for longer than gRPC's limit of a minute."""
    command = [sys.executable, "-c", TALK, str(tmp_path)]
    traced = os.environ | {"GRPC_VERBOSITY": "debug", "GRPC_TRACE": "http2_ping"}
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=traced).stderr
    limits = re.findall(r"(SERVER|CLIENT)\[\w+\]: Set ping timeout timer of (\S+) for", said)
    assert set(limits) == {("SERVER", "∞"), ("CLIENT", "∞")}, said
