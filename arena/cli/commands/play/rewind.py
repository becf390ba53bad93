"""`arena rewind`: asks a bot again what a seat was asked in a recorded match."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena import stopping
from arena.bots import Bot, Host
from arena.bots.local import LocalBot
from arena.bots.remote import AwaitedBot
from arena.bots.source import Source, check_plays
from arena.cli import completion
from arena.cli.commands.play.awaited import WAIT_FILE, awaited_bot, time_to_attach
from arena.cli.commands.play.rewind_report import RewindReport
from arena.cli.commands.records import MatchArgument, found_match
from arena.cli.options import (
    DEFAULT_DATA,
    DataOption,
    SandboxOption,
    ServerOption,
    chosen_sandbox,
    found_bot,
    runtimes_for_bots,
)
from arena.cli.output import JsonOption
from arena.errors import ArenaError, Exit, Kind
from arena.match import Asked, NotStarted, Past, Rewind, Timekeeper, past_of
from arena.records import check_seat, game_of
from sevens.record.v1.match_record_pb2 import MatchRecord


@dataclass(frozen=True, kw_only=True)
class Plan:
    """`count`: how many decisions the bot is asked. `awaited`: None, or the file to write for a bot
    that the user starts."""

    source: Source
    past: Past
    count: int
    awaited: Path | None


def rewind(
    match: MatchArgument,
    reference: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A folder, a .py file, image:REF.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, help="The bot takes this seat. [default: the one of a bot of its name]"
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(min=1, help="Compare only this decision of the match, as `arena log` counts."),
    ] = None,
    first: Annotated[
        int | None, typer.Option("--from", min=1, help="Compare from this decision of the match.")
    ] = None,
    last: Annotated[
        int | None,
        typer.Option("--to", min=1, help="Compare up to this decision of the match, and end."),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait",
            help="Do not start the bot: wait until you start it, for instance in a debugger. No "
            "time runs out.",
        ),
    ] = False,
    sandbox: SandboxOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Ask a bot again what it was asked in a match.

    Prints the answers that differ, and exits with 1 if there are any. Whatever the bot answers, the
    match goes on as it was played.

    Examples:
        arena rewind 3f2a91c07e-0 my-bot                  # print what differs
        arena rewind 3f2a91c07e-0 my-bot --seat 1 --at 74
        arena rewind 3f2a91c07e-0 my-bot --at 74 --wait   # in a debugger
    """
    if at and (first or last):
        raise ArenaError(Kind.WRONG_INPUT, "Give --at, or --from and --to, not both.", "at")
    found = found_match(match, data, server)
    record = found.record
    source = found_bot(reference)
    check_plays(source.name, source.games, game_of(record).slug)
    seat = _seat(record, source, seat)
    past = past_of(record, seat)
    compared = _compared(past.asked, seat, *((at, at) if at else (first, last)))
    plan = Plan(
        source=source,
        past=past,
        count=past.asked.index(compared[-1]) + 1 if compared else 0,
        awaited=data / WAIT_FILE if wait else None,
    )
    box = chosen_sandbox(sandbox, required=False)
    log = found.private_log.seats[seat] if found.private_log is not None else None
    report = RewindReport(record, seat, source, compared, log, as_json=as_json)
    report.shows_all = bool(at or first or last)
    stopping.run(_rewind(plan, Host(box, runtimes=runtimes_for_bots()), report))
    report.finish()
    return Exit.DONE if report.all_same else Exit.ANSWER_IS_NO


async def _rewind(plan: Plan, host: Host, report: RewindReport) -> None:
    timekeeper = Timekeeper()
    async with AsyncExitStack() as stack:
        bots = await stack.enter_async_context(host)
        keeping = asyncio.create_task(timekeeper.run())
        stack.callback(keeping.cancel)
        bot: Bot
        if plan.awaited is not None:
            bot = await awaited_bot(plan.source.name, plan.awaited, stack)
        else:
            bot = await bots.start(plan.source, matches_at_once=1)
        await bot.ready()
        if isinstance(bot, AwaitedBot):
            await time_to_attach(bot)
        rewind = Rewind(bot, plan.past, timekeeper, timed=plan.awaited is None)
        try:
            async for reply in rewind.replies(plan.count):
                report.add(reply)
        except NotStarted as failed:
            report.loss = failed.loss
        await bot.stop("The match is over.")
        report.output = bot.output.since(0) if isinstance(bot, LocalBot) else ""


def _seat(record: MatchRecord, source: Source, given: int | None) -> int:
    """Returns the seat that was given, or else the one with a bot of that name. Raises
    ArenaError."""
    if given is not None:
        check_seat(given, len(record.seats))
        return given
    named = [seat for seat, who in enumerate(record.seats) if who.bot == source.name]
    if len(named) == 1:
        return named[0]
    seats = ", ".join(f"{seat} {who.bot}" for seat, who in enumerate(record.seats))
    count = "no seat" if not named else f"{len(named)} seats"
    raise ArenaError(
        Kind.WRONG_INPUT,
        f"{source.name} had {count} in the match; name one with --seat: {seats}.",
        "seat",
    )


def _compared(
    asked: Sequence[Asked], seat: int, first: int | None, last: int | None
) -> Sequence[Asked]:
    """Returns the decisions of the match from `first` to `last`. Raises ArenaError if the seat was
    asked none of them, but was to be."""
    begin, end = first or 1, last or sys.maxsize
    found = [one for one in asked if begin <= one.place <= end]
    if found or (first is None and last is None):
        return found
    if begin > end:
        sentence = f"--from is {begin}, which is after --to, {end}."
        raise ArenaError(Kind.WRONG_INPUT, sentence, "from")
    before = [str(one.place) for one in asked if one.place < begin][-1:]
    after = [str(one.place) for one in asked if one.place > end][:1]
    nearest = f"; the nearest: {' and '.join(before + after)}" if before or after else ""
    wanted = f"decision {begin}" if begin == end else "any of these decisions"
    sentence = f"Seat {seat} was not asked {wanted} of the match{nearest}."
    raise ArenaError(Kind.WRONG_INPUT, sentence, "at" if begin == end else "from")
