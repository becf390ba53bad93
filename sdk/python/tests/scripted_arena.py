"""A real gRPC server that sends what a test gives it, and real bot processes."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import grpc.aio

from sevens.bot.v1 import bot_service_pb2, decision_pb2, match_pb2, observation_pb2
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame

# Long enough for a busy machine, and short enough to report a failure soon.
PATIENCE = 25
SEED = bytes(range(32))
LEGAL = ["play 7S", "play 8S", "pass"]


class Stream:
    """One stream with a bot, from the arena's side."""

    def __init__(self, context: "grpc.aio.ServicerContext[BotFrame, ArenaFrame]") -> None:
        self.context = context
        self.over = asyncio.Event()
        self.heard: list[BotFrame] = []

    async def say(self, frame: ArenaFrame | None = None, **fields: Any) -> None:
        await self.context.write(frame or ArenaFrame(**fields))

    async def hear(self) -> BotFrame:
        """Returns the bot's next frame."""
        frame = await self.hear_or_close()
        assert frame is not None, "the bot has closed its side"
        return frame

    async def hear_or_close(self) -> BotFrame | None:
        frame = await asyncio.wait_for(self.context.read(), PATIENCE)
        if not isinstance(frame, BotFrame):  # but the marker of the end
            return None
        self.heard.append(frame)
        return frame

    async def hears_only_pong(self) -> None:
        """Sends a ping. The bot answers it after what it was sent before, which it owes an answer
        to."""
        await self.say(ping=bot_service_pb2.Ping(number=7))
        pong = bot_service_pb2.Pong(number=7)
        assert await self.hear() == bot_service_pb2.BotFrame(pong=pong)

    async def welcome(self, frame_limit_bytes: int = 1 << 20) -> bot_service_pb2.Hello:
        hello = (await self.hear()).hello
        await self.say(
            welcome=bot_service_pb2.Welcome(
                protocol=1, arena="scripted", frame_limit_bytes=frame_limit_bytes
            )
        )
        return hello

    async def start(self, *matches: str, **fields: Any) -> list[match_pb2.MatchAccept]:
        """Starts matches and returns the acceptances."""
        await self.say(starts=[start(match, **fields) for match in matches])
        accepts: list[match_pb2.MatchAccept] = []
        while len(accepts) < len(matches):
            accepts += (await self.hear()).accepts
        return accepts

    async def ask(self, *decisions: decision_pb2.Decision) -> list[decision_pb2.Answer]:
        """Asks for decisions and returns as many answers."""
        await self.say(decisions=decisions)
        return await self.answers(len(decisions))

    async def answers(self, count: int) -> list[decision_pb2.Answer]:
        answers: list[decision_pb2.Answer] = []
        while len(answers) < count:
            answers += (await self.hear()).answers
        return answers

    async def goodbye(self) -> None:
        """Says goodbye, waits for the bot to close its side, and ends the stream."""
        await self.say(goodbye=bot_service_pb2.Goodbye(sentence="that is all"))
        while await self.hear_or_close() is not None:
            pass
        self.end()

    def end(self) -> None:
        self.over.set()


class Arena:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"unix:{folder}/arena.sock"
        self.streams: asyncio.Queue[Stream] = asyncio.Queue()
        self.server: grpc.aio.Server | None = None

    async def open(self) -> None:
        method = grpc.stream_stream_rpc_method_handler(
            self.play,
            request_deserializer=BotFrame.FromString,
            response_serializer=ArenaFrame.SerializeToString,
        )
        service = grpc.method_handlers_generic_handler("sevens.bot.v1.BotService", {"Play": method})
        self.server = grpc.aio.server()
        self.server.add_generic_rpc_handlers((service,))
        self.server.add_insecure_port(self.address)
        await self.server.start()

    async def close(self) -> None:
        if self.server is not None:
            await self.server.stop(grace=None)
            self.server = None

    async def play(
        self,
        requests: AsyncIterator[BotFrame],
        context: "grpc.aio.ServicerContext[BotFrame, ArenaFrame]",
    ) -> None:
        stream = Stream(context)
        await self.streams.put(stream)
        await stream.over.wait()

    async def stream(self) -> Stream:
        """Returns the next stream that a bot opens, or has opened."""
        return await asyncio.wait_for(self.streams.get(), PATIENCE)


class BotProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def line(self) -> str:
        """Waits for the next line of its stderr; `end` returns only what follows."""
        assert self.process.stderr is not None
        return (await asyncio.wait_for(self.process.stderr.readline(), PATIENCE)).decode()

    async def end(self) -> tuple[int, str]:
        """Waits until the process has ended; returns its exit code and its stderr."""
        _, stderr = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        assert self.process.returncode is not None
        return self.process.returncode, stderr.decode()


# The types of the fixtures `run_bot` and `connect`, which take a bot's source and its environment.
RunBot: TypeAlias = Callable[..., Awaitable[BotProcess]]
Connect: TypeAlias = Callable[..., Awaitable[tuple[BotProcess, Stream]]]


async def start_process(
    *command: str, folder: Path, environment: dict[str, str]
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


def start(match: str, **fields: Any) -> match_pb2.MatchStart:
    given: dict[str, Any] = {
        "game": "xeri",
        "rules_version": 1,
        "seat": 1,
        "teams": [0, 1, 0, 1],
        "seed": SEED,
        "clock": match_pb2.ClockSettings(bank_ms=60_000, increment_ms=200),
    }
    return match_pb2.MatchStart(match_id=match, **{**given, **fields})


def decision(
    match: str, number: int = 1, legal: Iterable[str] = LEGAL, **fields: Any
) -> decision_pb2.Decision:
    given: dict[str, Any] = {"seat": 1, "time_left_ms": 60_200, "observation": observation()}
    return decision_pb2.Decision(
        match_id=match, number=number, legal_actions=legal, **{**given, **fields}
    )


def observation() -> observation_pb2.Observation:
    return observation_pb2.Observation(
        zones=[
            observation_pb2.Zone(name="hand", owner=0, hidden=2),
            observation_pb2.Zone(name="hand", owner=1, cards=["7S", "8S"]),
            observation_pb2.Zone(name="stock", cards=["2C"], hidden=40),
        ],
        facts=[
            observation_pb2.Fact(name="bids", is_list=True),
            observation_pb2.Fact(name="round", numbers=[0]),
            observation_pb2.Fact(name="scores", numbers=[3, -4], is_list=True),
            observation_pb2.Fact(name="suits", words=["S", "H"], is_list=True),
            observation_pb2.Fact(name="trump", words=["S"]),
        ],
    )


def end(match: str, **fields: Any) -> match_pb2.MatchEnd:
    return match_pb2.MatchEnd(match_id=match, reason="played-out", **fields)
