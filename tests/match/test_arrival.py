"""The first answer to arrive decides, where a game's options say so."""

from __future__ import annotations

import asyncio

from arena.bots.interface import PendingDecision
from arena.match.deal_set import CommittedDeals
from arena.match.play import Played, play_match
from arena.match.terms import Terms
from arena.match.timekeeper import Timekeeper
from arena.records.verification import verify_record
from sevens_games import load
from tests.support.scripted_bots import ScriptedBot, ScriptedChannel, entries


async def contested(contest: str) -> Played:
    """Both seats always reach for the first open cell; seat 1 is the faster one."""

    def slow(line: ScriptedChannel, question: PendingDecision) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(0.002, line.reply, question.decision, 0)

    terms = Terms(
        match_id="m-1",
        game=load("california-speed"),
        options={"contest": contest, "max_layouts": 10},
    )
    bots = entries(ScriptedBot(slow), ScriptedBot())
    return await play_match(terms, bots, CommittedDeals(b"7" * 32), Timekeeper())


async def test_by_the_clock_the_faster_seat_gets_every_cell_that_both_want() -> None:
    record = (await contested("clock")).record
    assert len(record.picks) > 10
    assert set(record.picks) == {1}
    assert verify_record(record).ok


async def test_by_the_coin_arrival_does_not_matter() -> None:
    record = (await contested("coin")).record
    assert set(record.picks) == {0, 1}
    assert verify_record(record).ok


async def test_a_changed_pick_is_found_by_what_follows_from_it() -> None:
    record = (await contested("clock")).record
    record.picks[0] = 0
    assert not verify_record(record).ok
