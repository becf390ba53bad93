"""Matches of the bot against random players, run by the arena's own referee."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from arena.bots import Bot, InProcessBot, choose_at_random
from arena.bots.local import LocalBot
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Failed
from arena.conformance.samples import BANK_MS, INCREMENT_MS
from arena.conformance.subject import Subject
from arena.conformance.tap import TappedBot
from arena.match import Entry, Played, SeededSet, Terms, play_match
from arena.protocol import Fault
from sevens_games.engine import GameOf


@dataclass(frozen=True)
class PlannedMatch:
    """One match: the game, the number of players, and the bot's seat."""

    match_id: str
    game: GameOf
    players: int
    seat: int


async def play_in_turn(subject: Subject, plans: list[PlannedMatch]) -> list[Played]:
    """Plays matches one after the other with a fresh process. Raises Failed at a fault."""
    played = []
    bot = await subject.fresh_process()
    assert isinstance(bot, LocalBot)  # a program is
    try:
        for plan in plans:
            before = bot.output.written
            played.append(await _play(subject, TappedBot(bot, subject.exchanges), plan))
            subject.most_written = max(subject.most_written, bot.output.written - before)
    finally:
        subject.leave(bot)
    return played


async def play_all(subject: Subject, bot: Bot, plans: list[PlannedMatch], at_once: int) -> None:
    """Plays several matches over one process. Raises Failed at a fault in any of them."""
    room = asyncio.Semaphore(at_once)

    async def one(plan: PlannedMatch) -> None:
        async with room:
            await _play(subject, TappedBot(bot, []), plan)

    tasks = [asyncio.create_task(one(plan)) for plan in plans]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play(subject: Subject, tap: TappedBot, plan: PlannedMatch) -> Played:
    played = await play_match(
        _terms(subject, plan),
        _entries(subject, tap, plan),
        SeededSet(f"check/{plan.match_id}"),
        subject.timekeeper,
    )
    for fault in played.faults:
        if fault.seat == plan.seat:
            raise _failed(fault, tap, plan)
    return played


def _terms(subject: Subject, plan: PlannedMatch) -> Terms:
    return Terms(
        match_id=plan.match_id,
        game=plan.game,
        options={},
        bank_ms=BANK_MS,
        increment_ms=INCREMENT_MS,
        start_grace=subject.patience.hello,
    )


def _entries(subject: Subject, bot: TappedBot, plan: PlannedMatch) -> list[Entry]:
    program = subject.program
    entries = [
        Entry(InProcessBot(choose_at_random), "builtin:random", "", seat)
        for seat in range(plan.players)
    ]
    entries[plan.seat] = Entry(bot, program.name, program.version, plan.seat)
    return entries


def _failed(fault: Fault, tap: TappedBot, plan: PlannedMatch) -> Failed:
    """Describes the fault and the exchange in which it happened."""
    where = f"decision {fault.decision}" if fault.decision else "the start"
    sentence = (
        f"The bot was at fault in {plan.game.slug} with {plan.players} players, at {where}:"
        f" {fault.kind}. {fault.whole}"
    )
    if owed := tap.owed.get(plan.match_id):
        return Failed(sentence, sent=shown_decision(owed), came_back="nothing")
    answered = [e for e in tap.exchanges if e.start.match_id == plan.match_id]
    if not answered:
        return Failed(sentence, sent=f"the start of match {plan.match_id}", came_back="nothing")
    last = answered[-1]
    return Failed(sentence, sent=shown_decision(last.decision), came_back=shown_answer(last.answer))
