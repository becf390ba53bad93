"""Explains ratings from what the store has of a ladder's jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena import ratings
from arena.league.ladder.rated_jobs import rated_with_skills
from arena.store.schema import Entry, Ladder, Version
from arena.views.ladders.calibration import Calibration, PredictionClass
from arena.views.ladders.rating_explanation import (
    ExplainedJob,
    JobOpponent,
    OpponentRecord,
    RatingExplanation,
)
from arena.views.ladders.rating_history import version_on
from arena.views.ladders.standing import Estimate
from arena.views.matches.match import Match, Seat, matches_of_jobs


def explained_rating(
    session: Session, ladder: Ladder, bot: str, number: int, *, limit: int, moved_most: bool
) -> RatingExplanation:
    """Explains the rating of a bot's version, the latest on the ladder if the number is 0. Raises
    ArenaError.

    `limit`: the most jobs to tell of; `moved_most`: those that moved mu most, not the latest.
    """
    version, number = version_on(session, ladder.name, bot, number)
    found = _explanation(session, ladder, version)
    jobs = (found.most_moving if moved_most else found.latest)[:limit]
    matches = matches_of_jobs(session, {one.job.job for one in jobs})
    return RatingExplanation(
        ladder=ladder.name,
        bot=bot,
        number=number,
        version=version,
        mu=found.skill.mu,
        sigma=found.skill.sigma,
        rated_jobs=len(found.jobs),
        opponents=tuple(
            OpponentRecord(
                bot=name,
                jobs=record.jobs,
                matches=record.matches,
                expected=record.expected,
                points=record.actual,
            )
            for name, record in sorted(found.against.items())
        ),
        jobs=tuple(_job(one, matches[one.job.job]) for one in jobs),
    )


def calibrated_predictions(session: Session, ladder: Ladder) -> Calibration:
    """Compares what the running ratings predicted before each rated job with its result. Raises
    ArenaError."""
    found = ratings.calibrate(rated_with_skills(session, ladder.name), ladder.draw_probability)
    return Calibration(
        ladder=ladder.name,
        jobs=found.jobs,
        pairs=found.pairs,
        ties=found.ties,
        classes=tuple(map(_class, found.classes)),
        score=found.score if found.pairs else None,
        baseline=found.baseline if found.pairs else None,
    )


def _explanation(session: Session, ladder: Ladder, version: str) -> ratings.Explanation:
    entered = sa.select(Version.digest, Version.bot).join(Entry, Entry.version == Version.digest)
    bots = dict(session.execute(entered.where(Entry.ladder == ladder.name)).all())
    jobs = rated_with_skills(session, ladder.name, version)
    return ratings.explain(version, jobs, bots, ladder.draw_probability)


def _job(explained: ratings.ExplainedJob, matches: Sequence[Match]) -> ExplainedJob:
    """`matches`: those of the job."""
    seats = {seat.version: seat for match in matches for seat in match.seats}
    return ExplainedJob(
        sequence=explained.job.sequence,
        before=Estimate.model_validate(explained.before),
        after=Estimate.model_validate(explained.after),
        matches=tuple(match.match for match in matches),
        finished_at=matches[-1].finished_at,
        partners=tuple(seats[partner].bot for partner in explained.partners),
        opponents=tuple(_opponent(meeting, seats) for meeting in explained.meetings),
        expected=explained.expected,
        points=explained.actual,
    )


def _opponent(meeting: ratings.JobOpponent, seats: Mapping[str, Seat]) -> JobOpponent:
    """`seats`: by version."""
    seat, odds = seats[meeting.version], meeting.odds
    return JobOpponent(
        bot=seat.bot,
        number=seat.number,
        version=seat.version,
        before=Estimate.model_validate(meeting.skill),
        win=odds.win,
        tie=odds.tie,
        loss=odds.loss,
        points=meeting.points,
    )


def _class(one: ratings.PredictionClass) -> PredictionClass:
    return PredictionClass(
        low=one.low,
        high=one.high,
        pairs=one.pairs,
        predicted=one.predicted / one.pairs if one.pairs else None,
        observed=one.observed / one.pairs if one.pairs else None,
        interval=one.interval if one.pairs else None,
    )
