"""`arena ratings`: the ratings of a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.ratings.ratings_report import (
    print_calibration,
    print_explanation,
    print_ratings,
)
from arena.cli.commands.ratings.recount import news as recount_news
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, named_version
from arena.cli.output import JsonOption, print_view, stderr
from arena.client.arena import arena_at
from arena.client.folder_access import changing, reading
from arena.errors import ArenaError, Kind
from arena.league import calibrated_predictions, rebuild, recount
from arena.operations.competitions.ladders import explain_rating, read_ladder
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.views.ladders.standing import standings

MOST = 200  # jobs; the server explains no more at once


def ratings(
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
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
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
    if again:
        _check_local(server, "rebuild", "works on a local data folder that no arena is using")
        news = _rebuild(data, ladder)
        if not as_json:
            stderr.say(news)
    if explain:
        _explain(ladder, explain, limit, server, data, moved_most=moved_most, as_json=as_json)
    elif calibration:
        _check_local(server, "calibration", "reads all jobs, and works on a local data folder")
        _calibrate(ladder, data, as_json=as_json)
    else:
        _show(ladder, server, data, as_json=as_json)


def _show(ladder: str, server: str, data: Path, *, as_json: bool) -> None:
    with arena_at(server, data) as arena:
        found = arena.ask(read_ladder, ladder)
    if as_json:
        print_view(found)
    else:
        print_ratings(found)


def _explain(
    ladder: str,
    reference: str,
    limit: int,
    server: str,
    data: Path,
    *,
    moved_most: bool,
    as_json: bool,
) -> None:
    bot, number = named_version(reference, "bot")
    with arena_at(server, data) as arena:
        found = arena.ask(explain_rating, ladder, bot, number, limit=limit, moved_most=moved_most)
    if as_json:
        print_view(found)
    else:
        print_explanation(found, data, server)


def _calibrate(ladder: str, data: Path, *, as_json: bool) -> None:
    with reading(data, "ladder") as session:
        found = calibrated_predictions(session, ladder_named(session, ladder))
    if as_json:
        print_view(found)
    else:
        print_calibration(found)


def _check_local(server: str, option: str, why: str) -> None:
    if server:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"--{option} {why}: leave out --server, and give the folder with --data.",
            option,
        )


def _rebuild(data: Path, ladder: str) -> str:
    """Recomputes the ratings; returns the result in a sentence."""
    with changing(DataFolder(data), "ladder") as store:
        changed = rebuild(store, ladder)
        recounted = recount(store, ladder)
        with store.reading() as session:
            names = {
                one.version: f"{one.bot} version {one.number}" for one in standings(session, ladder)
            }
    affected = (names.get(version, version[:12]) for version in changed)
    news = f"changed: {', '.join(affected)}" if changed else "none of them changed"
    return f"The ratings were recomputed from the matches; {news}. {recount_news(recounted)}"
