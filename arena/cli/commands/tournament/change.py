"""`arena tournament create|enter|leave|check-in|start|draw|replay|pause|cancel`: changes
tournaments."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.arguments import BotsToEnter, GameArgument, TournamentArgument
from arena.cli.asking import Answer, AskedArena, asked_arena, asks_arena
from arena.cli.commands.entering import entrants_of
from arena.cli.commands.tournament.run import run_tournament
from arena.cli.options import (
    DEFAULT_DATA,
    WORKERS,
    BankOption,
    DataOption,
    IncrementOption,
    RedisOption,
    SandboxOption,
    ServerOption,
    SetOption,
    WorkersOption,
    chosen_sandbox,
    parsed_options,
)
from arena.cli.output import stderr
from arena.errors import Exit
from arena.hosting import Plan
from arena.moment import minute
from arena.operations.competitions import tournaments as operations
from arena.operations.competitions.tournaments import (
    change_tournament,
    create_tournament,
    draw_tournament,
    enter_tournament,
    leave_tournament,
    read_tournament,
    replay_table,
)
from arena.operations.requested_terms import BANK_MS, INCREMENT_MS
from arena.store.schema import CompetitionState, Format, Partners
from arena.tournament import FORMATS, PAIRINGS, TIE_BREAKS, TournamentTerms
from arena.views.tournaments.tournament import EnteredVersion, EnteredVersions
from sevens_games import load, text_of

USUAL = TournamentTerms()

Entrants = Annotated[
    list[str],
    typer.Argument(metavar="BOT...", help="Names of bots.", autocompletion=completion.bots),
]


@asks_arena
def create(
    arena: AskedArena,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")],
    slug: GameArgument,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="Bots to enter, the best first: folders, .py files, image:REF, or names of "
            "bots in the arena.",
            autocompletion=completion.runnable_bots,
        ),
    ] = None,
    format: Annotated[
        str, typer.Option(help=f"Format of the pairings: {', '.join(FORMATS)}.")
    ] = USUAL.format,
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds to play. 0: derived from format and field.")
    ] = USUAL.rounds,
    groups: Annotated[
        int, typer.Option(min=1, help="Groups of matches at a table, each with its own deals.")
    ] = USUAL.groups,
    pairing: Annotated[
        str,
        typer.Option(
            help="Pairing of a Swiss, by the arena's published cost or by the FIDE Dutch "
            f"system: {', '.join(PAIRINGS)}."
        ),
    ] = USUAL.pairing,
    tie_breaks: Annotated[
        str,
        typer.Option(
            help=f"Tie-breaks, the most important first: some of {', '.join(TIE_BREAKS)}."
            " [default: all but score-sum and board-points]"
        ),
    ] = "",
    by_boards: Annotated[
        bool,
        typer.Option(
            "--by-boards",
            help="Let boards decide a table: who has the better score in more groups. Ties are then"
            " broken by board points first, unless --tie-breaks says otherwise.",
        ),
    ] = USUAL.by_boards,
    third_place: Annotated[
        bool,
        typer.Option(
            "--third-place",
            help="In a single elimination: let the losers of the semi-finals play for it.",
        ),
    ] = False,
    pools: Annotated[
        int,
        typer.Option(
            min=0,
            help="Before an elimination: let pools of at most so many entrants play round robins.",
        ),
    ] = USUAL.pool_size,
    advance: Annotated[
        int, typer.Option(min=1, help="Entrants of each pool that go on.")
    ] = USUAL.advance,
    seed_from: Annotated[
        str,
        typer.Option(
            metavar="LADDER",
            help="Seed the field by its places on this ladder at the start, then as entered.",
            autocompletion=completion.ladders,
        ),
    ] = USUAL.seed_from,
    seed_by_lot: Annotated[
        bool, typer.Option("--seed-by-lot", help="Seed the field by lots that follow as deals do.")
    ] = USUAL.seed_by_lot,
    beacon: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Let deals and lots follow also from a public value that nobody can know yet, "
            "such as 'drand quicknet, round 30000000, randomness'.",
        ),
    ] = USUAL.beacon,
    starts_at: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="Let it start by itself, where an arena is served: a time with its zone, such as "
            "2026-07-07T18:00:00+02:00.",
        ),
    ] = "",
    check_in_minutes: Annotated[
        int,
        typer.Option(
            "--check-in",
            metavar="MINUTES",
            min=0,
            help="Leave out entrants whose owners do not check in within so many minutes before "
            "the start. 0: none.",
        ),
    ] = 0,
    seats: Annotated[
        int, typer.Option(min=0, help="Seats of a match. 0: suggested by the game.")
    ] = 0,
    settings: SetOption = None,
    bank_ms: BankOption = BANK_MS,
    increment_ms: IncrementOption = INCREMENT_MS,
    single: Annotated[
        bool, typer.Option("--single", help="Play each deal once instead of in every seating.")
    ] = False,
    own_deals: Annotated[
        bool, typer.Option("--own-deals", help="Give each table of a round its own deals.")
    ] = False,
    partners: Annotated[
        Partners, typer.Option(help="In team games: the partners of a bot.")
    ] = Partners.SAME,
) -> Answer:
    """Create a tournament and enter bots, if any are given.

    Examples:
        arena tournament create cup xeri my-bot other.py third-bot
        arena tournament create cup dingo --format swiss --rounds 5
        arena tournament create cup xeri --format single-elimination --pools 4
    """
    game = load(slug)
    options = {one: text_of(value) for one, value in parsed_options(game, settings).items()}
    usual = (*(("board-points",) if by_boards else ()), *USUAL.tie_breaks)
    breaks = tuple(one.strip() for one in tie_breaks.split(",") if one.strip())
    terms = TournamentTerms(
        format=format,
        rounds=rounds,
        groups=groups,
        tie_breaks=breaks or usual,
        by_boards=by_boards,
        pairing=pairing,
        third_place=third_place,
        pool_size=pools,
        advance=advance,
        seed_from=seed_from,
        seed_by_lot=seed_by_lot,
        beacon=beacon,
    )
    created = arena.ask(
        create_tournament,
        name,
        game.slug,
        terms=terms,
        options=options,
        seats=seats,
        deals=Format.SINGLE if single else Format.DUPLICATE,
        partners=partners,
        common_deals=not own_deals,
        bank_ms=bank_ms,
        increment_ms=increment_ms,
        starts_at=starts_at,
        check_in_minutes=check_in_minutes,
        entrants=entrants_of(arena, slug, bots or ()),
    )
    yield created
    stderr.say(f"Created the tournament {name}.")
    for one in created.entrants:
        _say_entered(name, one)
    if created.starts_at is not None:
        stderr.say(f"It starts by itself at {minute(created.starts_at)}, if an arena is served.")
    else:
        stderr.say(f"Start it: {arena.hint(f'arena tournament start {name}')}")


@asks_arena
def enter(arena: AskedArena, name: TournamentArgument, bots: BotsToEnter) -> Answer:
    """Enter bots into a tournament; their order is that of their seeds.

    A Swiss takes late entries, which play from the next round.

    Examples:
        arena tournament enter cup my-bot other.py
        arena tournament enter cup my-bot --server https://arena.example
    """
    entered = []
    for one in entrants_of(arena, arena.ask(read_tournament, name).game, bots):
        entered.append(arena.ask(enter_tournament, name, one.bot, one.number))
        _say_entered(name, entered[-1])
    yield EnteredVersions(entrants=tuple(entered))


@asks_arena
def leave(arena: AskedArena, name: TournamentArgument, bots: Entrants) -> Answer:
    """Withdraw bots from a tournament: they forfeit unfinished matches.

    Examples:
        arena tournament leave cup my-bot
    """
    left = []
    for bot in bots:
        left.append(arena.ask(leave_tournament, name, bot))
        stderr.say(f"{bot} plays no further matches from round {left[-1].withdrawn_round} on.")
    yield EnteredVersions(entrants=tuple(left))


@asks_arena
def check_in(arena: AskedArena, name: TournamentArgument, bots: Entrants) -> Answer:
    """Check bots in to a tournament that is about to start.

    Examples:
        arena tournament check-in cup my-bot --server https://arena.example
    """
    present = []
    for bot in bots:
        present.append(arena.ask(operations.check_in, name, bot))
        stderr.say(f"{bot} has checked in to the tournament {name}.")
    yield EnteredVersions(entrants=tuple(present))


def start(
    name: TournamentArgument,
    workers: WorkersOption = WORKERS,
    redis: RedisOption = "",
    sandbox: SandboxOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Start or resume a tournament.

    On this machine the command plays it to its end, unless an arena that runs on the data folder
    does. A tournament that was stopped or killed continues where it was. One with a beacon is
    played once `arena tournament draw` has given its value.

    Examples:
        arena tournament start cup --workers 4
        arena tournament start cup --server https://arena.example
    """
    with asked_arena(server, data) as arena:
        box = None if arena.is_running else chosen_sandbox(sandbox, required=True)
        started = arena.ask(change_tournament, name, CompetitionState.RUNNING)
    if started.state is not CompetitionState.RUNNING:
        stderr.say(started.problem)
        stderr.say(f"Give it: {arena.hint(f'arena tournament draw {name} VALUE')}")
        return Exit.DONE
    if box is None:
        stderr.say(f"Started. Watch it: {arena.hint(f'arena tournament show {name}')}")
        return Exit.DONE
    plan = Plan(only=[name], until_over=True, workers=workers, sandbox=box, redis=redis)
    return run_tournament(arena.folder, name, plan)


@asks_arena
def draw(
    arena: AskedArena,
    name: TournamentArgument,
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="The beacon's value, as its source prints it.")
    ],
) -> Answer:
    """Give a tournament the value of its beacon, from which deals and lots follow.

    Examples:
        arena tournament draw cup 5f0c…
    """
    yield arena.ask(draw_tournament, name, value)
    playing = arena.hint(f"arena tournament start {name}")
    stderr.say(f"The deals of {name} are drawn. Play it, unless an arena does: {playing}")


@asks_arena
def replay(
    arena: AskedArena,
    name: TournamentArgument,
    table: Annotated[
        int, typer.Argument(metavar="TABLE", min=1, help="The number of a table of the last round.")
    ],
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for everybody.")],
    group: Annotated[
        int, typer.Option(min=0, help="The number of a group; 0: all that it has played.")
    ] = 0,
) -> Answer:
    """Have a table of the last round play again, with the same deals.

    The matches are void, and the chain says so with the reason.

    Examples:
        arena tournament replay cup 3 --reason "The machine was overloaded."
    """
    void = arena.ask(replay_table, name, table, reason, group)
    yield void
    stderr.say(f"Table {table} plays again. Void are {void.sentence}.")


@asks_arena
def pause(arena: AskedArena, name: TournamentArgument) -> Answer:
    """Pause a tournament: no new matches until it is started again.

    Examples:
        arena tournament pause cup
    """
    yield arena.ask(change_tournament, name, CompetitionState.PAUSED)
    going_on = arena.hint(f"arena tournament start {name}")
    stderr.say(f"The tournament {name} is paused. Resume it: {going_on}")


@asks_arena
def cancel(arena: AskedArena, name: TournamentArgument) -> Answer:
    """Cancel a tournament for good; its matches stay.

    Examples:
        arena tournament cancel cup
    """
    yield arena.ask(change_tournament, name, CompetitionState.CANCELLED)
    stderr.say(f"The tournament {name} is cancelled.")


def _say_entered(name: str, entered: EnteredVersion) -> None:
    first = entered.entered_round
    late = f", and plays from round {first} on" if first > 1 else ""
    stderr.say(f"{entered.bot} is number {entered.number} in the tournament {name}{late}.")
