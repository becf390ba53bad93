"""`arena bot check`: checks that a bot follows the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from arena import stopping
from arena.bots import Host
from arena.bots.source import Builtin, Runnable, check_plays
from arena.cli import completion
from arena.cli.commands.bot.check_report import BotReport
from arena.cli.options import (
    SandboxOption,
    chosen_sandbox,
    found_bot,
    runtimes_for_bots,
)
from arena.cli.output import JsonOption
from arena.conformance import Patience, Subject, battery, findings
from arena.errors import ArenaError, Exit, Kind
from arena.match import Timekeeper
from arena.nearest import no_such
from sevens_games import load, slugs
from sevens_games.engine import GameOf

PATIENCE = Patience()


def check(
    reference: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A folder, .py file, image:REF.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game", help="Check only this game; repeatable.", autocompletion=completion.games
        ),
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0.1, help="Time limit for the bot's hello, in seconds.")
    ] = PATIENCE.hello,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="Also play a match of each game, and ask a fresh process every decision again.",
        ),
    ] = False,
    sandbox: SandboxOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check that a bot follows the protocol, and explain each failure.

    Examples:
        arena bot check my-bot                # in every game that it plays
        arena bot check my-bot --game xeri    # in one game
    """
    program = _program(reference)
    games = _games(program, game or ())
    box = chosen_sandbox(sandbox, required=False)
    patience = replace(PATIENCE, hello=grace)
    host = Host(box, patience.hello, runtimes_for_bots())
    report = BotReport(program, as_json=as_json)
    stopping.run(_run(program, games, host, patience, report, deterministic=deterministic))
    report.finish()
    return Exit.DONE if report.passed else Exit.ANSWER_IS_NO


async def _run(
    program: Runnable,
    games: list[GameOf],
    host: Host,
    patience: Patience,
    report: BotReport,
    *,
    deterministic: bool,
) -> None:
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    try:
        async with host:
            subject = Subject(program, games, host, timekeeper, patience)
            async for finding in findings(battery(subject, deterministic=deterministic)):
                report.add(finding)
            await subject.all_left()
            report.exchanges = subject.exchanges
    finally:
        keeping.cancel()


def _program(reference: str) -> Runnable:
    source = found_bot(reference)
    if isinstance(source, Builtin):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{reference} is built into the arena; check a bot's folder, a .py file or image:REF.",
            "bot",
        )
    return source


def _games(program: Runnable, wanted: Sequence[str]) -> list[GameOf]:
    """Returns the games to check: the given ones, or those in the bot's manifest, or all. Raises
    ArenaError."""
    for slug in program.games:
        if slug not in slugs():
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"bot.toml names a wrong game. {no_such('game', slug, slugs())}",
                "bot",
            )
    games = [load(slug) for slug in wanted or program.games or slugs()]
    for game in games:
        check_plays(program.name, program.games, game.slug)
    return games
