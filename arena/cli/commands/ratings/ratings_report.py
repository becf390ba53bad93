"""`arena ratings --explain`: the jobs that moved a rating, and the results expected before them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from rich.text import Text

from arena.cli.output import stdout, table
from arena.foreign_text import visible
from arena.store.match_names import short_name
from arena.views.ladders.calibration import Calibration
from arena.views.ladders.ladder import RatedLadder
from arena.views.ladders.rating_explanation import ExplainedJob, OpponentRecord, RatingExplanation
from arena.views.ladders.standing import Standing

AGAINST = ("against", "jobs", "matches", "expected", "points", "difference")
JOBS = ("match", "against", "expected", "points", "mu", "rating")
NAMES = 28  # characters of a line of opponents, so that a row fits into 80 columns
NOTABLE = 0.05  # points; a smaller difference shows as 0.0


def print_explanation(found: RatingExplanation, hint: Callable[[str], str]) -> None:
    """Prints an explanation for people: first by opponent, then by job."""
    name = f"{found.bot} version {found.number} on {found.ladder}"
    if not found.rated_jobs:
        stdout.say(f"{name} has no rated match yet.")
        return
    stdout.say(
        f"{name}: rating {found.rating:.2f} (mu {found.mu:.2f}, sigma {found.sigma:.2f}), rated"
        f" jobs: {found.rated_jobs}"
    )
    stdout.say("points: 1 for a win, 0.5 for a tie; expected by the ratings before each job")
    stdout.print()
    opponents = sorted(found.opponents, key=lambda one: (one.difference, one.bot))
    stdout.print(table(AGAINST, [_opponent_row(one) for one in opponents]))
    for sentence in _surprises(opponents):
        stdout.say(sentence)
    stdout.print()
    stdout.print(table(JOBS, [_job_row(job) for job in found.jobs]))
    match = short_name(found.jobs[0].matches[0])
    stdout.say(f"read one: {hint(f'arena log {match}')}", style="dim")


def _surprises(opponents: Sequence[OpponentRecord]) -> list[str]:
    """Yields the opponents against whom the version did worst and best, compared with the
    expectation.
    `opponents`: the worst first."""
    ends = (("worse", opponents[0]), ("better", opponents[-1]))
    signs = {"worse": -1, "better": 1}
    return [
        f"{word} than expected against {one.bot}: {one.points:.1f} points, not {one.expected:.1f}"
        for word, one in ends
        if signs[word] * one.difference >= NOTABLE
    ]


def _opponent_row(one: OpponentRecord) -> tuple[object, ...]:
    points = (f"{one.expected:.1f}", f"{one.points:.1f}", f"{one.difference:+.1f}")
    return (one.bot, one.jobs, one.matches, *points)


def _job_row(job: ExplainedJob) -> tuple[object, ...]:
    first, *others = job.matches
    more = f" +{len(others)}" if others else ""
    return (
        f"{short_name(first)}{more}",
        _opponents(job),
        job.expected,
        job.points,
        f"{job.before.mu:.2f} → {job.after.mu:.2f}",
        f"{job.rating - job.rating_before:+.2f}",
    )


def _opponents(job: ExplainedJob) -> Text:
    """Returns partners, and opponents with their ratings, in lines that break between two bots."""
    ratings = [f"{visible(one.bot)} ({one.rating:.1f})" for one in job.opponents]
    partners = " and ".join(map(visible, job.partners))
    text = f"{f'with {partners}: ' if partners else ''}{', '.join(ratings)}"
    return Text("\n".join(textwrap.wrap(text, NAMES, break_on_hyphens=False)))


COLUMNS = ("place", "bot", "version", "rating", "mu", "sigma", "fit", "matches", "faults", "state")


def print_ratings(ladder: RatedLadder) -> None:
    """Prints the ratings of a ladder; their fit, if there is one, is a column of its own."""
    columns = [column for column in COLUMNS if column != "fit" or ladder.fitted_jobs]
    rows = [[_cell(standing, column) for column in columns] for standing in ladder.ratings]
    title = f"{ladder.ladder}: {ladder.game}, {ladder.seats} seats"
    stdout.print(table(columns, rows, title=title))
    if ladder.fitted_jobs:
        stdout.say(f"fitted after job {ladder.fitted_jobs} of {ladder.rated_jobs}", style="dim")


def _cell(standing: Standing, column: str) -> object:
    if column == "version":
        return standing.number
    if column == "fit":
        return standing.fit.mu if standing.fit else ""
    if column == "place":
        return standing.place or ""
    return getattr(standing, column)


CLASSES = ("predicted from", "to", "pairs", "predicted", "observed", "95 % interval")
SCORES = ("", "predictions", "without ratings")


def print_calibration(found: Calibration) -> None:
    """Prints a calibration for people."""
    if found.score is None or found.baseline is None:
        stdout.say(f"No job has been rated on {found.ladder} yet.")
        return
    stdout.say(
        f"{found.ladder}: the points of the favourite, as predicted before each of"
        f" {found.jobs} rated jobs and as observed (1 for a win, 0.5 for a tie)"
    )
    stdout.print()
    stdout.print(table(CLASSES, _rows(found)))
    stdout.print()
    scores = [
        ("Brier score", f"{found.score.brier:.3f}", f"{found.baseline.brier:.3f}"),
        ("log loss", f"{found.score.log_loss:.3f}", f"{found.baseline.log_loss:.3f}"),
    ]
    stdout.print(table(SCORES, scores))


def _rows(found: Calibration) -> Iterator[tuple[object, ...]]:
    for one in found.classes:
        if one.interval is not None:
            low, high = one.interval
            means = (one.predicted, one.observed)
            yield (one.low, one.high, one.pairs, *means, f"{low:.2f} to {high:.2f}")
