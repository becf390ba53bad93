"""`arena ladder create|run`: creates a ladder, and runs ladders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from arena.bots.source import Runnable
from arena.cli import completion
from arena.cli.commands.entering import bot_to_enter, check_different, enter_bots
from arena.cli.commands.ladder.run import run_ladders
from arena.cli.options import (
    DEFAULT_DATA,
    BankOption,
    DataOption,
    IncrementOption,
    SandboxOption,
    SetOption,
    chosen_sandbox,
    hint,
    parsed_options,
)
from arena.cli.output import stderr
from arena.client.folder_access import changing, reading
from arena.errors import ArenaError, Exit, Kind
from arena.games import load
from arena.games.engine import GameOf
from arena.hosting import Plan
from arena.league import LAST_MATCHES, create_ladder, enter, obstacle
from arena.queue import Clock
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.schema import FAULT_QUOTA, Format, Partners
from arena.store.session import Store


def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The ladder's name.")],
    slug: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game's slug.", autocompletion=completion.games),
    ],
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="Bots to enter: folders, .py files or image:REF.",
            autocompletion=completion.runnable_bots,
        ),
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Seats of a match. [default: suggested by the game]")
    ] = None,
    settings: SetOption = None,
    bank_ms: BankOption = 60_000,
    increment_ms: IncrementOption = 200,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal in every seating.")
    ] = False,
    partners: Annotated[
        Partners | None, typer.Option(help="In team games: the partners of a bot.")
    ] = None,
    draw_probability: Annotated[
        float | None,
        typer.Option(
            help="Probability of a draw between equal bots, 0.005 to 0.9. [default: measured "
            "between random bots]"
        ),
    ] = None,
    fault_quota: Annotated[
        int,
        typer.Option(
            help=f"Faulted matches allowed among a bot's last {LAST_MATCHES}; more suspend it."
        ),
    ] = FAULT_QUOTA,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Create a ladder and enter bots, if any are given.

    The files of the bots are copied into the data folder.

    Examples:
        arena ladder create xeri xeri my-bot
        arena ladder create euchre seven-euchre --seats 4 --duplicate
    """
    game = load(slug)
    entrants = [bot_to_enter(reference, game) for reference in bots or ()]
    folder = DataFolder(data)
    with changing(folder, "name") as store:
        set_up(
            store,
            folder,
            name,
            game,
            entrants,
            seats=seats,
            options=parsed_options(game, settings),
            clock=Clock(bank_ms=bank_ms, increment_ms=increment_ms),
            format=Format.DUPLICATE if duplicate else Format.SINGLE,
            partners=partners,
            draw_probability=draw_probability,
            fault_quota=fault_quota,
        )
    run_it = hint("arena serve", data)
    if entrants:
        play_now = hint(f"arena ladder run {name} --matches 200", data)
        run_it = f"{play_now} (or {run_it}, to accept more bots)"
    stderr.say(f"Created the ladder {name}. Run it: {run_it}")


def run(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...", help="The ladders to run.", autocompletion=completion.ladders
        ),
    ],
    matches: Annotated[
        int | None,
        typer.Option(min=1, help="Stop when each ladder has this many matches in total."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Worker processes. 0: start none; use `arena worker`.")
    ] = os.cpu_count() or 1,
    redis: Annotated[str, typer.Option(help="Use this Redis instead of the embedded Valkey.")] = "",
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Play ladders with workers on this machine, until stopped or done.

    Examples:
        arena ladder run xeri --matches 100
        arena ladder run xeri dingo --workers 4   # until Ctrl-C
    """
    box = chosen_sandbox(sandbox, required=True)
    with reading(data, "name") as session:
        for name in names:
            why_not = obstacle(session, ladder_named(session, name))
            if why_not:
                raise ArenaError(Kind.WRONG_INPUT, why_not, "name")
    run_ladders(
        DataFolder(data),
        Plan(
            only=names,
            until_over=matches is not None,
            matches=matches,
            workers=workers,
            sandbox=box,
            redis=redis,
        ),
    )
    return Exit.DONE


def set_up(
    store: Store,
    folder: DataFolder,
    name: str,
    game: GameOf,
    bots: Sequence[Runnable],
    **terms: Any,
) -> None:
    """Creates a ladder and enters the bots. In team games a bot is its own partner unless
    `partners` says otherwise. Raises ArenaError."""
    teams = game.teams(terms.get("seats") or game.ladder_players)
    if terms.get("partners") is None:
        terms["partners"] = Partners.SAME if len(set(teams)) < len(teams) else Partners.ANY
    fewest = len(set(teams)) if terms["partners"] is Partners.SAME else len(teams)
    check_different(bots)
    if 0 < len(bots) < fewest:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A ladder in {game.title} with {len(teams)} seats needs at least {fewest} bots, not"
            f" {len(bots)}. Give more bots, or none and enter them later.",
            "bot",
        )
    ladder = create_ladder(store, name, game.slug, **terms)
    enter_bots(store, folder, bots, lambda session, version: enter(session, ladder, version.digest))
