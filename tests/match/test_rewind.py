"""A recorded match that is fed to a bot again."""

from __future__ import annotations

import pytest

from arena.bots.interface import BotLost, PendingDecision
from arena.match.rewind import NotStarted, Past, Reply, Restarted, Rewind, past_of
from arena.match.timekeeper import Timekeeper
from arena.protocol.faults import FaultKind
from arena.records.record import BadRecord
from sevens.record.v1.match_record_pb2 import MatchRecord
from tests.support.clock import StoppedClock, without_waiting
from tests.support.played_matches import played
from tests.support.scripted_bots import ScriptedBot, ScriptedChannel, answer, at

GAMES = ["xeri", "insidious-sevens", "seven-euchre", "california-speed"]
CRASH = BotLost(FaultKind.CRASHED, "It ended.", "boom")


async def replies(
    bot: ScriptedBot, past: Past, count: int | None = None, *, timed: bool = True
) -> list[Reply | Restarted]:
    rewind = Rewind(bot, past, Timekeeper(), timed=timed)
    return [reply async for reply in rewind.replies(count)]


def as_recorded(past: Past) -> ScriptedBot:
    """A bot that chooses what was chosen in the match."""
    actions = {asked.decision.number: asked.action for asked in past.asked}

    def script(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(lambda: line.reply(question.decision, text=actions[question.decision.number]))

    return ScriptedBot(script)


def crash(line: ScriptedChannel, _: PendingDecision) -> None:
    line.later(line.lose, CRASH)


@pytest.mark.parametrize("game", GAMES)
async def test_the_bot_is_sent_what_the_seat_was_sent(game: str) -> None:
    match = played(game)
    for seat, frames in enumerate(match.frames):
        past = past_of(match.record, seat)
        bot = as_recorded(past)
        found = await without_waiting(replies(bot, past))
        assert [reply.is_same for reply in found if isinstance(reply, Reply)] == [
            True for _ in past.asked
        ]
        assert bot.line.starts == [frames.start]
        assert bot.line.asked == frames.decisions[: len(past.asked)]
        assert bot.line.ends == [frames.end]
        assert bot.line.closed


async def test_the_match_goes_on_as_recorded_whatever_the_bot_answers() -> None:
    match = played("xeri")
    past = past_of(match.record, 0)
    bot = ScriptedBot()  # takes the first legal action
    found = await without_waiting(replies(bot, past))
    assert bot.line.asked == match.frames[0].decisions
    assert [reply.is_same for reply in found if isinstance(reply, Reply)] == [
        asked.action == asked.decision.legal_actions[0] for asked in past.asked
    ]


async def test_it_ends_after_the_last_decision_that_was_wanted() -> None:
    past = past_of(played("xeri").record, 1)
    bot = as_recorded(past)
    assert len(await without_waiting(replies(bot, past, 3))) == 3
    assert len(bot.line.asked) == 3
    [end] = bot.line.ends
    assert (end.match_id, end.reason) == (past.start.match_id, "abandoned")


async def test_an_illegal_answer_is_a_fault_and_the_match_goes_on() -> None:
    past = past_of(played("xeri").record, 0)
    third = past.asked[2].decision.number
    bot = ScriptedBot(at(third, lambda line, q: line.reply(q.decision, 999, note="hm")))
    found = await without_waiting(replies(bot, past))
    assert len(found) == len(past.asked)
    reply = found[2]
    assert isinstance(reply, Reply)
    assert (reply.fault, reply.action, reply.note) == (FaultKind.ILLEGAL_ACTION, None, "hm")
    assert not reply.is_same
    assert not reply.is_last


async def test_a_lost_bot_is_not_asked_any_further() -> None:
    past = past_of(played("xeri").record, 0)
    found = await without_waiting(
        replies(ScriptedBot(at(past.asked[2].decision.number, crash)), past)
    )
    last = found[-1]
    assert isinstance(last, Reply)
    assert (len(found), last.fault, last.sentence, last.words) == (
        3,
        FaultKind.CRASHED,
        "It ended.",
        "boom",
    )
    assert last.is_last


def silent(line: ScriptedChannel, question: PendingDecision) -> None:
    """Does not answer."""


async def test_the_clock_of_the_match_applies() -> None:
    past = past_of(played("xeri").record, 0)
    decision = past.asked[1].decision
    found = await without_waiting(replies(ScriptedBot(at(decision.number, silent)), past))
    last = found[-1]
    assert isinstance(last, Reply)
    assert (len(found), last.fault) == (2, FaultKind.TIMEOUT)
    assert str(decision.time_left_ms) in last.sentence


async def test_without_a_clock_no_time_runs_out(clock: StoppedClock) -> None:
    past = past_of(played("xeri").record, 0)

    def late(line: ScriptedChannel, question: PendingDecision) -> None:
        clock.stall(100_000)
        answer(line, question)

    assert len(await replies(ScriptedBot(late), past, timed=False)) == len(past.asked)
    found = await replies(ScriptedBot(late), past)
    assert [reply.fault for reply in found if isinstance(reply, Reply)] == [FaultKind.TIMEOUT]


async def test_a_fault_that_happens_again_is_the_same() -> None:
    record = played("xeri", faulty=(0,)).record
    [fault] = record.faults
    past = past_of(record, 0)
    assert past.asked[-1].fault == fault
    again = BotLost(FaultKind(fault.kind), "It was at fault again.")
    bot = ScriptedBot(at(fault.decision, lambda line, _: line.later(line.lose, again)))
    last = (await without_waiting(replies(bot, past)))[-1]
    assert isinstance(last, Reply)
    assert last.is_same
    mended = (await without_waiting(replies(as_recorded(past), past)))[-1]
    assert isinstance(mended, Reply)
    assert not mended.is_same


async def test_a_bot_that_does_not_accept_is_named() -> None:
    past = past_of(played("xeri").record, 0)
    with pytest.raises(NotStarted, match="did not accept the match within 20 seconds"):
        await without_waiting(replies(ScriptedBot(nonce=None), past))


async def test_a_program_that_comes_back_is_asked_from_the_beginning() -> None:
    past = past_of(played("xeri").record, 0)
    second = past.asked[1].decision.number
    returned = False

    def once(line: ScriptedChannel, question: PendingDecision) -> None:
        nonlocal returned
        if returned:
            answer(line, question)
        else:
            returned = True
            line.later(line.come_back)

    bot = ScriptedBot(at(second, once))
    found = await without_waiting(replies(bot, past, timed=False))
    assert isinstance(found[1], Restarted)
    places = [reply.asked.place for reply in found if isinstance(reply, Reply)]
    assert places == [past.asked[0].place, *(asked.place for asked in past.asked)]
    assert bot.line.starts == [past.start, past.start]


def test_a_record_of_other_rules_is_refused() -> None:
    other = MatchRecord()
    other.CopyFrom(played("xeri").record)
    other.rules_version += 1
    with pytest.raises(BadRecord, match="this arena has version"):
        past_of(other, 0)
