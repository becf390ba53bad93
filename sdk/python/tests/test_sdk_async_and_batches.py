"""Bots that think about several decisions at once."""

import pytest
from scripted_arena import Connect, decision, end, start

from sevens.bot.v1 import bot_service_pb2

PATIENT_BOT = """
class MyBot(Bot):
    called = asyncio.Event()
    async def on_start(self):
        await asyncio.sleep(0.1)
        self.ready = True
    async def choose(self, decision):
        assert self.ready
        if self.match.id == "m1":
            try:
                await self.called.wait()
            finally:
                print("m1 goes on", file=sys.stderr)
        if self.match.id == "m2":
            self.called.set()
        return "pass"
    async def on_end(self, end):
        await asyncio.sleep(0.1)
        print(self.match.id, end.reason, file=sys.stderr)
run(MyBot)
"""


async def test_an_async_bot_thinks_about_several_matches_concurrently(connect: Connect) -> None:
    bot, stream = await connect(PATIENT_BOT)
    await stream.start("m1", "m2", "m3")
    await stream.say(decisions=[decision("m1"), decision("m3")])
    assert [answer.match_id for answer in (await stream.hear()).answers] == ["m3"]
    ping = bot_service_pb2.Ping(number=1)
    await stream.say(ping=ping)
    assert (await stream.hear()).pong.number == 1
    await stream.say(decisions=[decision("m2")])
    assert {answer.match_id for answer in await stream.answers(2)} == {"m1", "m2"}
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, "m1 goes on\nm1 played-out\n")


async def test_the_end_of_a_match_ends_an_async_bots_thinking(connect: Connect) -> None:
    bot, stream = await connect(PATIENT_BOT)
    await stream.start("m1")
    await stream.say(decisions=[decision("m1")])
    await stream.hears_only_pong()
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, "m1 goes on\nm1 played-out\n")


async def test_a_decision_waits_until_an_async_bot_has_started(connect: Connect) -> None:
    _, stream = await connect(PATIENT_BOT)
    await stream.say(starts=[start("m3", resumed=True)], decisions=[decision("m3", 4)])
    frame = await stream.hear()
    assert [accept.match_id for accept in frame.accepts] == ["m3"]
    answers = list(frame.answers) or await stream.answers(1)
    assert [answer.number for answer in answers] == [4]


BATCH_BOT = """
class MyBot(BatchBot):
    sizes = []
    def on_start(self, match):
        print("start", match.id, file=sys.stderr)
    {define} choose_all(self, decisions):
        self.sizes.append(len(decisions))
        {sleep}(0.2)
        for decision in decisions:
            decision.note(f"{{decision.match.id}} {{decision.random.random()}}")
        return [decision.number % 3 for decision in decisions]
    def on_end(self, match, end):
        print("end", match.id, self.sizes, file=sys.stderr)
run(MyBot)
"""
either = pytest.mark.parametrize(
    ("define", "sleep"),
    [("def", "time.sleep"), ("async def", "await asyncio.sleep")],
    ids=["sync", "async"],
)


@either
async def test_a_batch_bot_decides_together(connect: Connect, define: str, sleep: str) -> None:
    bot, stream = await connect(BATCH_BOT.format(define=define, sleep=sleep))
    await stream.start("m1", "m2", "m3")
    await stream.say(decisions=[decision("m1", 7), decision("m2", 8), decision("m3", 8)])
    answers = (await stream.hear()).answers
    assert [(a.match_id, a.number, a.index) for a in answers] == [
        ("m1", 7, 1),
        ("m2", 8, 2),
        ("m3", 8, 2),
    ]
    notes = [answer.note.split() for answer in answers]
    assert [match for match, _ in notes] == ["m1", "m2", "m3"]
    # The seeds are equal here: the results differ by the decision's number.
    assert notes[0][1] != notes[1][1] == notes[2][1]
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    code, stderr = await bot.end()
    assert code == 0
    assert sorted(stderr.splitlines()) == ["end m1 [3]", "start m1", "start m2", "start m3"]


async def test_what_comes_while_a_batch_bot_thinks_makes_one_batch(connect: Connect) -> None:
    thinks = "print('thinks', file=sys.stderr, flush=True) or time.sleep"
    slow = BATCH_BOT.format(define="def", sleep=thinks).replace("(0.2)", "(1.5)")
    bot, stream = await connect(slow)
    await stream.start("m1", "m2", "m3")
    await stream.say(decisions=[decision("m1")])
    while await bot.line() != "thinks\n":
        pass
    await stream.say(decisions=[decision("m2")])
    await stream.say(decisions=[decision("m3")])
    assert [answer.match_id for answer in await stream.answers(3)] == ["m1", "m2", "m3"]
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert "end m1 [1, 2]" in (await bot.end())[1]
