"""Ladders: their terms, their state, and what is going on there."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.moment import minute
from arena.store import schema
from arena.store.queries import field_revision, ladder_named
from arena.store.schema import (
    Competition,
    CompetitionState,
    Format,
    Job,
    JobState,
    Match,
    Partners,
    VoidMatch,
    table_of,
)
from arena.views.competition import Leader, match_totals
from arena.views.ladders.standing import Standing
from arena.views.matches.fault import Fault
from arena.views.view import Moment, View

COMPETITIONS = table_of(Competition)
CONNECTIONS = sa.select(
    sa.func.count().filter(schema.Remote.connected), sa.func.max(schema.Remote.seen_at)
)
"""Changes whenever a remote bot comes or goes, which no revision counts."""
NOT_BEING_RUN = "not being run"


class JobCounts(View):
    """The number of jobs that are waiting or being played, that have been recorded and are not
    void, and that were given up. A job is one match, or the same deals in several seatings."""

    queued: int
    recorded: int
    parked: int


class LadderCounts(View):
    """The numbers of matches and jobs of a ladder.

    `matches`: that have been recorded. `rated_jobs`: the number of the last rated job.
    """

    matches: int
    jobs: JobCounts
    rated_jobs: int


class Ladder(LadderCounts):
    """A ladder.

    `options`: all options of the game, as text.
    `partners`: in a team game, whether a version is its own partner.
    `draw_probability`: that equal bots tie, as used for the ratings.
    `fault_quota`: the number of its last matches that a version may fault without suspension.
    `newest_only`: a version that enters takes the place of the bot's others.
    `live_delay_s`: how many seconds late its matches in play are shown; None: as the arena's are.
    `state`: running only means that it is not paused; `running_now`: an arena runs it.
    `obstacle`: why it starts no matches at present, a sentence; empty if nothing prevents it.
    `fitted_jobs`: the number of the last rated job that the fits have seen; None if there are none.
    `starts_at`, `submit_until`, `ends_at`: when it begins to play, takes the last submission, and
      is over; None: at any time.
    `follows`: the ladder whose next season it is; `followed_by`: its own next season; empty if
      there is none.
    `versions`: the number on it, in any state. `entrants`: of those that play.
    `leaders`: the best of those that have played.
    """

    ladder: str
    game: str
    rules_version: int
    options: dict[str, str]
    seats: int
    format: Format
    partners: Partners
    bank_ms: int
    increment_ms: int
    draw_probability: float
    fault_quota: int
    created_at: Moment
    state: CompetitionState
    running_now: bool
    obstacle: str
    fitted_jobs: int | None
    versions: int
    entrants: int
    leaders: tuple[Leader, ...]
    starts_at: Moment | None = None
    submit_until: Moment | None = None
    ends_at: Moment | None = None
    follows: str = ""
    newest_only: bool = False
    live_delay_s: int | None = None
    followed_by: str = ""

    @property
    def season(self) -> str:
        """When it begins to play, takes the last submission and is over, in words."""
        times = {
            "starts": self.starts_at,
            "takes submissions until": self.submit_until,
            "ends": self.ends_at,
        }
        return ", ".join(f"{word} {minute(one)}" for word, one in times.items() if one)

    @property
    def present_state(self) -> str:
        """The state in a word or three."""
        if self.running_now or self.state is not CompetitionState.RUNNING:
            return str(self.state)
        return NOT_BEING_RUN


class Ladders(View):
    """Ladders by name."""

    ladders: tuple[Ladder, ...]


class RatedLadder(Ladder):
    """A ladder with its table.

    `suspended`: for each suspended version, by bot and number, the fault that exceeded its quota.
    `ratings`: the best first.
    """

    suspended: tuple[Fault, ...]
    ratings: tuple[Standing, ...]


class DeletedLadder(View):
    """A ladder that has been deleted."""

    ladder: str


def ladder_counts(session: Session, ladders: Sequence[str]) -> dict[str, LadderCounts]:
    """Returns the counts of ladders, by name."""
    matches, rated = match_totals(session, ladders), _rated_jobs(session, ladders)
    # Of perhaps a million jobs only those are counted that have no number: numbers have no gaps.
    others = sa.select(Job.competition, Job.state, sa.func.count()).where(
        Job.competition.in_(ladders), Job.sequence.is_(None)
    )
    counted: dict[tuple[str, JobState], int] = {
        (name, state): count
        for name, state, count in session.execute(others.group_by(Job.competition, Job.state))
    }
    return {
        name: LadderCounts(
            matches=matches.get(name, 0),
            jobs=JobCounts(
                queued=counted.get((name, JobState.QUEUED), 0),
                recorded=rated[name][0]
                - rated[name][1]
                + counted.get((name, JobState.RECORDED), 0),
                parked=counted.get((name, JobState.PARKED), 0),
            ),
            rated_jobs=rated[name][0],
        )
        for name in ladders
    }


def ladder_stamp(session: Session, ladder: str) -> str:
    """Returns a text that changes with everything in the views of a ladder, except whether an arena
    runs it. Raises ArenaError."""
    found: schema.Ladder = ladder_named(session, ladder)
    counts = ladder_counts(session, [ladder])[ladder]
    numbers = (
        counts.matches,
        counts.rated_jobs,
        counts.jobs.queued,
        counts.jobs.parked,
        field_revision(session),
        found.fitted_jobs or 0,
        *session.execute(CONNECTIONS).one(),
    )
    return f"{'.'.join(map(str, numbers))}.{found.state}.{found.live_delay_s}"


def _rated_jobs(session: Session, ladders: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Returns the numbers of the last rated jobs, and how many jobs are void."""
    # Each looked up at the end of an index, which no grouping does.
    last = sa.select(sa.func.max(Job.sequence)).where(Job.competition == COMPETITIONS.c.name)
    void = (
        sa.select(sa.func.count(Match.job.distinct()))
        .join(VoidMatch, VoidMatch.match == Match.id)
        .where(Match.competition == COMPETITIONS.c.name)
    )
    found = session.execute(
        sa.select(COMPETITIONS.c.name, last.scalar_subquery(), void.scalar_subquery()).where(
            COMPETITIONS.c.name.in_(ladders)
        )
    )
    return dict.fromkeys(ladders, (0, 0)) | {
        name: (number or 0, voided) for name, number, voided in found
    }
