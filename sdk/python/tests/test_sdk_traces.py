"""The traceback of a bot that fails begins in the bot's own file."""

import re

import pytest
from scripted_arena import Connect, RunBot, decision, start

KEY_ERROR = """
class MyBot(Bot):
    {how} choose(self, decision):
        return pick(decision)
def pick(decision):
    return {{}}["no such card"]
run(MyBot)
"""
CAUSED = """
class MyBot(Bot):
    def choose(self, decision):
        try:
            return int("four")
        except ValueError as error:
            raise RuntimeError("no number") from error
run(MyBot)
"""
NOTHING = "class MyBot(Bot):\n  def choose(self, decision):\n    pass\nrun(MyBot)\n"
INSIDE = """
import sevens_sdk.session
class MyBot(Bot):
    def choose(self, decision):
        sevens_sdk.session.answer_to = None
        return 0
run(MyBot)
"""


async def trace_of(connect: Connect, source: str) -> tuple[int, list[str], list[str]]:
    """Returns the exit code, the functions of the frames, and the lines of stderr."""
    bot, stream = await connect(source)
    await stream.say(starts=[start("m-1")])
    await stream.hear()
    await stream.say(decisions=[decision("m-1", 1)])
    code, stderr = await bot.end()
    functions = re.findall(r"^  File .*, in (.*)$", stderr, re.MULTILINE)
    return code, functions, stderr.splitlines()


@pytest.mark.parametrize("how", ["def", "async def"])
async def test_only_the_bots_frames_are_shown(connect: Connect, how: str) -> None:
    code, functions, lines = await trace_of(connect, KEY_ERROR.format(how=how))
    assert (code, functions) == (1, ["choose", "pick"])
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-2] == "KeyError: 'no such card'"
    assert lines[-1].startswith("This was the bot's choice in match m-1 ")


async def test_so_are_those_of_its_causes(connect: Connect) -> None:
    code, functions, lines = await trace_of(connect, CAUSED)
    assert (code, functions) == (1, ["choose", "choose"])
    assert "The above exception was the direct cause of the following exception:" in lines
    assert lines[-2] == "RuntimeError: no number"


async def test_a_mistake_that_the_sdk_finds_names_the_bots_file(connect: Connect) -> None:
    code, functions, lines = await trace_of(connect, NOTHING)
    assert (code, functions) == (1, ["<module>"])
    assert lines[-2].startswith("TypeError: the bot chose None; expected")


async def test_a_bug_of_the_sdk_shows_where_it_is(connect: Connect) -> None:
    code, functions, lines = await trace_of(connect, INSIDE)
    assert (code, functions[-1]) == (1, "_answer")
    assert lines[-2] == "TypeError: 'NoneType' object is not callable"


async def test_a_program_may_print_its_tracebacks_itself(run_bot: RunBot) -> None:
    bot = await run_bot("sys.excepthook = lambda *_: print('mine', file=sys.stderr)\nrun(Bot)\n")
    assert await bot.end() == (1, "mine\n")
