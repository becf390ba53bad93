"""The table of a ladder's ratings, for people and for programs."""

from __future__ import annotations

from typing import Any

from arena.cli.output import stdout, table
from arena.server import STANDING_STATES
from sevens.league.v1.ladder_pb2 import Fit, ReadLadderResponse, Standing

STATE_NAMES = {number: state for state, number in STANDING_STATES.items()}
COLUMNS = ("place", "bot", "version", "rating", "mu", "sigma", "fit", "matches", "faults", "state")


def print_ratings(found: ReadLadderResponse) -> None:
    """Prints the ratings of a ladder; their fit, if there is one, is a column of its own."""
    columns = [column for column in COLUMNS if column != "fit" or found.fitted_jobs]
    rows = [[_values(standing)[column] for column in columns] for standing in found.standings]
    ladder = found.ladder
    title = f"{ladder.name}: {ladder.game}, {ladder.seats} seats"
    stdout.print(table(columns, rows, title=title))
    if found.fitted_jobs:
        stdout.say(f"fitted after job {found.fitted_jobs} of {found.rated_jobs}", style="dim")


def ratings_document(found: ReadLadderResponse) -> dict[str, Any]:
    """Returns the ratings of a ladder as --json prints them."""
    return {
        "ladder": found.ladder.name,
        "game": found.ladder.game,
        "rules_version": found.ladder.rules_version,
        "rated_jobs": found.rated_jobs,
        "fitted_jobs": found.fitted_jobs or None,
        "ratings": [
            {
                "place": standing.place,
                "bot": standing.bot,
                "version": standing.version,
                "owner": standing.owner,
                "mu": standing.mu,
                "sigma": standing.sigma,
                "rating": standing.rating,
                "fit": _fit(standing.fit) if standing.HasField("fit") else None,
                "matches": standing.matches,
                "faults": standing.faults,
                "state": STATE_NAMES[standing.state],
            }
            for standing in found.standings
        ],
    }


def _values(standing: Standing) -> dict[str, object]:
    """Returns the value of each column."""
    return {
        "place": standing.place,
        "bot": standing.bot,
        "version": standing.number,
        "rating": standing.rating,
        "mu": standing.mu,
        "sigma": standing.sigma,
        "fit": standing.fit.mu if standing.HasField("fit") else "",
        "matches": standing.matches,
        "faults": standing.faults,
        "state": STATE_NAMES[standing.state],
    }


def _fit(fit: Fit) -> dict[str, float]:
    return {"mu": fit.mu, "sigma": fit.sigma, "rating": fit.rating}
