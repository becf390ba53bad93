"""Races at the referee: seats that do not interact play at their own pace, unseen by others."""

from __future__ import annotations

from arena.bots.interface import BotLost, PendingDecision
from arena.match.deal_set import SeededSet
from arena.match.play import Played
from arena.match.terms import Terms
from arena.protocol.faults import FaultKind
from sevens_games import load
from tests.support.scripted_bots import (
    Script,
    ScriptedBot,
    ScriptedChannel,
    answer,
    at,
    kinds,
    played_to_its_end,
)

DEAL = "race"  # with a move at the start, so that every seat is asked


async def raced(*bots: ScriptedBot) -> Played:
    """Returns a match on that deal."""
    terms = Terms(
        match_id="m-1",
        game=load("forty-thieves"),
        options={},
        bank_ms=60_000,
        increment_ms=0,
    )
    return await played_to_its_end(terms, SeededSet(DEAL), *bots)


def last(line: ScriptedChannel, question: PendingDecision) -> None:
    """Answers with the last legal action: draws the whole stock, and stops."""
    line.later(line.reply, question.decision, len(question.decision.legal_actions) - 1)


def crash(line: ScriptedChannel, _: PendingDecision) -> None:
    line.later(line.lose, BotLost(FaultKind.CRASHED, "It crashed."))


async def test_no_seat_waits_for_another() -> None:
    """One seat makes its first choice after the others have received their last decision."""

    def when_the_others_stop(line: ScriptedChannel, question: PendingDecision) -> None:
        latest = [bot.line.asked[-1].legal_actions for bot in others if bot.line.asked]
        if len(latest) == 2 and all("stop" in legal for legal in latest):
            last(line, question)
        else:
            line.later(when_the_others_stop, line, question)

    others = [ScriptedBot(last), ScriptedBot(last)]
    result = await raced(ScriptedBot(when_the_others_stop), *others)
    assert not result.faults
    seats = [choice.seat for choice in result.record.choices]
    assert seats.index(0) > max(seats.index(1), seats.index(2)) + 100
    assert list(result.record.result.ranks) == [1, 1, 1]


async def test_nothing_that_a_seat_is_sent_depends_on_the_others() -> None:
    """Neither on their actions, nor on when they finish, nor on whether one failed."""
    sent: list[list[bytes]] = []
    scripts: list[Script] = [answer, last, at(3, crash)]
    for script in scripts:
        bot = ScriptedBot(last)
        await raced(bot, ScriptedBot(script))
        for decision in bot.line.asked:
            decision.time_left_ms = 0
        sent.append([decision.SerializeToString() for decision in bot.line.asked])
    assert len(sent[0]) > 10
    assert sent[0] == sent[1] == sent[2]


async def test_a_seat_at_fault_is_played_to_its_end_at_once_and_the_others_go_on() -> None:
    bots = [ScriptedBot(last), ScriptedBot(at(1, crash)), ScriptedBot(last)]
    result = await raced(*bots)
    assert kinds(result) == [(1, FaultKind.CRASHED, 1)]
    assert list(result.record.result.ranks) == [1, 3, 1]
    seats = [choice.seat for choice in result.record.choices]
    own = [place for place, seat in enumerate(seats) if seat == 1]
    assert own == list(range(own[0], own[0] + len(own)))
    assert len(own) > 64
    assert own[-1] < len(seats) - 64
