"""`arena demo`: the whole arena on this machine, with the sample bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.entering import bot_to_enter, versions_to_enter
from arena.cli.commands.ladder.run import run_ladders
from arena.cli.commands.serve import serve_arena
from arena.cli.options import (
    DEFAULT_DATA,
    PAGES_ADDRESS,
    DataOption,
    SandboxOption,
    chosen_sandbox,
    hint,
    runtimes_for_bots,
)
from arena.cli.output import stderr, stdout
from arena.client.address import host_and_port
from arena.client.arena import FolderArena
from arena.errors import ArenaError, Kind
from arena.hosting import Pages, Plan
from arena.operations.competitions.ladders import create_ladder, list_ladders
from arena.repository import repository
from arena.server import ServerLimits
from arena.store.data_folder import DataFolder
from arena.web import Settings
from arena.web.http import PagesListener, listening_at
from sevens_games import load, slugs
from sevens_games.engine import GameOf

FOR_EVERY_GAME = ("random_bot", "first_bot", "last_bot")
SEARCHER = "searcher"
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
        int, typer.Option(min=1, help="Number of matches to play on each ladder.")
    ] = 200,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes to start.")] = 2,
    searcher: Annotated[
        bool,
        typer.Option(
            "--searcher",
            help="Enter the bot that searches, too. It takes up to 0.2 s for each decision.",
        ),
    ] = False,
    stay: Annotated[
        bool,
        typer.Option(
            "--open",
            help="After the matches, serve the pages, where guests may play, until stopped.",
        ),
    ] = False,
    web: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="Address of the pages for browsers; port 0 picks a free port."
        ),
    ] = PAGES_ADDRESS,
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Play ladders with the sample bots, on some games or on all.

    Uses the whole arena: Valkey, SQLite, workers, and bots as processes. Run it again to play more
    matches on the same ladders.

    Examples:
        arena demo --open                     # then look, and play, in a browser
        arena demo --game xeri --game dingo   # two ladders, a minute
        arena demo --all                      # a ladder of each game
        arena demo --searcher --matches 50    # with an opponent that searches
    """
    if every and game:
        raise ArenaError(
            Kind.WRONG_INPUT, "--all plays every game: leave out either --game or --all.", "game"
        )
    games = [load(slug) for slug in (slugs() if every else game or SHORT_TOUR)]
    box = chosen_sandbox(sandbox, required=False)
    folder = DataFolder(data)
    general = (*FOR_EVERY_GAME, SEARCHER) if searcher else FOR_EVERY_GAME
    names, played = _ladders(folder, games, general)
    plan = Plan(only=names, until_over=True, matches=played + matches, workers=workers, sandbox=box)
    with ExitStack() as stack:
        # Before the matches, so that an address in use is reported before they are played.
        listener = stack.enter_context(_listening(web)) if stay else None
        stderr.print(
            f"Playing {matches} matches on each of {len(names)} ladders with {workers} workers."
        )
        run_ladders(folder, plan)
        stdout.print(f"All results are in {data}. Have a look:", style="bold")
        for command in ("matches", "log MATCH", "replay MATCH", "verify MATCH", "ratings LADDER"):
            stdout.print(f"  {hint(f'arena {command}', data)}")
        if listener is None:
            stdout.print(f"  {hint('arena serve --guests', data)}   # pages at http://{web}/")
        else:
            _open_to_guests(data, replace(plan, only=None, until_over=False), listener)


@contextmanager
def _listening(address: str) -> Iterator[PagesListener]:
    with listening_at(*host_and_port(address, "web"), "web") as listener:
        yield PagesListener(listener)


def _open_to_guests(data: Path, plan: Plan, listener: PagesListener) -> None:
    """Serves the pages, where guests may play against the bots, until Ctrl-C. The ladders play
    no further matches."""
    stderr.print("Open the pages in a browser, and play against the bots, until Ctrl-C:")
    pages = Pages(listener, data, Settings(guests=True))
    serve_arena(data, plan, runtimes_for_bots(), ServerLimits(), pages, "127.0.0.1:0")


def _ladders(
    folder: DataFolder, games: Sequence[GameOf], general: Sequence[str]
) -> tuple[list[str], int]:
    """Returns the names of the ladders, which are created where they do not exist yet, and the
    highest number of matches on any of them. `general`: the bots of every game."""
    names = {f"demo-{game.slug}": game for game in games}
    arena = FolderArena(folder)
    found = arena.ask(list_ladders).ladders if folder.has_store() else ()
    played = {one.ladder: one.matches for one in found}
    for name in names.keys() - played.keys():
        game = names[name]
        bots = [bot_to_enter(str(path), game) for path in _sample_bots(game.slug, general)]
        entrants = versions_to_enter(arena, folder, bots)
        arena.ask(create_ladder, name, game.slug, entrants=entrants)
    return list(names), max(played.get(name, 0) for name in names)


def _sample_bots(slug: str, general: Sequence[str]) -> list[Path]:
    """Returns the sample bots that play the game."""
    folder = repository() / "sample_bots"
    special = [
        path.parent for path in sorted(folder.glob("*/bot.toml")) if f'"{slug}"' in path.read_text()
    ]
    return [folder / name for name in general] + special
