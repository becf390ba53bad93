"""Measures how many decisions a second the way to a bot carries, without any rules.

    python tests/bots/measure_transport.py [--sandbox=none]

Beside it runs the least that gRPC can do in Python: one message there, one back, nothing else.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc
import grpc.aio

from arena.bots.host import Bot, Host
from arena.bots.launch import Isolation
from arena.bots.line import Line, Loss, Question
from arena.bots.runtime import python_runtime
from arena.bots.source import find_bot
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchStart
from sevens.bot.v1.observation_pb2 import Event, Fact, Observation, Zone

PROMPT = Path(__file__).parent / "scripted" / "prompt.py"
SECONDS = 2.0


def sample_decision(match_id: str) -> Decision:
    """A decision of about 600 bytes."""
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in ("7", "8", "T", "A")]
    observation = Observation(
        zones=[
            Zone(name="hand", owner=1, cards=cards[:10]),
            *(Zone(name="hand", owner=seat, hidden=10) for seat in (0, 2, 3)),
            Zone(name="trick", cards=cards[10:13]),
            Zone(name="stock", hidden=12),
        ],
        facts=[
            Fact(name="round", numbers=[3]),
            Fact(name="scores", numbers=[12, 7, 31, 24], is_list=True),
            Fact(name="tricks-taken", numbers=[1, 0, 2, 3], is_list=True),
            Fact(name="trump", words=["S"]),
        ],
    )
    events = [Event(verb="play", actor=seat, arguments=[cards[seat]]) for seat in range(4)]
    return Decision(
        match_id=match_id,
        number=1,
        seat=1,
        time_left_ms=60_000,
        legal_actions=[f"play {card}" for card in cards],
        observation=observation,
        events=events,
    )


class Asker:
    """Asks again as soon as it is answered."""

    def __init__(self, bot: Bot, match_id: str) -> None:
        self.answers = 0
        self.waited = 0.0
        self.decision = sample_decision(match_id)
        self.question = Question(self.decision)
        self.line: Line = bot.sit(match_id, self)
        self.line.send_start(MatchStart(match_id=match_id, game="xeri", teams=[0, 1]))

    def accepted(self, nonce: bytes) -> None:
        self.line.ask(self.question)

    def answered(self, answer: Answer, at: float) -> None:
        sent_at = self.question.sent_at
        assert sent_at is not None
        assert answer.number == self.decision.number
        self.answers += 1
        self.waited += at - sent_at
        self.decision.number += 1
        self.question = Question(self.decision)
        self.line.ask(self.question)

    def lost(self, loss: Loss) -> None:
        raise AssertionError(loss.sentence)

    def restored(self) -> None:
        raise AssertionError("restored")


async def arena_rate(
    isolation: Isolation, bots: int, matches: int, seconds: float = SECONDS
) -> float:
    """Decisions a second with some bots, each with so many matches at once."""
    async with Host(isolation) as host:
        started = [await host.start(find_bot(str(PROMPT))) for _ in range(bots)]
        for bot in started:
            assert await bot.ready() is None
        askers = [Asker(bot, f"match-{i:04}") for bot in started for i in range(matches)]
        await asyncio.sleep(0.3)
        before = sum(asker.answers for asker in askers)
        begin = time.perf_counter()
        await asyncio.sleep(seconds)
        return (sum(asker.answers for asker in askers) - before) / (time.perf_counter() - begin)


async def bare_rate(seconds: float = SECONDS) -> float:
    """Decisions a second of one handler that writes and reads in turn."""
    result: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def play(_: object, stream: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        await stream.read()  # the hello
        decision = sample_decision("match-0000")
        count = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            decision.number += 1
            await stream.write(ArenaFrame(decisions=[decision]).SerializeToString())
            answer = BotFrame.FromString(await stream.read()).answers[0]
            assert answer.number == decision.number
            count += 1
        result.set_result(count / (time.perf_counter() - begin))

    handler = {"Play": grpc.stream_stream_rpc_method_handler(play)}
    server = grpc.aio.server()
    service = grpc.method_handlers_generic_handler("sevens.bot.v1.BotService", handler)
    server.add_generic_rpc_handlers((service,))
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/s"
        server.add_insecure_port(address)
        await server.start()
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": "", "PATH": os.defpath}
        command = [python_runtime() / "bin" / "python", PROMPT]
        with subprocess.Popen(command, env=environment) as bot:
            rate = await result
            await server.stop(grace=None)
            bot.kill()
    return rate


async def compare(isolation: Isolation) -> None:
    print(f"a decision has {sample_decision('match-0000').ByteSize()} bytes")
    for _ in range(3):
        bare = await bare_rate()
        lone = await arena_rate(isolation, 1, 1)
        print(f"bare gRPC {bare:8,.0f}/s   one match {lone:8,.0f}/s   share {lone / bare:.2f}")
    for bots, matches in ((1, 8), (1, 64), (2, 32), (8, 8)):
        rate = await arena_rate(isolation, bots, matches)
        print(f"{bots} bots with {matches:2} matches at once each: {rate:8,.0f}/s")


if __name__ == "__main__":
    asyncio.run(compare(Isolation(sys.argv[1]) if len(sys.argv) > 1 else Isolation.BUBBLEWRAP))
