"""`arena demo`: the whole arena on this machine, with the sample bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.entering import bot_to_enter
from arena.cli.commands.ladder.create import set_up
from arena.cli.commands.ladder.run import run_ladders
from arena.cli.options import DEFAULT_DATA, DataOption, SandboxOption, chosen_sandbox, hint
from arena.cli.output import stderr, stdout
from arena.cli.repository import repository
from arena.client import changing
from arena.errors import CommandError
from arena.games import load, slugs
from arena.games.engine import GameOf
from arena.hosting import Plan
from arena.store import DataFolder, ladders, match_counts

FOR_EVERY_GAME = ("random_bot", "first_bot", "last_bot")
SHORT_TOUR = ("insidious-sevens", "seven-euchre", "xeri")


def demo(
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="SLUG",
            help="Game to play; repeatable.",
            autocompletion=completion.games,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Play every game.")] = False,
    matches: Annotated[
        int, typer.Option(min=1, help="Number of matches to play on each ladder now.")
    ] = 500,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes to start.")] = 2,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Play ladders with the sample bots, on some games or on all.

    Uses the whole arena: Valkey, SQLite, workers, and bots as processes. Run it again to play more
    matches on the same ladders.

    Examples:
        arena demo --game xeri --game dingo   # two ladders, a few minutes
        arena demo --all                      # a ladder of each game
    """
    if every and game:
        raise CommandError("--all plays every game: leave out either --game or --all.", "game")
    games = [load(slug) for slug in (slugs() if every else game or SHORT_TOUR)]
    box = chosen_sandbox(sandbox, required=False)
    folder = DataFolder(data)
    names, played = _ladders(folder, games)
    stderr.print(
        f"Playing {matches} matches on each of {len(names)} ladders with {workers} workers."
    )
    plan = Plan(only=names, until_over=True, matches=played + matches, workers=workers, sandbox=box)
    run_ladders(folder, plan)
    stdout.print(f"All results are in {data}. Have a look:", style="bold")
    for command in ("matches", "log MATCH", "replay MATCH", "verify MATCH", "ratings LADDER"):
        stdout.print(f"  {hint(f'arena {command}', data)}")


def _ladders(folder: DataFolder, games: Sequence[GameOf]) -> tuple[list[str], int]:
    """Returns the names of the ladders, which are created where they do not exist yet, and the
    highest number of matches on any of them."""
    names = {f"demo-{game.slug}": game for game in games}
    with changing(folder, "game") as store:
        with store.reading() as session:
            existing = {ladder.name for ladder in ladders(session)}
        for name in names.keys() - existing:
            game = names[name]
            bots = [bot_to_enter(str(path), game) for path in _sample_bots(game.slug)]
            set_up(store, folder, name, game, bots)
        with store.reading() as session:
            counts = match_counts(session)
            return list(names), max(counts.get(name, 0) for name in names)


def _sample_bots(slug: str) -> list[Path]:
    """Returns the sample bots that play the game."""
    folder = repository() / "sample_bots"
    special = [
        path.parent for path in sorted(folder.glob("*/bot.toml")) if f'"{slug}"' in path.read_text()
    ]
    return [folder / name for name in FOR_EVERY_GAME] + special
