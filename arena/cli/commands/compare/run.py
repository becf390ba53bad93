"""`arena compare run|resume`: plays a comparison until its verdict, and shows its progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.bots import Isolation
from arena.cli import completion
from arena.cli.arguments import ComparisonArgument
from arena.cli.asking import AskedArena, asked_arena
from arena.cli.commands.compare.public import write_certificate
from arena.cli.commands.compare.show import print_figures, print_plan
from arena.cli.commands.compare.watch import play, wait
from arena.cli.commands.entering import bot_to_enter, is_file, only_here, stored_versions
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
    named_version,
    parsed_options,
)
from arena.cli.output import stderr
from arena.errors import ArenaError, Exit, Kind
from arena.foreign_text import visible
from arena.hosting import Plan
from arena.operations.competitions.comparisons import (
    ComparedVersion,
    change_comparison,
    create_comparison,
    read_comparison,
)
from arena.operations.versions import list_versions
from arena.statistics import PointScale, Verdict
from arena.store.schema import CompetitionState
from arena.views.comparisons.comparison import Comparison
from arena.views.comparisons.plan import Mode
from sevens_games import load, text_of
from sevens_games.engine import GameOf

COMPARED = "A folder, .py file, image:REF, or BOT or BOT@NUMBER of the arena."
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File for the comparison once it is decided. [default: NAME.jsonl.gz]",
    ),
]


def run(
    new: Annotated[
        str,
        typer.Argument(metavar="NEW", help=COMPARED, autocompletion=completion.runnable_bots),
    ],
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="The old version, given in the same way.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    slug: Annotated[
        str,
        typer.Option("--game", "-g", help="The game's slug.", autocompletion=completion.games),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="House bot that fills the other seats; NEW and OLD each play the same deals "
            "against them. Repeatable.",
            autocompletion=completion.runnable_bots,
        ),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            help="House bot at one table with NEW and OLD. Repeatable.",
            autocompletion=completion.runnable_bots,
        ),
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Compare the points of the game instead of ranks.")
    ] = False,
    t0: Annotated[
        float, typer.Option(min=-2, max=2, help="Highest strength that does not count as better.")
    ] = 0.0,
    t1: Annotated[
        float,
        typer.Option(
            min=-2, max=2, help="Strength that counts as better: 0.1 is small, 0.5 large."
        ),
    ] = 0.2,
    alpha: Annotated[
        float, typer.Option(help='Maximum probability of a false "better" verdict.')
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(help='Maximum probability of a false "not better" verdict.')
    ] = 0.05,
    most_groups: Annotated[
        int, typer.Option(min=1, max=20_000, help="Groups after which it ends undecided.")
    ] = 1500,
    name: Annotated[
        str, typer.Option(help="Name of the comparison. [default: derived from the terms]")
    ] = "",
    seats: Annotated[
        int, typer.Option(min=0, help="Seats of a match. 0: the fewest that fit.")
    ] = 0,
    settings: SetOption = None,
    bank_ms: BankOption = 60_000,
    increment_ms: IncrementOption = 200,
    certificate: CertificateOption = None,
    workers: WorkersOption = WORKERS,
    redis: RedisOption = "",
    sandbox: SandboxOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Play two versions of a bot until it is clear which is better.

    They play the same deals in each other's seats, in groups, until the test is decided. Run again
    with the same terms, the command resumes the comparison. The exit code is 0 if NEW is better, 1
    if it is not or the test ends undecided, and 5 if a version keeps failing.

    Examples:
        arena compare ./my-bot my-bot@3 --game xeri
        arena compare ./my-bot my-bot --game dingo --against xeri-fisher --seats 4
        arena compare my-bot@4 my-bot@3 --game xeri --server https://arena.example
    """
    if against and beside:
        raise ArenaError(
            Kind.WRONG_INPUT, "Name house bots with --against or --beside, not with both.", "beside"
        )
    game = load(slug)
    options = {one: text_of(value) for one, value in parsed_options(game, settings).items()}
    with asked_arena(server, data) as arena:
        compared = _versions(arena, [new, old, *(against or beside or ())], game)
        created = arena.ask(
            create_comparison,
            game.slug,
            compared[0],
            compared[1],
            tuple(compared[2:]),
            name=name,
            options=options,
            seats=seats,
            bank_ms=bank_ms,
            increment_ms=increment_ms,
            mode=Mode.REPLACEMENT if against else Mode.HEAD_TO_HEAD,
            scale=PointScale.SCORE if score else PointScale.RANKS,
            t0=t0,
            t1=t1,
            alpha=alpha,
            beta=beta,
            most_groups=most_groups,
        )
        return _go_on(arena, created, Means(workers, redis, sandbox, certificate))


def resume(
    name: ComparisonArgument,
    certificate: CertificateOption = None,
    workers: WorkersOption = WORKERS,
    redis: RedisOption = "",
    sandbox: SandboxOption = None,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> int:
    """Resume a comparison, and watch it until it is decided.

    Examples:
        arena compare resume compare-3fa9c1d2
    """
    with asked_arena(server, data) as arena:
        comparison = arena.ask(read_comparison, name)
        return _go_on(arena, comparison, Means(workers, redis, sandbox, certificate))


@dataclass(frozen=True)
class Means:
    """The workers of a comparison that is played here, and the file of its certificate."""

    workers: int
    redis: str
    sandbox: Isolation | None
    certificate: Path | None

    def plan(self, name: str) -> Plan:
        """Returns the plan to play a comparison here. Raises ArenaError."""
        return Plan(
            only=[name],
            until_over=True,
            workers=self.workers,
            sandbox=chosen_sandbox(self.sandbox, required=True),
            redis=self.redis,
        )


def _versions(arena: AskedArena, references: Sequence[str], game: GameOf) -> list[ComparedVersion]:
    """Returns the versions of references, in order; copies files of this machine into the data
    folder. Raises ArenaError, before anything is copied."""
    files = {one: bot_to_enter(one, game) for one in references if is_file(one)}
    if files and arena.server:
        raise only_here(next(iter(files)), "compare")
    named = {one: _named(one) for one in references if one not in files}
    for version in named.values():
        arena.ask(list_versions, bot=version.bot)
    copied = stored_versions(arena, arena.folder, list(files.values()))
    found = named | {
        reference: ComparedVersion(bot=version.bot, number=version.number)
        for reference, version in zip(files, copied, strict=True)
    }
    return [found[one] for one in references]


def _named(reference: str) -> ComparedVersion:
    """Returns the version that BOT or BOT@NUMBER names. Raises ArenaError."""
    bot, number = named_version(reference, "bot")
    return ComparedVersion(bot=bot, number=number)


def _go_on(arena: AskedArena, comparison: Comparison, means: Means) -> int:
    """Plays a comparison until it is decided, or watches it; prints the outcome."""
    name = comparison.comparison
    if comparison.state is CompetitionState.PAUSED:
        comparison = arena.ask(change_comparison, name, CompetitionState.RUNNING)
    print_plan(comparison)
    if comparison.state is not CompetitionState.RUNNING:
        stderr.say("This comparison was played before. To play another, give it a name (--name).")
    elif arena.is_running:
        if not comparison.running_now:
            stderr.say(
                "The running arena does not play it. Resume it once that arena has stopped:"
                f" {arena.hint(f'arena compare resume {name}')}"
            )
            return Exit.DONE
        stderr.say(
            "Another arena plays it, even if you stop watching:"
            f" {arena.hint(f'arena compare show {name}')}"
        )
        wait(arena, name)
    else:
        play(arena.folder, name, means.plan(name))
    return _ended(arena, name, means)


def _ended(arena: AskedArena, name: str, means: Means) -> int:
    """Prints the figures and, if there is a verdict, writes the certificate."""
    comparison = arena.ask(read_comparison, name)
    print_figures(comparison)
    if comparison.problem:
        stderr.say(visible(comparison.problem))
        failed = comparison.state is CompetitionState.FAILED
        return Exit.BOT_FAILED if failed else Exit.ARENA_FAILED
    if comparison.findings.verdict is Verdict.RUNNING:
        return Exit.ANSWER_IS_NO
    write_certificate(arena, name, means.certificate or Path(f"{name}.jsonl.gz"))
    return Exit.DONE if comparison.findings.verdict is Verdict.BETTER else Exit.ANSWER_IS_NO
