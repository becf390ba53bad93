"""`arena play`: plays matches at once, and prints a table of results."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated
from urllib.parse import quote

import typer

from arena import stopping
from arena.bots import Host
from arena.bots.source import Source, check_plays
from arena.cli import completion
from arena.cli.arguments import GameArgument
from arena.cli.commands.play.awaited import WAIT_FILE
from arena.cli.commands.play.local_matches import Plan, Player, play_all
from arena.cli.commands.play.report import PlayReport
from arena.cli.commands.play.watch import play_on_changes
from arena.cli.options import (
    DEFAULT_DATA,
    BankOption,
    DataOption,
    IncrementOption,
    SandboxOption,
    SetOption,
    chosen_sandbox,
    found_bot,
    parsed_options,
    runtimes_for_bots,
)
from arena.cli.output import JsonOption
from arena.errors import ArenaError, Exit, Kind
from arena.match import Seating, list_seatings
from arena.store.data_folder import DataFolder
from sevens_games import load
from sevens_games.engine import GameOf, OptionValue

CORES = os.cpu_count() or 1
LONGEST_RUN = 200  # bytes of a folder's name, which leaves room for the number of a repeated run


def play(
    slug: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="A folder, a .py file, image:REF, builtin:random.",
            autocompletion=completion.runnable_bots,
        ),
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
    at_once: Annotated[
        int,
        typer.Option(
            min=1, max=64, help="Number of processes of each bot that play at the same time."
        ),
    ] = CORES,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait",
            help="Do not start the first bot: wait until you start it, for instance in a "
            "debugger. Each clock of the match has 24 hours.",
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Play the same deals again whenever the files of a bot change, until Ctrl-C.",
        ),
    ] = False,
    bank_ms: BankOption = 60_000,
    increment_ms: IncrementOption = 200,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> int:
    """Play matches between bots and print a table of results.

    Each bot takes a seat. In team games, give one bot per team to let it partner itself. Ctrl-C
    prints the table of the matches played so far.

    Examples:
        arena play xeri my-bot builtin:random -n 20
        arena play xeri my-bot builtin:random --wait   # my-bot runs in a debugger
        arena play xeri my-bot builtin:random --watch  # again after each change
        arena play seven-euchre my-bot builtin:random --seats 4 --duplicate
    """
    if watch and (wait or as_json):
        raise ArenaError(
            Kind.WRONG_INPUT, "--watch goes with neither --wait nor --json; leave it out.", "watch"
        )
    game, seed = load(slug), seed or secrets.token_hex(4)
    options = parsed_options(game, settings)
    run = _run_name(slug, seed)

    def play_once() -> int:
        players = _players([found_bot(reference) for reference in bots])
        for player in players:
            check_plays(player.source.name, player.source.games, slug)
        seated = _seated(game, players, seats)
        _check_start(game, len(seated), options)
        seatings = _seatings(game, [player.name for player in seated], duplicate=duplicate)
        box, runtimes = chosen_sandbox(sandbox, required=False), runtimes_for_bots()
        folder = DataFolder(data).new_run(run)
        report = PlayReport(game, options, len(seated), folder, seed)
        plan = Plan(
            game=game,
            options=options,
            seated=seated,
            seatings=seatings,
            deals=deals,
            seed=seed,
            bank_ms=bank_ms,
            increment_ms=increment_ms,
            at_once=at_once,
            awaited=data / WAIT_FILE if wait else None,
        )
        try:
            stopping.run(play_all(plan, Host(box, runtimes=runtimes), report))
        except KeyboardInterrupt:
            report.interrupted = plan.matches
        finally:
            report.tidy()
        report.show(as_json=as_json)
        if report.interrupted:
            return Exit.INTERRUPTED
        return Exit.ANSWER_IS_NO if report.has_faults else Exit.DONE

    return play_on_changes(bots, play_once) if watch else play_once()


def _run_name(slug: str, seed: str) -> str:
    """Returns the name of the folder for the records. Raises ArenaError."""
    run = f"{slug}-{quote(seed, safe='')}"
    if len(run) > LONGEST_RUN:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "The seed is too long to be part of a folder's name; use a shorter one.",
            "seed",
        )
    return run


def _seatings(game: GameOf, names: Sequence[str], *, duplicate: bool) -> Sequence[Seating]:
    """Returns the seatings of each deal set. Raises ArenaError if bots cannot swap seats."""
    if not duplicate:
        return (tuple(range(len(names))),)
    seatings = list_seatings(game.teams(len(names)), names)
    if len(seatings) == 1 < len(set(names)):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"With {len(names)} seats the teams of {game.title} differ in size, so bots cannot swap"
            " seats: play without --duplicate, or with another number of seats.",
            "duplicate",
        )
    return seatings


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
    """Returns the player of each seat, given one per seat or one per team. Raises ArenaError."""
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
    raise ArenaError(Kind.WRONG_INPUT, f"{game.title} has {allowed} seats; {given}{asked}.", "bot")


def _check_start(game: GameOf, seats: int, options: Mapping[str, OptionValue]) -> None:
    """Raises ArenaError if an option does not suit the number of seats."""
    try:
        game.start(players=seats, options=options)
    except ValueError as error:
        raise ArenaError(Kind.WRONG_INPUT, str(error), "set") from None
