"""A bot plays: the messages it receives and the answers it gives."""

import json
import tomllib
from pathlib import Path

from scripted_arena import LEGAL, SEED, Arena, Connect, RunBot, decision, end, start, start_process

import sevens_sdk
from sevens.bot.v1 import bot_service_pb2, match_pb2, observation_pb2
from sevens.bot.v1.bot_service_pb2 import ArenaFrame

SDK = Path(__file__).parent.parent

CHOOSES = """
class MyBot(Bot):
    def choose(self, decision):
        return {choice}
run(MyBot)
"""
# So long that no answer is sent before the others, however busy the machine is.
PATIENT = """
import sevens_sdk.sync
sevens_sdk.sync.PROMPT_SECONDS = 60.0
"""


async def test_hello_says_who_is_there(arena: Arena, run_bot: RunBot) -> None:
    await run_bot("class B(Bot):\n  choose = None\nrun(B, games=['xeri', 'dingo'])")
    stream = await arena.stream()
    frame = await stream.hear()
    project = tomllib.loads((SDK / "pyproject.toml").read_text())["project"]
    assert frame == bot_service_pb2.BotFrame(
        hello=bot_service_pb2.Hello(
            token="secret",
            protocol=1,
            sdk=f"python {project['version']}",
            games=["xeri", "dingo"],
            matches_at_once=1,
        )
    )


async def test_the_environment_decides_how_many_matches_at_once(
    arena: Arena, run_bot: RunBot
) -> None:
    source = "class B(Bot):\n  choose = None\nrun(B, matches_at_once=2)"
    await run_bot(source)
    assert (await (await arena.stream()).hear()).hello.matches_at_once == 2
    await run_bot(source, ARENA_MATCHES_AT_ONCE="64")
    assert (await (await arena.stream()).hear()).hello.matches_at_once == 64


async def test_matches_are_accepted_with_random_nonces(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice=0))
    accepts = await stream.start("m1", "m2")
    assert [accept.match_id for accept in accepts] == ["m1", "m2"]
    assert all(len(accept.nonce) == 32 for accept in accepts)
    assert accepts[0].nonce != accepts[1].nonce


async def test_a_bot_plays_in_a_thread_next_to_an_event_loop(connect: Connect) -> None:
    """As `run` advises in a notebook."""
    _, stream = await connect("""
import threading
class MyBot(Bot):
    def choose(self, decision):
        return 1
async def cell():
    threading.Thread(target=run, args=(MyBot,), daemon=True).start()
    await asyncio.sleep(3600)
asyncio.run(cell())
""")
    await stream.start("m1")
    [answer] = await stream.ask(decision("m1"))
    assert answer.index == 1


async def test_a_bot_is_told_the_facts_of_its_match(connect: Connect) -> None:
    _, stream = await connect("""
class MyBot(Bot):
    def choose(self, decision):
        assert decision.match is self.match and decision.random is self.random
        m = self.match
        decision.note(json.dumps([m.id, m.game, m.rules_version, dict(m.options), m.seat, m.teams,
            m.players, m.clock.bank, m.clock.increment, m.seed.hex(), m.commitment.hex(),
            m.resumed]))
        return 0
run(MyBot)
""")
    options = {"max_rounds": "9", "piiko": "true", "low": "-3", "deck": "spanish"}
    await stream.start("m1", rules_version=3, options=options, commitment=b"\xcc")
    [answer] = await stream.ask(decision("m1"))
    assert json.loads(answer.note) == [
        *("m1", "xeri", 3),
        {"max_rounds": 9, "piiko": True, "low": -3, "deck": "spanish"},
        *(1, [0, 1, 0, 1], 4, 60.0, 0.2, SEED.hex(), "cc", False),
    ]


async def test_a_decision_shows_what_the_seat_may_see(connect: Connect) -> None:
    _, stream = await connect("""
class MyBot(Bot):
    def choose(self, decision):
        o = decision.observation
        decision.note(json.dumps([decision.number, decision.seat, decision.legal]))
        decision.note(json.dumps([o.zones, o.zone("hand", 0), o.zone("nowhere"), o.facts]))
        decision.note(json.dumps([decision.hand, o.cards("stock"), o.cards("hand", 3)]))
        decision.note(json.dumps([o.fact("trump"), o.fact("round"), o.fact("bids")]))
        decision.note(json.dumps([decision.events, decision.events_left_out]))
        decision.note(json.dumps(decision.time_left))
        time.sleep(0.05)
        decision.note(json.dumps(decision.time_left))
        try: o.fact("trumps")
        except KeyError as error: decision.note(json.dumps(str(error)))
        return 0
run(MyBot)
""")
    await stream.start("m1")
    events = [
        observation_pb2.Event(verb="play", actor=0, arguments=["7H"]),
        observation_pb2.Event(verb="redeal"),
    ]
    [answer] = await stream.ask(decision("m1", 5, events=events, events_left_out=3))
    noted = [json.loads(line) for line in answer.note.splitlines()]
    assert noted[:5] == [
        [5, 1, LEGAL],
        [
            [["hand", 0, [], 2], ["hand", 1, ["7S", "8S"], 0], ["stock", None, ["2C"], 40]],
            ["hand", 0, [], 2],
            ["nowhere", None, [], 0],
            {"bids": [], "round": 0, "scores": [3, -4], "suits": ["S", "H"], "trump": "S"},
        ],
        [["7S", "8S"], ["2C"], []],
        ["S", 0, []],
        [[["play", 0, ["7H"]], ["redeal", None, []]], 3],
    ]
    assert 60.2 >= noted[5] >= noted[6] + 0.05 > 55
    assert "there is no fact 'trumps' here, only: bids, round, scores" in noted[7]


async def test_each_match_has_a_bot_of_its_own_from_start_to_end(connect: Connect) -> None:
    bot, stream = await connect("""
class MyBot(Bot):
    def on_start(self):
        self.seen = [self.match.id]
    def choose(self, decision):
        self.seen.append(decision.number)
        return 0
    def on_end(self, end):
        print(self.seen, end, file=sys.stderr)
run(MyBot)
""")
    await stream.start("m1", "m2")
    await stream.ask(decision("m1", 1), decision("m2", 4))
    await stream.ask(decision("m1", 2))
    timeout = match_pb2.Fault(seat=1, kind="FAULT_KIND_TIMEOUT", decision=9, sentence="Too slow.")
    newer = match_pb2.Fault(seat=0)
    newer.MergeFromString(b"\x10\x63")  # kind 99
    ended = end("m1", scores=[3, -4], ranks=[1, 2], faults=[timeout, newer])
    await stream.say(ends=[ended, end("m2"), end("never started")])
    await stream.goodbye()
    code, stderr = await bot.end()
    assert code == 0
    assert stderr.splitlines() == [
        "['m1', 1, 2] MatchEnd(scores=(3, -4), ranks=(1, 2), reason='played-out', faults=("
        "Fault(seat=1, kind='timeout', decision=9, sentence='Too slow.'),"
        " Fault(seat=0, kind='kind-99', decision=0, sentence='')))",
        "['m2', 4] MatchEnd(scores=(), ranks=(), reason='played-out', faults=())",
    ]


async def test_the_answers_to_one_frame_travel_in_one(connect: Connect) -> None:
    _, stream = await connect(PATIENT + CHOOSES.format(choice="decision.number % 3"))
    matches = [f"m{n}" for n in range(64)]
    await stream.start(*matches)
    await stream.say(decisions=[decision(match, n) for n, match in enumerate(matches, 1)])
    frame = await stream.hear()
    assert [(a.match_id, a.index) for a in frame.answers] == [
        (match, n % 3) for n, match in enumerate(matches, 1)
    ]


async def test_slow_answers_do_not_wait_for_each_other(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice="time.sleep(0.1) or 0"))
    await stream.start("m1", "m2")
    await stream.say(decisions=[decision("m1", 1), decision("m2", 2)])
    [first] = (await stream.hear()).answers
    assert first.match_id == "m1"
    [second] = (await stream.hear()).answers
    assert second.match_id == "m2"


async def test_a_bot_may_run_an_event_loop_while_it_thinks(connect: Connect) -> None:
    bot, stream = await connect("""
class MyBot(Bot):
    async def think(self):
        await asyncio.sleep(0.01)
        return 2
    def choose(self, decision):
        return asyncio.run(self.think())
run(MyBot)
""")
    await stream.start("m1")
    for number in (1, 2, 3):
        [answer] = await stream.ask(decision("m1", number))
        assert answer.index == 2
    await stream.goodbye()
    assert await bot.end() == (0, "")


async def test_a_ping_is_answered_before_what_comes_with_it(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice="time.sleep(0.3) or 0"))
    await stream.start("m1")
    ping = bot_service_pb2.Ping(number=42)
    await stream.say(decisions=[decision("m1")], ping=ping)
    assert (await stream.hear()).pong.number == 42
    [answer] = (await stream.hear()).answers
    assert answer.match_id == "m1"


async def test_a_note_is_cut_to_what_the_arena_takes(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice="decision.note('x' + 'ä' * 2000) or 0"))
    await stream.start("m1")
    [answer] = await stream.ask(decision("m1"))
    assert answer.note == "x" + "ä" * 511  # 1023 bytes


async def test_frames_stay_below_the_limit(arena: Arena, run_bot: RunBot) -> None:
    await run_bot(CHOOSES.format(choice="decision.note('x' * 2000) or 'pass'"))
    stream = await arena.stream()
    await stream.welcome(frame_limit_bytes=8192)
    matches = [f"m{n}" for n in range(30)]
    await stream.start(*matches)
    answers = await stream.ask(*map(decision, matches))
    assert [answer.match_id for answer in answers] == matches
    assert max(frame.ByteSize() for frame in stream.heard) <= 8192


async def test_what_a_newer_arena_adds_is_ignored(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice="'pass'"))
    await stream.say(ArenaFrame.FromString(b"\xfa\x3f\x03new"))
    await stream.start("m1")
    newer = decision("m1")
    newer.MergeFromString(b"\xfa\x3f\x03new")
    [answer] = await stream.ask(newer)
    assert answer.text == "pass"


async def test_a_decision_of_an_unknown_match_is_left_alone(connect: Connect) -> None:
    bot, stream = await connect(CHOOSES.format(choice=0))
    await stream.start("m1")
    await stream.say(decisions=[decision("m0"), decision("m1")])
    assert [answer.match_id for answer in await stream.answers(1)] == ["m1"]
    await stream.goodbye()
    warning = "The arena asked for a decision in m0, a match it never started.\n"
    assert await bot.end() == (0, warning)


async def test_start_and_decision_may_come_in_one_frame(connect: Connect) -> None:
    _, stream = await connect(CHOOSES.format(choice=1))
    await stream.say(starts=[start("m1", resumed=True)], decisions=[decision("m1", 8)])
    frame = await stream.hear()
    assert [accept.match_id for accept in frame.accepts] == ["m1"]
    answers = list(frame.answers) or list((await stream.hear()).answers)
    assert [answer.number for answer in answers] == [8]


async def test_the_example_plays(arena: Arena) -> None:
    folder = SDK / "examples" / "starter"
    manifest = tomllib.loads((folder / "bot.toml").read_text())
    python, *arguments = manifest["run"]
    assert (manifest["name"], manifest["games"], python) == ("starter", [], "python")
    environment = {"ARENA_ADDRESS": arena.address, "ARENA_TOKEN": "secret"}
    process = await start_process(*arguments, folder=folder, environment=environment)
    stream = await arena.stream()
    await stream.welcome()
    await stream.start("m1")
    texts = {(await stream.ask(decision("m1", number)))[0].text for number in range(1, 30)}
    assert texts == {"play 7S", "play 8S"}  # equals in any order, and a pass says less
    await stream.goodbye()
    _, stderr = await process.communicate()
    assert stderr == b""
    assert process.returncode == 0


async def test_the_bot_of_the_readme_plays(connect: Connect) -> None:
    readme = (SDK / "README.md").read_text()
    source = readme.split("```python\n", 1)[1].split("```", 1)[0]
    _, stream = await connect(source)
    await stream.start("m1")
    [answer] = await stream.ask(decision("m1"))
    assert answer.text in LEGAL


def test_the_public_surface_is_complete() -> None:
    names = {name for name in dir(sevens_sdk) if not name.startswith("_")}
    modules = {path.stem for path in Path(sevens_sdk.__file__).parent.glob("*.py")}
    assert names - (modules - {"run"}) == set(sevens_sdk.__all__) - {"__version__"}
