"""`arena play`: plays matches at once, and prints a table of results."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

import typer
from rich.progress import Progress

from arena.bots import Host
from arena.bots.source import Source
from arena.cli.commands.play.report import PlayReport
from arena.cli.options import (
    DEFAULT_DATA,
    BankOption,
    DataOption,
    IncrementOption,
    SandboxOption,
    SetOption,
    check_plays,
    chosen_sandbox,
    found_bot,
    parsed_options,
    runtimes_for_bots,
)
from arena.cli.output import JsonOption, stderr
from arena.errors import CommandError, Exit
from arena.games import load
from arena.games.engine import GameOf, OptionValue
from arena.match import Entrant, Series, list_seatings, play_series
from arena.store import DataFolder

MATCHES_AT_ONCE = 64  # offered to each bot process; there are no ratings to protect here
LONGEST_RUN = 200  # bytes of a folder's name, which leaves room for the number of a repeated run


@dataclass(frozen=True)
class Player:
    """A bot that takes a seat.

    `source`: the bot.
    `name`: its name in the results; other versions of the same bot are `bot#2` and so on.
    """

    source: Source
    name: str


def play(
    slug: Annotated[str, typer.Argument(metavar="GAME", help="The game's slug.")],
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="A folder, a .py file, image:REF, builtin:random."),
    ],
    deals: Annotated[int, typer.Option("-n", "--deals", min=1, help="Number of deal sets.")] = 1,
    seed: Annotated[str, typer.Option(help="Repeat the deals of the run with this seed.")] = "",
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every seating of each deal set.")
    ] = False,
    seats: Annotated[
        int | None, typer.Option(help="Number of seats, if one bot per team is given.")
    ] = None,
    settings: SetOption = None,
    bank_ms: BankOption = 60_000,
    increment_ms: IncrementOption = 200,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Play matches between bots and print a table of results.

    Each bot takes a seat. In team games, give one bot per team to let it partner itself.
    """
    game = load(slug)
    players = _players([found_bot(reference) for reference in bots])
    for player in players:
        check_plays(player.source, game)
    seated = _seated(game, players, seats)
    options = parsed_options(game, settings)
    _check_start(game, len(seated), options)
    teams = game.teams(len(seated))
    names = [player.name for player in seated]
    orders = list_seatings(teams, names) if duplicate else (tuple(range(len(names))),)
    if duplicate and len(orders) == 1 < len(set(names)):
        raise CommandError(
            f"With {len(names)} seats the teams of {game.title} differ in size, so bots cannot swap"
            " seats: play without --duplicate, or with another number of seats.",
            "duplicate",
        )
    seed = seed or secrets.token_hex(4)
    run = f"{slug}-{quote(seed, safe='')}"
    if len(run) > LONGEST_RUN:
        raise CommandError(
            "The seed is too long to be part of a folder's name; use a shorter one.", "seed"
        )
    box, runtimes = chosen_sandbox(sandbox, required=False), runtimes_for_bots(data)
    folder = DataFolder(data).new_run(run)
    report = PlayReport(game, options, len(seated), folder, seed)

    async def host() -> None:
        async with Host(box, runtimes=runtimes) as bots:
            entrants = [await _started(player, bots) for player in seated]
            series = Series(
                game=game,
                options=options,
                entrants=entrants,
                seatings=orders,
                count=deals,
                seed=seed,
                bank_ms=bank_ms,
                increment_ms=increment_ms,
            )
            with Progress(console=stderr, transient=True) as progress:
                shown = progress.add_task(game.title, total=series.matches)
                async for played in play_series(series):
                    report.add(played)
                    progress.advance(shown)
        for entrant in entrants:
            report.add_losses(entrant.name, entrant.bot.losses)

    try:
        asyncio.run(host())
    finally:
        report.tidy()
    report.show(as_json=as_json)
    return Exit.ANSWER_IS_NO if report.has_faults else Exit.DONE


async def _started(player: Player, bots: Host) -> Entrant:
    """Starts a process for one entrant; two seats of one version are two processes."""
    bot = await bots.start(player.source, MATCHES_AT_ONCE)
    return Entrant(bot, player.name, player.source.version)


def _players(sources: Sequence[Source]) -> list[Player]:
    """Names the bots: the same version alike, different versions differently."""
    players: list[Player] = []
    for source in sources:
        others = {p.source.version for p in players if p.source.name == source.name}
        same = [p.name for p in players if p.source == source]
        name = source.name if not others else f"{source.name}#{len(others) + 1}"
        players.append(Player(source, same[0] if same else name))
    return players


def _seated(game: GameOf, players: Sequence[Player], seats: int | None) -> Sequence[Player]:
    """Returns the player of each seat, given one per seat or one per team. Raises CommandError."""
    tables = [count for count in game.players if seats in (None, count)]
    if len(players) in tables:
        return players
    for count in tables:
        teams = game.teams(count)
        if len(set(teams)) == len(players) < count:
            return [players[team] for team in teams]
    least, most = min(game.players), max(game.players)
    allowed = str(least) if least == most else f"{least} to {most}"
    given = "1 bot is given" if len(players) == 1 else f"{len(players)} bots are given"
    asked = "" if seats is None else f", but --seats is {seats}"
    raise CommandError(f"{game.title} has {allowed} seats; {given}{asked}.", "bot")


def _check_start(game: GameOf, seats: int, options: Mapping[str, OptionValue]) -> None:
    """Raises CommandError if an option does not suit the number of seats."""
    try:
        game.start(players=seats, options=options)
    except ValueError as error:
        raise CommandError(str(error), "set") from None
