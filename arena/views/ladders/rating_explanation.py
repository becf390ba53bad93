"""The reasons for a rating: the jobs that moved it, and the results expected before them.

Points are 1 for a win, 0.5 for a tie, 0 for a loss.
"""

from __future__ import annotations

from pydantic import computed_field

from arena.views.ladders.rating_history import SkillChange
from arena.views.ladders.standing import SIGMAS, Estimate, RatedEstimate
from arena.views.view import Moment, View


class JobOpponent(View):
    """A version of another team in a job.

    `before`: its skill before the job.
    `win`, `tie`, `loss`: the probabilities, before the job, of the results of the explained
      version's team against its team.
    `points`: that the explained version's team won against its team.
    """

    bot: str
    number: int
    version: str
    before: Estimate
    win: float
    tie: float
    loss: float
    points: float

    @computed_field  # type: ignore[prop-decorator]
    @property
    def rating(self) -> float:
        """Its rating before the job."""
        return self.before.mu - SIGMAS * self.before.sigma


class ExplainedJob(SkillChange):
    """A job that changed a rating, and what was expected of it.

    `matches`: the ids of its matches, in order.
    `partners`: the bots of the other versions of its team. `opponents`: those of other teams.
    `expected`, `points`: of its team against another, on average over the other teams.
    """

    matches: tuple[str, ...]
    finished_at: Moment
    partners: tuple[str, ...]
    opponents: tuple[JobOpponent, ...]
    expected: float
    points: float


class OpponentRecord(View):
    """The points that a version won against a bot, and those expected. They count once for each of
    the jobs, which had so many matches."""

    bot: str
    jobs: int
    matches: int
    expected: float
    points: float

    @computed_field  # type: ignore[prop-decorator]
    @property
    def difference(self) -> float:
        return self.points - self.expected


class RatingExplanation(RatedEstimate):
    """The reasons for the rating of a version. `number`: the version's; `version`: its digest.

    `rated_jobs`: how many it has.
    `opponents`: over all of them, by the name of the bot.
    `jobs`: some of them, the latest first, or those first that moved mu most.
    """

    ladder: str
    bot: str
    number: int
    version: str
    rated_jobs: int
    opponents: tuple[OpponentRecord, ...]
    jobs: tuple[ExplainedJob, ...]
