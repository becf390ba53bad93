"""`arena demo`: the whole arena on this machine, with the sample bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import arena
from arena.cli.commands.ladder.create import bot_to_enter, set_up
from arena.cli.commands.ladder.run import run_ladders
from arena.cli.hosting import Plan
from arena.cli.options import DEFAULT_DATA, DataOption, hint
from arena.cli.output import stderr, stdout
from arena.cli.sandboxing import SandboxOption, chosen_sandbox
from arena.client.data_folder import changing
from arena.client.errors import CommandError
from arena.games import load, slugs
from arena.games.engine.game import GameOf
from arena.store.data_folder import DataFolder
from arena.store.matches import match_counts
from arena.store.queries import ladders

FOR_EVERY_GAME = ("random_bot", "first_bot", "last_bot")
SHORT_TOUR = ("insidious-sevens", "seven-euchre", "xeri")


def demo(
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="SLUG", help="A game to play; may be repeated."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Play every game.")] = False,
    matches: Annotated[int, typer.Option(min=1, help="Matches a game to play now.")] = 500,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Plays ladders, on a few games or all: Valkey, SQLite, workers, sample bots as processes.

    Run it again and the ladders go on.
    """
    if every and game:
        raise CommandError("--all plays every game: leave out --game, or --all.", "game")
    games = [load(slug) for slug in (slugs() if every else game or SHORT_TOUR)]
    box = chosen_sandbox(sandbox, required=False)
    folder = DataFolder(data)
    names, played = _ladders(folder, games)
    stderr.print(f"{len(names)} ladders, {matches} matches each, {workers} workers.")
    plan = Plan(ladders=names, matches=played + matches, workers=workers, sandbox=box)
    run_ladders(folder, plan)
    stdout.print(f"Everything is in {data}. Look at it:", style="bold")
    for command in ("matches", "log MATCH", "replay MATCH", "verify MATCH", "ratings LADDER"):
        stdout.print(f"  {hint(f'arena {command}', data)}", markup=False)


def _ladders(folder: DataFolder, games: Sequence[GameOf]) -> tuple[list[str], int]:
    """The names of the games' ladders, set up if they are not there, and the most matches that one
    of them has."""
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
    """The sample bots that play the game."""
    folder = Path(arena.__file__).parent.parent / "sample_bots"
    if not folder.is_dir():
        raise CommandError(f"The sample bots are not in {folder}: run the demo from a checkout.")
    special = [
        path.parent for path in sorted(folder.glob("*/bot.toml")) if f'"{slug}"' in path.read_text()
    ]
    return [folder / name for name in FOR_EVERY_GAME] + special
