"""Bots that end, in every way and at every moment: none may hang.

A few dozen ends by default. For thousands: `ENDS=3000 pytest sdk/python/tests/test_sdk_ends.py -s`,
which prints how long they took.
"""

import asyncio
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from conftest import PRELUDE
from scripted_arena import Arena, Stream, decision, end, start, start_process

from sevens.bot.v1 import bot_service_pb2

ENDS = int(os.environ.get("ENDS", "24"))
AT_ONCE = 4
# The longest orderly end: the bot's last thought, and five seconds without a goodbye.
WITHIN_S = 20.0

BOTS = {
    "plain": """
class MyBot(Bot):
    def on_start(self):
        AT("start")
    def choose(self, decision):
        AT("choice")
        return 0
    def on_end(self, end):
        AT("end")
run(MyBot)
""",
    "asynchronous": """
class MyBot(Bot):
    async def on_start(self):
        await asyncio.sleep(0)
        AT("start")
    async def choose(self, decision):
        await asyncio.sleep(0.002)
        AT("choice")
        return 0
    async def on_end(self, end):
        AT("end")
run(MyBot)
""",
    "batch": """
class MyBot(BatchBot):
    def on_start(self, match):
        AT("start")
    def choose_all(self, decisions):
        AT("choice")
        return [0 for _ in decisions]
    def on_end(self, match, end):
        AT("end")
run(MyBot)
""",
}
# Code of the bot in `choose` or another method.
HABITS = {
    "quick": "def AT(place): pass\n",
    "sleeps": "def AT(place): time.sleep(0.03)\n",
    "computes": "def AT(place): sum(range(300_000))\n",
    "cleans up": """
def AT(place):
    try:
        time.sleep(0.03)
    finally:
        sum(range(10_000))
""",
    "catches": """
def AT(place):
    try:
        time.sleep(0.03)
    except KeyboardInterrupt:
        time.sleep(0.01)
""",
    "prints": "def AT(place): print(place * 100, file=sys.stderr, flush=True)\n",
    "exits": "def AT(place): place == 'choice' and sys.exit(7)\n",
    "fails": "def AT(place): place == 'end' and 1 / 0\n",
    "threads": """
import threading
def AT(place): threading.Thread(target=time.sleep, args=(0.05,)).start()
""",
}
INT, TERM = signal.SIGINT, signal.SIGTERM
WAYS: dict[str, tuple[signal.Signals, ...]] = {
    "goodbye": (),
    "refusal": (),
    "break": (),
    "one INT": (INT,),
    "two INT": (INT, INT),
    "three INT": (INT, INT, INT),
    "TERM": (TERM,),
    "TERM, INT": (TERM, INT),
    "INT, TERM": (INT, TERM),
    "dialling": (INT,),
}


async def host(stream: Stream, way: str) -> None:
    """Plays match after match with a bot until it leaves, or for a moment."""
    matches = 0
    over_at = time.monotonic() + random.uniform(0, 0.3) if way in ("goodbye", "refusal") else None
    with suppress(grpc.RpcError, asyncio.CancelledError, AssertionError):
        await stream.welcome()
        while over_at is None or time.monotonic() < over_at:
            matches += 1
            match = f"m{matches}"
            await stream.say(starts=[start(match)])
            number = 0
            leaving = False
            while number < 4 and (frame := await stream.hear_or_close()) is not None:
                leaving = leaving or frame.HasField("leave")
                answered = [(one.match_id, one.number) for one in frame.answers]
                accepted = [(one.match_id, 0) for one in frame.accepts]
                if (match, number) in (*accepted, *answered):
                    number += 1
                    await stream.say(decisions=[decision(match, number=number)])
            await stream.say(ends=[end(match)])
            if leaving:
                break
        if way == "refusal":
            await stream.say(refusal=bot_service_pb2.Refusal(sentence="Another one."))
        else:
            await stream.goodbye()
    stream.end()


async def hosted(arena: Arena, way: str) -> None:
    while True:
        stream = await arena.streams.get()
        await host(stream, way)


async def one_end(rng: random.Random, kind: str, habit: str, way: str) -> tuple[float, int, str]:
    """Returns how long the bot took to end, its exit code and its stderr."""
    folder = Path(tempfile.mkdtemp(prefix="sdk-"))
    arena = Arena(folder)
    if way != "dialling":
        await arena.open()
    hosting = asyncio.create_task(hosted(arena, way))
    (folder / "bot.py").write_text(
        f"{PRELUDE}{HABITS[habit]}print('here', file=sys.stderr, flush=True)\n{BOTS[kind]}"
    )
    environment = {**os.environ, "ARENA_ADDRESS": arena.address, "ARENA_TOKEN": "secret"}
    process = await start_process("bot.py", folder=folder, environment=environment)
    try:
        assert process.stderr is not None
        await process.stderr.readline()
        await asyncio.sleep(rng.uniform(0.2, 0.8))
        began = time.monotonic()
        if way == "break":
            await arena.close()
        for number in WAYS[way]:
            with suppress(ProcessLookupError):
                process.send_signal(number)
            await asyncio.sleep(rng.choice([0.0, 0.0005, 0.001, 0.003, 0.05]))
        _, stderr = await asyncio.wait_for(process.communicate(), WITHIN_S)
        assert process.returncode is not None
        return time.monotonic() - began, process.returncode, stderr.decode()
    finally:
        if process.returncode is None:
            process.kill()
        hosting.cancel()
        await arena.close()
        shutil.rmtree(folder)


def expected(habit: str, way: str) -> set[int]:
    codes = {0, 3} if way in ("refusal", "break") else {0}
    signals = WAYS[way]
    if len(signals) > 1 or way == "dialling":
        codes |= {128 + number for number in signals}
        codes |= {-number for number in signals}  # it had not begun to play
    if signals:
        # Interrupted while it started, or while Python ended, or with a traceback in between.
        codes |= {1, -signals[0], 130, 255}
    codes |= {"exits": {7}, "fails": {1}}.get(habit, set())
    return codes


@pytest.mark.slow
@pytest.mark.timeout(max(400, ENDS))
async def test_no_way_out_hangs() -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    took: defaultdict[str, list[float]] = defaultdict(list)
    codes: Counter[Any] = Counter()
    problems: list[str] = []
    places = asyncio.Semaphore(AT_ONCE)

    async def play() -> None:
        kind, habit, way = (rng.choice(list(choices)) for choices in (BOTS, HABITS, WAYS))
        async with places:
            try:
                seconds, code, stderr = await one_end(rng, kind, habit, way)
            except TimeoutError:
                problems.append(f"hung: {kind}, {habit}, {way}")
                return
        if code not in expected(habit, way):
            problems.append(f"{kind}, {habit}, {way}: exit code {code}, {stderr[-2000:]}")
        took[way].append(seconds)
        codes[way, code] += 1

    await asyncio.gather(*(play() for _ in range(ENDS)))
    for way, seconds in sorted(took.items()):
        counted = {code: count for (of, code), count in codes.items() if of == way}
        print(f"{way:10} {len(seconds):5} ends, longest {max(seconds):5.2f} s, codes {counted}")
    assert not problems, problems
