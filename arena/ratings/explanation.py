"""Explains a version's rating: which jobs moved it, and what was expected of it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.ratings.job_result import RatedJob
from arena.ratings.prediction import Odds
from arena.ratings.rater import Skill


@dataclass(frozen=True)
class JobOpponent:
    """A version of another team: its skill before the job, the odds of the explained version's team
    against its team, and the points won."""

    version: str
    skill: Skill
    odds: Odds
    points: float


@dataclass(frozen=True)
class ExplainedJob:
    """A job from the side of one version.

    `partners`: the other versions of its team.
    `expected`, `actual`: its team's points against another, on average over the other teams.
    """

    job: RatedJob
    version: str
    partners: tuple[str, ...]
    meetings: tuple[JobOpponent, ...]
    expected: float
    actual: float

    @property
    def before(self) -> Skill:
        return self.job.before[self.version]

    @property
    def after(self) -> Skill:
        return self.job.after[self.version]


@dataclass
class OpponentRecord:
    """The points that a version won against a bot, and those expected, by job, with the numbers of
    jobs and matches."""

    jobs: int = 0
    matches: int = 0
    expected: float = 0.0
    actual: float = 0.0


@dataclass(frozen=True)
class Explanation:
    """A version's rated jobs, in the order in which they were rated, and its record against each
    bot."""

    jobs: Sequence[ExplainedJob]
    against: Mapping[str, OpponentRecord]

    @property
    def skill(self) -> Skill:
        """The version's skill after the last of its jobs."""
        return self.jobs[-1].after if self.jobs else Skill()

    @property
    def latest(self) -> list[ExplainedJob]:
        """The jobs, the latest first."""
        return list(reversed(self.jobs))

    @property
    def most_moving(self) -> list[ExplainedJob]:
        """The jobs by how far they moved mu, the largest move first."""
        return sorted(self.latest, key=lambda one: -abs(one.after.mu - one.before.mu))


def explain(
    version: str, jobs: Iterable[RatedJob], bot_of: Mapping[str, str], draw_probability: float
) -> Explanation:
    """Explains a version's rating by the jobs that it played. `bot_of`: the bot of each version."""
    explained = [_explained(version, job, draw_probability) for job in jobs]
    against: dict[str, OpponentRecord] = {}
    for one in explained:
        for meeting in one.meetings:
            record = against.setdefault(bot_of[meeting.version], OpponentRecord())
            record.jobs += 1
            record.matches += one.job.matches
            record.expected += meeting.odds.points
            record.actual += meeting.points
    return Explanation(explained, against)


def _explained(version: str, job: RatedJob, draw_probability: float) -> ExplainedJob:
    teams = job.result.teams
    own = next(number for number, team in enumerate(teams) if version in team)
    others = [number for number in range(len(teams)) if number != own]
    odds = {other: job.odds(own, other, draw_probability) for other in others}
    points = {other: job.points(own, other) for other in others}
    return ExplainedJob(
        job,
        version,
        partners=tuple(one for one in teams[own] if one != version),
        meetings=tuple(
            JobOpponent(one, job.before[one], odds[other], points[other])
            for other in others
            for one in teams[other]
        ),
        expected=fmean(one.points for one in odds.values()),
        actual=fmean(points.values()),
    )
