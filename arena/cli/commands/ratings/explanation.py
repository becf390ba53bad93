"""`arena ratings --explain`: the jobs that moved a rating, and the results expected before them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from arena.cli.options import hint
from arena.cli.output import print_json, stdout, table
from arena.client import Arena
from arena.foreign_text import visible
from arena.store.matches import short_name
from sevens.league.v1.ladder_pb2 import (
    ExplainedJob,
    ExplainRatingRequest,
    ExplainRatingResponse,
    Meeting,
    OpponentRecord,
)

AGAINST = ("against", "jobs", "matches", "expected", "points", "difference")
JOBS = ("match", "against", "expected", "points", "mu", "rating")
NAMES = 28  # characters of a line of opponents, so that a row fits into 80 columns
NOTABLE = 0.05  # points; a smaller difference shows as 0.0


def explained(
    arena: Arena, ladder: str, bot: str, number: int, *, limit: int, moved_most: bool
) -> ExplainRatingResponse:
    """Asks for the explanation of a rating. Raises ArenaError."""
    request = ExplainRatingRequest(
        ladder=ladder, bot=bot, number=number, limit=limit, moved_most=moved_most
    )
    found: ExplainRatingResponse = arena.call("ExplainRating", request)
    return found


def print_explanation(
    found: ExplainRatingResponse, ladder: str, bot: str, data: Path, server: str
) -> None:
    """Prints an explanation for people: first by opponent, then by job."""
    name = f"{bot} version {found.number} on {ladder}"
    if not found.rated_jobs:
        stdout.say(f"{name} has no rated match yet.")
        return
    stdout.say(
        f"{name}: rating {found.rating:.2f} (mu {found.mu:.2f}, sigma {found.sigma:.2f}), rated"
        f" jobs: {found.rated_jobs}"
    )
    stdout.say("points: 1 for a win, 0.5 for a tie; expected by the ratings before each job")
    stdout.print()
    opponents = sorted(found.opponents, key=lambda one: (_difference(one), one.bot))
    stdout.print(table(AGAINST, [_opponent_row(one) for one in opponents]))
    for sentence in _surprises(opponents):
        stdout.say(sentence)
    stdout.print()
    stdout.print(table(JOBS, [_job_row(job) for job in found.jobs]))
    match = short_name(found.jobs[0].change.matches[0].match)
    stdout.say(f"read one: {hint(f'arena log {match}', data, server)}", style="dim")


def print_explanation_document(found: ExplainRatingResponse, ladder: str, bot: str) -> None:
    """Prints an explanation as JSON."""
    print_json(
        {
            "ladder": ladder,
            "bot": bot,
            "number": found.number,
            "version": found.version,
            "mu": found.mu,
            "sigma": found.sigma,
            "rating": found.rating,
            "rated_jobs": found.rated_jobs,
            "opponents": [
                {
                    "bot": one.bot,
                    "jobs": one.jobs,
                    "matches": one.matches,
                    "expected": one.expected,
                    "points": one.actual,
                    "difference": _difference(one),
                }
                for one in found.opponents
            ],
            "jobs": [_job(job) for job in found.jobs],
        }
    )


def _surprises(opponents: Sequence[OpponentRecord]) -> list[str]:
    """Yields the opponents against whom the version did worst and best, compared with the
    expectation.
    `opponents`: the worst first."""
    ends = (("worse", opponents[0]), ("better", opponents[-1]))
    signs = {"worse": -1, "better": 1}
    return [
        f"{word} than expected against {one.bot}: {one.actual:.1f} points, not {one.expected:.1f}"
        for word, one in ends
        if signs[word] * _difference(one) >= NOTABLE
    ]


def _opponent_row(one: OpponentRecord) -> tuple[object, ...]:
    difference = f"{_difference(one):+.1f}"
    points = (f"{one.expected:.1f}", f"{one.actual:.1f}", difference)
    return (one.bot, one.jobs, one.matches, *points)


def _job_row(explained: ExplainedJob) -> tuple[object, ...]:
    change = explained.change
    first, *others = change.matches
    more = f" +{len(others)}" if others else ""
    return (
        f"{short_name(first.match)}{more}",
        _opponents(explained),
        explained.expected,
        explained.actual,
        f"{change.mu_before:.2f} → {change.mu:.2f}",
        f"{change.rating - (change.mu_before - 3 * change.sigma_before):+.2f}",
    )


def _opponents(explained: ExplainedJob) -> Text:
    """Returns partners, and opponents with their ratings, in lines that break between two bots."""
    ratings = [f"{visible(one.bot)} ({one.rating:.1f})" for one in explained.meetings]
    partners = " and ".join(map(visible, explained.partners))
    text = f"{f'with {partners}: ' if partners else ''}{', '.join(ratings)}"
    return Text("\n".join(textwrap.wrap(text, NAMES, break_on_hyphens=False)))


def _job(explained: ExplainedJob) -> dict[str, Any]:
    change = explained.change
    return {
        "sequence": change.sequence,
        "matches": [match.match for match in change.matches],
        "finished_at": change.matches[-1].finished_at.ToJsonString(),
        "partners": list(explained.partners),
        "opponents": [_meeting(one) for one in explained.meetings],
        "expected": explained.expected,
        "points": explained.actual,
        "before": {"mu": change.mu_before, "sigma": change.sigma_before},
        "after": {"mu": change.mu, "sigma": change.sigma},
        "rating": change.rating,
    }


def _meeting(one: Meeting) -> dict[str, Any]:
    return {
        "bot": one.bot,
        "number": one.number,
        "version": one.version,
        "before": {"mu": one.mu, "sigma": one.sigma},
        "rating": one.rating,
        "win": one.win,
        "tie": one.tie,
        "loss": one.loss,
        "points": one.points,
    }


def _difference(one: OpponentRecord) -> float:
    return one.actual - one.expected
