"""Matches of the bot against random players, run by the arena's own referee."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from arena.bots import Bot, InProcessBot, choose_at_random
from arena.bots.local import LocalBot
from arena.conformance.check import Failed
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.samples import BANK_MS, INCREMENT_MS
from arena.conformance.subject import Subject
from arena.conformance.tap import TappedBot
from arena.games.engine import GameOf
from arena.match import Entry, Played, SeededSet, Terms, play_match
from arena.protocol import Fault


@dataclass(frozen=True)
class Table:
    """One match: the game, the number of players, and the bot's seat."""

    match_id: str
    game: GameOf
    players: int
    seat: int


async def play_in_turn(subject: Subject, tables: list[Table]) -> None:
    """Plays matches one after the other with a fresh process. Raises Failed at a fault."""
    bot = await subject.fresh_process()
    assert isinstance(bot, LocalBot)  # a program is
    try:
        for table in tables:
            before = bot.output.written
            await _play(subject, TappedBot(bot, subject.exchanges), table)
            subject.most_written = max(subject.most_written, bot.output.written - before)
    finally:
        subject.leave(bot)


async def play_all(subject: Subject, bot: Bot, tables: list[Table], at_once: int) -> None:
    """Plays several matches over one process. Raises Failed at a fault in any of them."""
    room = asyncio.Semaphore(at_once)

    async def one(table: Table) -> None:
        async with room:
            await _play(subject, TappedBot(bot, []), table)

    tasks = [asyncio.create_task(one(table)) for table in tables]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play(subject: Subject, tap: TappedBot, table: Table) -> Played:
    played = await play_match(
        _terms(subject, table),
        _entries(subject, tap, table),
        SeededSet(f"check/{table.match_id}"),
        subject.timekeeper,
    )
    for fault in played.faults:
        if fault.seat == table.seat:
            raise _failed(fault, tap, table)
    return played


def _terms(subject: Subject, table: Table) -> Terms:
    return Terms(
        match_id=table.match_id,
        game=table.game,
        options={},
        bank_ms=BANK_MS,
        increment_ms=INCREMENT_MS,
        start_grace=subject.patience.hello,
    )


def _entries(subject: Subject, bot: TappedBot, table: Table) -> list[Entry]:
    program = subject.program
    entries = [
        Entry(InProcessBot(choose_at_random), "builtin:random", "", seat)
        for seat in range(table.players)
    ]
    entries[table.seat] = Entry(bot, program.name, program.version, table.seat)
    return entries


def _failed(fault: Fault, tap: TappedBot, table: Table) -> Failed:
    """Describes the fault and the exchange in which it happened."""
    where = f"decision {fault.decision}" if fault.decision else "the start"
    sentence = (
        f"The bot was at fault in {table.game.slug} with {table.players} players, at {where}:"
        f" {fault.kind}. {fault.whole}"
    )
    if owed := tap.owed.get(table.match_id):
        return Failed(sentence, sent=shown_decision(owed), came_back="nothing")
    answered = [e for e in tap.exchanges if e.start.match_id == table.match_id]
    if not answered:
        return Failed(sentence, sent=f"the start of match {table.match_id}", came_back="nothing")
    last = answered[-1]
    return Failed(sentence, sent=shown_decision(last.decision), came_back=shown_answer(last.answer))
