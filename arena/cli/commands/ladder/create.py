"""`arena ladder create|run`: creates a ladder, and runs ladders."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.arguments import GameArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.entering import entrants_of
from arena.cli.options import (
    DEFAULT_DATA,
    WORKERS,
    BankOption,
    DataOption,
    IncrementOption,
    RedisOption,
    SandboxOption,
    SetOption,
    WorkersOption,
    chosen_sandbox,
    parsed_options,
)
from arena.cli.output import stderr
from arena.client.folder_access import reading
from arena.errors import ArenaError, Exit, Kind
from arena.league import LAST_MATCHES, obstacle
from arena.operations.competitions.ladders import create_ladder
from arena.operations.requested_terms import BANK_MS, INCREMENT_MS
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.schema import FAULT_QUOTA, LONGEST_LIVE_DELAY_S, Format, Partners
from sevens_games import load, text_of

LiveDelayOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=LONGEST_LIVE_DELAY_S,
        help="Delay, in seconds, before visitors see a match in play. [default: the arena's]",
    ),
]


@asks_arena
def create(
    arena: AskedArena,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The ladder's name.")],
    slug: GameArgument,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="Bots to enter: folders, .py files, image:REF, or names of bots in the arena.",
            autocompletion=completion.runnable_bots,
        ),
    ] = None,
    seats: Annotated[
        int, typer.Option(min=0, help="Seats of a match. 0: suggested by the game.")
    ] = 0,
    settings: SetOption = None,
    bank_ms: BankOption = BANK_MS,
    increment_ms: IncrementOption = INCREMENT_MS,
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
    newest_only: Annotated[
        bool,
        typer.Option(
            "--newest-only/--all-versions",
            help="Let a version take the place of the bot's others, or play next to them.",
        ),
    ] = True,
    live_delay: LiveDelayOption = None,
) -> Answer:
    """Create a ladder and enter bots, if any are given.

    The files of the bots are copied into the data folder. An arena that runs there plays the ladder
    at once.

    Examples:
        arena ladder create xeri xeri my-bot
        arena ladder create euchre seven-euchre --seats 4 --duplicate
    """
    game = load(slug)
    options = {one: text_of(value) for one, value in parsed_options(game, settings).items()}
    yield arena.ask(
        create_ladder,
        name,
        game.slug,
        options=options,
        seats=seats,
        deals=Format.DUPLICATE if duplicate else Format.SINGLE,
        partners=partners,
        draw_probability=draw_probability,
        fault_quota=fault_quota,
        newest_only=newest_only,
        live_delay_s=live_delay,
        bank_ms=bank_ms,
        increment_ms=increment_ms,
        entrants=entrants_of(arena, slug, bots or ()),
    )
    if arena.is_running:
        stderr.say(f"Created the ladder {name}. The arena that runs plays it.")
        return
    run_it = arena.hint("arena serve")
    if bots:
        play_now = arena.hint(f"arena ladder run {name} --matches 200")
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
    workers: WorkersOption = WORKERS,
    redis: RedisOption = "",
    sandbox: SandboxOption = None,
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Play ladders with workers on this machine, until stopped or done.

    Examples:
        arena ladder run xeri --matches 100
        arena ladder run xeri dingo --workers 4   # until Ctrl-C
    """
    from arena.cli.commands.ladder.run import run_ladders  # which takes long to load
    from arena.hosting import Plan

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
