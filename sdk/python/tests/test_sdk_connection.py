"""The life of a connection: how it begins, breaks, is replaced and ends."""

import asyncio
import re
import signal
import socket

import pytest
from scripted_arena import LEGAL, Arena, Connect, RunBot, decision, end, start

from sevens.bot.v1 import bot_service_pb2
from sevens.bot.v1.bot_service_pb2 import ArenaFrame
from sevens_sdk import Bot
from sevens_sdk.connection import Patience, Unreachable
from sevens_sdk.leaving import GOODBYE_SECONDS, Leaving
from sevens_sdk.session import Session
from tests.support.clock import stopped_clock

# Counts what it is asked, and answers at random.
COUNTING_BOT = """
class MyBot(Bot):
    def on_start(self):
        self.asked = 0
    {define} choose(self, decision):
        self.asked += 1
        decision.note(f"{{self.asked}} {{self.match.resumed}} {{self.random.random()}}")
        {sleep}(0.1)
        return decision.legal.index(self.random.choice(decision.legal))
run(MyBot)
"""
COUNTING_BOTS = {
    "sync": COUNTING_BOT.format(define="def", sleep="time.sleep"),
    "async": COUNTING_BOT.format(define="async def", sleep="await asyncio.sleep"),
}


def thinking_aloud(source: str, seconds: float) -> str:
    """Returns the bot, but it says so before it thinks for so long."""
    thinks = "print('thinking', file=sys.stderr, flush=True)\n        "
    return re.sub(r"(?:await )?(\w+\.)sleep\(0\.1\)", rf"{thinks}\g<0>", source).replace(
        "sleep(0.1)", f"sleep({seconds})"
    )


LEAVING = "Leaving after 1 match; press Ctrl-C again to stop at once.\n"
either = pytest.mark.parametrize("source", COUNTING_BOTS.values(), ids=COUNTING_BOTS)


@either
async def test_goodbye_lets_the_bot_finish_what_it_owes(connect: Connect, source: str) -> None:
    bot, stream = await connect(source)
    await stream.start("m1")
    goodbye = bot_service_pb2.Goodbye(sentence="that is all")
    await stream.say(decisions=[decision("m1")], goodbye=goodbye)
    assert len((await stream.hear()).answers) == 1
    assert await stream.hear_or_close() is None
    stream.end()
    assert await bot.end() == (0, "")


@either
async def test_goodbye_ends_an_idle_bot_at_once(connect: Connect, source: str) -> None:
    bot, stream = await connect(source)
    await stream.goodbye()
    assert await bot.end() == (0, "")


@either
async def test_a_bot_leaves_even_if_the_arena_forgets_to_end_the_stream(
    connect: Connect, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = "import sevens_sdk.{0}\nsevens_sdk.{0}.LAST_WORDS_SECONDS = 0.2\n"
    bot, stream = await connect(short.format("aio") + short.format("sync") + source)
    await stream.say(goodbye=bot_service_pb2.Goodbye())
    assert await bot.end() == (0, "")


@either
async def test_after_a_break_the_same_answers_are_given_again(
    arena: Arena, connect: Connect, source: str
) -> None:
    bot, lost = await connect(source)
    await lost.start("m1", "m2", "m3")
    [given] = await lost.ask(decision("m1", 4))
    await lost.say(decisions=[decision("m2", 6)])
    lost.end()  # while the bot thinks

    stream = await arena.stream()
    await stream.welcome()
    await stream.start("m1", "m2", resumed=True)
    answers = await stream.ask(decision("m1", 4), decision("m2", 6))
    repeated, late = sorted(answers, key=lambda answer: answer.match_id)
    assert repeated == given
    # The bot was asked once, and its object is still the same.
    assert given.note.split()[:2] == late.note.split()[:2] == ["1", "False"]
    [following] = await stream.ask(decision("m1", 5))
    assert following.note.split()[:2] == ["2", "False"]
    await stream.goodbye()
    assert await bot.end() == (0, "")


@either
async def test_another_process_gives_the_same_answers(connect: Connect, source: str) -> None:
    _, first = await connect(source)
    await first.start("m1", "m2", resumed=True)
    await first.ask(decision("m1", 1))
    before = [*await first.ask(decision("m1", 2)), *await first.ask(decision("m2", 2))]
    _, second = await connect(source)
    await second.start("m1", resumed=True)
    [after] = await second.ask(decision("m1", 2))
    assert after.index == before[0].index == before[1].index
    assert [answer.note.split()[0] for answer in (*before, after)] == ["2", "1", "1"]
    randoms = {answer.note.split()[2] for answer in (*before, after)}
    assert len(randoms) == 1


async def test_randomness_does_not_depend_on_what_was_drawn_before(connect: Connect) -> None:
    """It is seeded when it is first used, and from then on even if the bot holds on to it."""
    _, stream = await connect("""
class MyBot(Bot):
    def choose(self, decision):
        if decision.number >= (3 if self.match.id == "m2" else 1):
            self.held = getattr(self, "held", self.random)
            assert self.held is self.random is decision.random
            decision.note(str(self.held.random()))
        return 0
run(MyBot)
""")
    await stream.start("m1", "m2")
    early = [(await stream.ask(decision("m1", number)))[0].note for number in (1, 2, 3, 4)]
    late = [(await stream.ask(decision("m2", number)))[0].note for number in (1, 2, 3, 4)]
    assert late[:2] == ["", ""]
    assert late[2:] == early[2:]
    assert len(set(early)) == 4


async def test_decisions_and_matches_have_randomness_of_their_own(connect: Connect) -> None:
    _, stream = await connect(COUNTING_BOTS["sync"])
    await stream.start("m1")
    await stream.start("m2", seed=b"another")
    asked = [decision("m1", 1), decision("m2", 1)]
    answers = [*await stream.ask(*asked), *await stream.ask(decision("m1", 2))]
    assert len({answer.note.split()[2] for answer in answers}) == 3


async def test_a_match_that_starts_anew_gets_a_new_bot(arena: Arena, connect: Connect) -> None:
    _, lost = await connect(COUNTING_BOTS["sync"])
    await lost.start("m1")
    await lost.ask(decision("m1", 1))
    lost.end()
    stream = await arena.stream()
    await stream.welcome()
    await stream.start("m1")
    [answer] = await stream.ask(decision("m1", 1))
    assert answer.note.split()[:2] == ["1", "False"]


@either
async def test_a_refusal_is_told_and_final(arena: Arena, run_bot: RunBot, source: str) -> None:
    bot = await run_bot(source)
    stream = await arena.stream()
    await stream.hear()
    sentence = "This token was revoked; `arena token create` makes another."
    await stream.say(refusal=bot_service_pb2.Refusal(sentence=sentence))
    stream.end()
    assert await bot.end() == (3, sentence + "\n")
    assert arena.streams.empty()


@either
async def test_a_bot_whose_arena_is_gone_gives_up(
    arena: Arena, connect: Connect, source: str
) -> None:
    bot, _ = await connect(source)
    await arena.close()
    code, stderr = await bot.end()
    assert code == 3
    told = rf"The arena at {arena.address} has been out of reach for \d+ s \(limit: 2 s\): .*\n"
    assert re.fullmatch(told, stderr)
    assert "UNAVAILABLE" in stderr


@either
async def test_a_restarted_arena_is_found_again(
    arena: Arena, connect: Connect, source: str
) -> None:
    bot, stream = await connect(source)
    await stream.start("m1")
    await arena.close()
    await arena.open()
    stream = await arena.stream()
    await stream.welcome()
    await stream.start("m1", resumed=True)
    [answer] = await stream.ask(decision("m1"))
    assert LEGAL[answer.index]
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, "")


@either
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_bot_that_is_asked_to_end_plays_its_match_and_leaves(
    connect: Connect, source: str, number: signal.Signals
) -> None:
    bot, stream = await connect(source)
    await stream.start("m1")
    bot.process.send_signal(number)
    assert (await stream.hear()).HasField("leave")
    assert await bot.line() == LEAVING
    [answer] = await stream.ask(decision("m1"))
    assert LEGAL[answer.index]
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, "")


@either
async def test_a_bot_that_thinks_says_that_it_leaves_with_its_answer(
    connect: Connect, source: str
) -> None:
    bot, stream = await connect(thinking_aloud(source, 0.5))
    await stream.start("m1")
    await stream.say(decisions=[decision("m1")])
    assert await bot.line() == "thinking\n"
    bot.process.send_signal(signal.SIGINT)
    heard = [await stream.hear()]
    while not (heard[-1].answers or any(frame.answers for frame in heard)):
        heard.append(await stream.hear())
    while not any(frame.HasField("leave") for frame in heard):
        heard.append(await stream.hear())
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, LEAVING)


@either
async def test_a_bot_that_leaves_says_so_again_on_its_next_stream(
    arena: Arena, connect: Connect, source: str
) -> None:
    bot, stream = await connect(source)
    await stream.start("m1")
    bot.process.send_signal(signal.SIGINT)
    assert (await stream.hear()).HasField("leave")
    stream.end()
    stream = await arena.stream()
    await stream.welcome()
    assert (await stream.hear()).HasField("leave")
    await stream.start("m1", resumed=True)
    await stream.say(ends=[end("m1")])
    await stream.goodbye()
    assert await bot.end() == (0, LEAVING)


@either
async def test_a_bot_does_not_wait_for_an_arena_that_does_not_know_leave(
    connect: Connect, source: str
) -> None:
    short = "import sevens_sdk.leaving\nsevens_sdk.leaving.GOODBYE_SECONDS = 0.2\n"
    bot, stream = await connect(short + source)
    await stream.start("m1")
    await stream.say(ends=[end("m1")])
    for _ in range(2):  # at the second, it has done what came with the first
        await stream.hears_only_pong()
    bot.process.send_signal(signal.SIGINT)
    assert await bot.end() == (0, "")


def test_a_bot_waits_five_seconds_for_the_goodbye() -> None:
    loop = asyncio.new_event_loop()
    session = Session(Bot, token="secret", clock=lambda: loop.time())
    session.receive([ArenaFrame(welcome=bot_service_pb2.Welcome(protocol=1))])
    leaving, waited = Leaving(session), False

    async def play() -> None:
        nonlocal waited
        with stopped_clock() as clock:
            await clock.advance(60.0)
            leaving._handle(signal.SIGINT, None)
            await clock.advance(GOODBYE_SECONDS - 0.1)
            waited = True
            await clock.advance(0.2)
            raise AssertionError

    leaving.run(play(), loop)
    loop.close()
    assert waited


@either
async def test_a_bot_that_still_dials_ends_at_once(
    arena: Arena, run_bot: RunBot, source: str
) -> None:
    place = f"{arena.folder}/silent.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        listener.setblocking(False)
        bot = await run_bot(source, ARENA_ADDRESS=f"unix:{place}")
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
        with connection:
            bot.process.send_signal(signal.SIGTERM)
            assert await bot.end() == (0, "")


@either
async def test_a_notice_is_printed_once(arena: Arena, run_bot: RunBot, source: str) -> None:
    bot = await run_bot(source)
    notice = "The bot is suspended from one of its ladders."
    for _ in range(2):
        stream = await arena.stream()
        await stream.hear()
        await stream.say(welcome=bot_service_pb2.Welcome(protocol=1, notice=notice))
        if not _:
            stream.end()
    await stream.goodbye()
    assert await bot.end() == (0, notice + "\n")


@either
async def test_a_newer_protocol_than_the_bot_knows_ends_it(
    arena: Arena, run_bot: RunBot, source: str
) -> None:
    bot = await run_bot(source)
    stream = await arena.stream()
    await stream.hear()
    await stream.say(welcome=bot_service_pb2.Welcome(protocol=2))
    code, said = await bot.end()
    assert code == 3
    assert said == "The arena speaks protocol 2, and this SDK 1: install a newer SDK.\n"


# Prints the gRPC calls and channels, and the threads, that are left when the process ends.
TELLTALE = """
import atexit, gc, grpc.aio, threading
OF_GRPC = (grpc.Call, grpc.Channel, grpc.aio.Call, grpc.aio.Channel)
def tell():
    left = [thread.name for thread in threading.enumerate()][1:]
    left += [type(one).__name__ for one in gc.get_objects() if issubclass(type(one), OF_GRPC)]
    print("left:", *left, file=sys.stderr, flush=True)
atexit.register(tell)
"""


@pytest.mark.parametrize("ending", ["goodbye", "refusal", "break", "leave", "crash"])
async def test_nothing_of_grpc_is_left_for_the_end_of_the_process(
    arena: Arena, connect: Connect, ending: str
) -> None:
    """With a call left, a bot may never end: it wants a lock that a stopped thread may hold."""
    bot, stream = await connect(TELLTALE + COUNTING_BOTS["sync"])
    if ending == "goodbye":
        await stream.goodbye()
    elif ending == "refusal":
        await stream.say(refusal=bot_service_pb2.Refusal(sentence="There is another bot."))
        stream.end()
    elif ending == "break":
        await arena.close()
    elif ending == "crash":
        await stream.start("m1")
        await stream.say(decisions=[decision("m1", legal=[])])
    elif ending == "leave":
        await stream.say(ping=bot_service_pb2.Ping(number=7))
        assert (await stream.hear()).pong.number == 7  # it has read the welcome
        bot.process.send_signal(signal.SIGINT)
        await stream.goodbye()
    _, stderr = await bot.end()
    assert stderr.splitlines()[-1] == "left:"


@either
@pytest.mark.parametrize("pause", [0, 0.01, 0.5])
async def test_whoever_insists_does_not_wait(connect: Connect, source: str, pause: float) -> None:
    """The second Ctrl-C ends it, whatever it was doing.

    The first has been taken before the second comes: two that are pending at once are one signal.
    """
    stubborn = thinking_aloud(source, 30).replace(
        "run(MyBot)", "import atexit\natexit.register(time.sleep, 30)\nrun(MyBot)"
    )
    bot, stream = await connect(stubborn)
    await stream.start("m1")
    await stream.say(decisions=[decision("m1")])
    assert await bot.line() == "thinking\n"
    bot.process.send_signal(signal.SIGINT)
    assert await bot.line() == LEAVING
    await asyncio.sleep(pause)
    bot.process.send_signal(signal.SIGINT)
    assert await bot.end() == (130, "")


async def test_a_bot_that_catches_the_interrupt_leaves_all_the_same(connect: Connect) -> None:
    bot, stream = await connect("""
class MyBot(Bot):
    def choose(self, decision):
        try:
            print("thinking", file=sys.stderr, flush=True)
            time.sleep(30)
        except KeyboardInterrupt:
            print("caught", file=sys.stderr)
        return 0
run(MyBot)
""")
    await stream.start("m1")
    await stream.say(decisions=[decision("m1")])
    assert await bot.line() == "thinking\n"
    bot.process.send_signal(signal.SIGINT)
    assert await bot.line() == LEAVING
    bot.process.send_signal(signal.SIGINT)
    assert await bot.end() == (130, "caught\n")


def test_a_distant_arena_is_tried_ever_more_slowly_and_never_given_up() -> None:
    now = 1000.0
    patience = Patience("arena.example:7777", lambda: now)
    pauses: list[float] = []
    while now < 1000 + 600:
        pauses.append(patience.after(None, "it is down"))
        assert now > 1030 or pauses[-1] <= 3.0
        now += pauses[-1]
    assert 0.07 <= pauses[0] <= 0.1
    assert 21 <= pauses[-1] <= 30
    # A stream that breaks at once is no success; one that lasts for some time is.
    assert patience.after(now - 0.1, "it breaks") > 20
    assert patience.after(now - 6, "it broke") <= 0.1


def test_a_socket_on_this_machine_is_soon_given_up() -> None:
    now = 1000.0
    patience = Patience("unix:/run/arena.sock", lambda: now)
    patience.after(None, "it is down")
    now += 2
    with pytest.raises(Unreachable, match=r"for 2 s \(limit: 2 s\): it is down\."):
        patience.after(None, "it is down")


def test_only_the_first_failure_is_told_and_none_of_a_socket_on_this_machine(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for address in ("arena.example:7777", "unix:/nowhere"):
        patience = Patience(address)
        for _ in range(3):
            patience.after(None, "it is down")
    assert capsys.readouterr().err == (
        "The arena at arena.example:7777 cannot be reached (it is down). Trying until it answers.\n"
    )


# Errors -------------------------------------------------------------------------------------------

FAILING_BOT = """
class MyBot(Bot):
    {define} choose(self, decision):
        if self.match.id == "m2":
            {sleep}(0.2)
            raise ZeroDivisionError("at 2 a.m.")
        return 0
run(MyBot)
"""


@pytest.mark.parametrize(
    ("define", "sleep"), [("def", "time.sleep"), ("async def", "await asyncio.sleep")]
)
async def test_a_crash_shows_its_traceback_and_spares_other_matches(
    connect: Connect, define: str, sleep: str
) -> None:
    bot, stream = await connect(FAILING_BOT.format(define=define, sleep=sleep))
    await stream.start("m1", "m2")
    [answer] = await stream.ask(decision("m1", 3))
    await stream.say(decisions=[decision("m1", 4), decision("m2", 17)])
    [answer] = (await stream.hear()).answers
    assert (answer.match_id, answer.number) == ("m1", 4)
    code, stderr = await bot.end()
    assert code == 1
    assert 'raise ZeroDivisionError("at 2 a.m.")' in stderr
    assert stderr.splitlines()[-2:] == [
        "ZeroDivisionError: at 2 a.m.",
        "This was the bot's choice in match m2 (xeri), seat 1, decision 17.",
    ]


async def test_a_failing_start_names_the_match(connect: Connect) -> None:
    bot, stream = await connect("""
class MyBot(Bot):
    def on_start(self):
        raise FileNotFoundError("weights.bin")
    def choose(self, decision): ...
run(MyBot)
""")
    await stream.say(starts=[start("m1")])
    code, stderr = await bot.end()
    assert code == 1
    assert "FileNotFoundError: weights.bin" in stderr
    assert "This was the bot's start in match m1 (xeri), seat 1." in stderr


@pytest.mark.parametrize("missing", ["ARENA_ADDRESS", "ARENA_TOKEN"])
async def test_without_an_arena_the_bot_says_how_to_try_it(run_bot: RunBot, missing: str) -> None:
    bot = await run_bot(COUNTING_BOTS["sync"], **{missing: ""})
    code, stderr = await bot.end()
    assert code == 2
    assert stderr == (
        "This bot is started by the arena; to try it: arena play xeri bot.py builtin:random\n"
        f"(Not set in the environment: {missing}.)\n"
    )
