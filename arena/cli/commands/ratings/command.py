"""`arena ratings`: the ratings of a ladder."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.commands.ratings.ratings_report import (
    print_calibration,
    print_explanation,
    print_ratings,
)
from arena.cli.commands.ratings.recount import news as recount_news
from arena.cli.options import named_version
from arena.cli.output import stderr
from arena.client.folder_access import changing, reading
from arena.errors import ArenaError, Kind
from arena.league import calibrated_predictions, rebuild, recount
from arena.operations.competitions.ladders import explain_rating, read_ladder
from arena.store.queries import ladder_named
from arena.views.ladders.standing import standings

MOST = 200  # jobs; the server explains no more at once


@asks_arena
def ratings(
    arena: AskedArena,
    ladder: Annotated[
        str,
        typer.Argument(
            metavar="LADDER", help="The ladder's name.", autocompletion=completion.ladders
        ),
    ],
    explain: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="Explain the rating of BOT or BOT@NUMBER instead: the jobs that moved it, "
            "and the expected results.",
            autocompletion=completion.bots,
        ),
    ] = "",
    limit: Annotated[
        int, typer.Option(min=1, max=MOST, help="Number of jobs to list with --explain.")
    ] = 20,
    moved_most: Annotated[
        bool,
        typer.Option(
            "--moved-most", help="With --explain, list the jobs that moved mu most, not the latest."
        ),
    ] = False,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration",
            help="Show instead how well the ratings predicted results, over all jobs.",
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="First recompute the ratings, their fit and all counts from the matches.",
        ),
    ] = False,
) -> Answer:
    """Show the ratings of a ladder.

    The rating is a skill that the bot almost certainly has: mu - 3 sigma. It is updated after each
    job; fit is the mu fitted to all jobs at once, which does not depend on their order.

    Examples:
        arena ratings xeri
        arena ratings xeri --explain my-bot
        arena ratings xeri --server https://arena.example --json
    """
    if explain and calibration:
        raise ArenaError(
            Kind.WRONG_INPUT, "Give --explain or --calibration, not both.", "calibration"
        )
    rebuilt = _rebuild(arena, ladder) if again else ""
    if explain:
        telling = _explained(arena, ladder, explain, limit, moved_most)
    elif calibration:
        telling = _calibrated(arena, ladder)
    else:
        telling = _rated(arena, ladder)
    yield next(telling)
    if rebuilt:
        stderr.say(rebuilt)
    yield from telling


def _explained(arena: AskedArena, ladder: str, who: str, limit: int, moved_most: bool) -> Answer:
    bot, number = named_version(who, "bot")
    found = arena.ask(explain_rating, ladder, bot, number, limit=limit, moved_most=moved_most)
    yield found
    print_explanation(found, arena.hint)


def _calibrated(arena: AskedArena, ladder: str) -> Answer:
    _check_local(arena, "calibration", "reads all jobs, and works on a local data folder")
    with reading(arena.folder.path, "ladder") as session:
        found = calibrated_predictions(session, ladder_named(session, ladder))
    yield found
    print_calibration(found)


def _rated(arena: AskedArena, ladder: str) -> Answer:
    found = arena.ask(read_ladder, ladder)
    yield found
    print_ratings(found)


def _check_local(arena: AskedArena, option: str, why: str) -> None:
    if arena.server:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"--{option} {why}: leave out --server, and give the folder with --data.",
            option,
        )


def _rebuild(arena: AskedArena, ladder: str) -> str:
    """Recomputes the ratings; returns the result in a sentence."""
    _check_local(arena, "rebuild", "works on a local data folder that no arena is using")
    with changing(arena.folder, "ladder") as store:
        changed = rebuild(store, ladder)
        recounted = recount(store, ladder)
        with store.reading() as session:
            names = {
                one.version: f"{one.bot} version {one.number}" for one in standings(session, ladder)
            }
    affected = (names.get(version, version[:12]) for version in changed)
    news = f"changed: {', '.join(affected)}" if changed else "none of them changed"
    return f"The ratings were recomputed from the matches; {news}. {recount_news(recounted)}"
