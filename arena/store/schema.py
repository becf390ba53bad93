"""The tables. What a contestant or organiser named is keyed by its name, what was submitted by its
content digest, what was played by its id.

A change here needs a migration; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum, StrEnum
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

NOBODY = "(deleted)"
"""The owner of a deleted bot: not a valid name of an owner."""
FIELD = "field"
"""The name of a revision."""
TABLE = "table"
"""The kind of competitions in which people play."""
DONE = "done"
"""The outcome of a change that was made."""
FAULT_QUOTA = 5
"""The default fault quota of a ladder; see `arena.league.ladder.suspensions`."""
LONGEST_LIVE_DELAY_S = 900


class VersionState(StrEnum):
    """The state of a bot version. `retired`: withdrawn by its owner, who may bring it back."""

    ACTIVE = "active"
    RETIRED = "retired"


class CompetitionState(StrEnum):
    """The state of a competition; only a running one creates jobs.

    `open`: it has not begun and still takes entrants. `over`, `cancelled`, `failed`: it has ended
    for good; `failed`: a comparison without a verdict, because a version kept failing.
    """

    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"
    FAILED = "failed"


class EntryState(StrEnum):
    """The state of a version on a ladder. `suspended`: it was at fault there too often."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    WITHDRAWN = "withdrawn"


class JobState(StrEnum):
    """The state of a job. `parked`: given up, for the reason in the row. `dropped`: parked, and
    then taken off the list by an organiser."""

    QUEUED = "queued"
    RECORDED = "recorded"
    PARKED = "parked"
    DROPPED = "dropped"


class MachineState(StrEnum):
    """The state of a machine, whose workers get jobs while it is open. `quarantined`: blocked by
    the arena itself."""

    OPEN = "open"
    BLOCKED = "blocked"
    QUARANTINED = "quarantined"


class Format(StrEnum):
    """The kind of a competition's jobs: one match, or the same deals in permuted seats."""

    SINGLE = "single"
    DUPLICATE = "duplicate"


class Partners(StrEnum):
    """The partners in a team game: a version with itself, or with any other."""

    SAME = "same"
    ANY = "any"


class TournamentEventKind(StrEnum):
    """The kinds of events in a tournament. `stopped`: the arena paused it. `drawn`: the value of
    its beacon is there. `voided`: a group of matches no longer counts, and is played again."""

    STARTED = "started"
    DRAWN = "drawn"
    ENTERED = "entered"
    VOIDED = "voided"
    WITHDRAWN = "withdrawn"
    PAIRED = "paired"
    PAUSED = "paused"
    STOPPED = "stopped"
    RESUMED = "resumed"
    OVER = "over"
    CANCELLED = "cancelled"


class NewsKind(StrEnum):
    """The kinds of news. `job-parked` is for organisers alone."""

    BOT_SUSPENDED = "bot-suspended"
    JOB_PARKED = "job-parked"
    TOURNAMENT_OVER = "tournament-over"
    SEASON_OVER = "season-over"


class Role(StrEnum):
    """The rights of a token's bearer: everything; submitting and managing bots; reading; or, for a
    worker, what playing matches takes and nothing else."""

    ORGANISER = "organiser"
    OWNER = "owner"
    READER = "reader"
    WORKER = "worker"


def now() -> datetime:
    """Returns the time at which a row is created."""
    return datetime.now(UTC)


class Moment(sa.TypeDecorator[datetime]):
    """A moment in UTC. SQLite stores no zone, and PostgreSQL returns its session's."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def words(kind: type[Enum]) -> sa.Enum:
    """Returns a column type for one of a few words, stored as text so that a new word needs no
    migration."""

    def values(members: Any) -> list[str]:
        return [member.value for member in members]

    return sa.Enum(kind, native_enum=False, length=16, values_callable=values)


class Base(DeclarativeBase):
    """All tables."""

    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Moment(),
        float: sa.Double(),
        dict[str, Any]: sa.JSON(),
        dict[str, str]: sa.JSON(),
        list[str]: sa.JSON(),
        VersionState: words(VersionState),
        CompetitionState: words(CompetitionState),
        EntryState: words(EntryState),
        JobState: words(JobState),
        Format: words(Format),
        Partners: words(Partners),
        NewsKind: words(NewsKind),
        Role: words(Role),
        TournamentEventKind: words(TournamentEventKind),
    }


def table_of(kind: type[Base]) -> sa.Table:
    """Returns the table of a kind of row, for statements without objects."""
    table = kind.__table__
    assert isinstance(table, sa.Table)
    return table


class Bot(Base):
    """A bot, regardless of its versions."""

    __tablename__ = "bots"

    name: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Version(Base):
    """A submission of a bot, immutable: its files are in the data folder.

    `attempts`: the number of times that jobs with it were begun; more attempts than jobs reveal a
      version that takes workers down with it.
    `faults`: the number of matches in which it was at fault.
    `size`: the bytes in the data folder that count towards its owner's quota.
    """

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot", "number"),)

    digest: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    bot: Mapped[str] = mapped_column(ForeignKey("bots.name"))
    number: Mapped[int]
    manifest: Mapped[dict[str, Any]]
    attempts: Mapped[int] = mapped_column(default=0)
    faults: Mapped[int] = mapped_column(default=0)
    size: Mapped[int] = mapped_column(sa.BigInteger, default=0)
    state: Mapped[VersionState] = mapped_column(default=VersionState.ACTIVE)
    created_at: Mapped[datetime] = mapped_column(default=now)

    @property
    def games(self) -> list[str]:
        """The slugs of the games that its manifest names; none stands for all."""
        found: list[str] = self.manifest.get("games", [])
        return found


class Competition(Base):
    """A contest in one game under fixed rules, for which matches are played. Each kind has a table
    of its own for the rest.

    `options`: every option, as text.
    """

    __tablename__ = "competitions"
    __mapper_args__ = {"polymorphic_on": "kind", "with_polymorphic": "*"}  # noqa: RUF012

    name: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    game: Mapped[str]
    rules_version: Mapped[int]
    options: Mapped[dict[str, str]]
    bank_ms: Mapped[int]
    increment_ms: Mapped[int]
    seats: Mapped[int]
    format: Mapped[Format]
    partners: Mapped[Partners]
    state: Mapped[CompetitionState]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Ladder(Competition):
    """A competition that rates its versions, without an end unless it has one.

    `fault_quota`: the number of its last matches that a version may fault without suspension.
    `fitted_jobs`: the number of the last rated job that the fit has seen; None if there is no fit.
    `starts_at`: nothing is played before. `submit_until`: nobody submits after it. `ends_at`: when
      it is over. None: at any time.
    `follows`: the ladder whose next season it is; empty if it is the first.
    `newest_only`: a version that enters takes the place of the bot's others.
    `live_delay_s`: how many seconds late its matches in play are shown; None: as the arena's are.
    """

    __tablename__ = "ladders"
    __mapper_args__ = {"polymorphic_identity": "ladder"}  # noqa: RUF012

    name: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    draw_probability: Mapped[float]
    fault_quota: Mapped[int] = mapped_column(default=FAULT_QUOTA)
    fitted_jobs: Mapped[int | None]
    starts_at: Mapped[datetime | None]
    submit_until: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    follows: Mapped[str] = mapped_column(default="")
    newest_only: Mapped[bool] = mapped_column(default=False)
    live_delay_s: Mapped[int | None]


class Tournament(Competition):
    """A competition with a field of entrants and an end.

    `terms`: format, rounds and tie-breaks, as `arena.tournament` reads them.
    `common_deals`: all tables of a round play the same deals.
    `plan_digest`: of `arena.views.tournaments.event.TournamentPlan`; empty until the start.
    `secret`: 64 hexadecimal digits from which deals and lots follow. Public once it has ended;
      until then only its SHA-256 is.
    `problem`: the reason if the arena stopped it, a sentence; empty otherwise.
    `starts_at`: when it starts by itself; None: its organiser starts it.
    `check_in_minutes`: owners check in so long before; 0: they need not.
    """

    __tablename__ = "tournaments"
    __mapper_args__ = {"polymorphic_identity": "tournament"}  # noqa: RUF012

    name: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    terms: Mapped[dict[str, Any]]
    common_deals: Mapped[bool]
    plan_digest: Mapped[str] = mapped_column(sa.String(64), default="")
    secret: Mapped[str] = mapped_column(sa.String(64))
    problem: Mapped[str] = mapped_column(sa.Text, default="")
    starts_at: Mapped[datetime | None]
    check_in_minutes: Mapped[int] = mapped_column(default=0)


class TournamentEntrant(Base):
    """A version in a tournament.

    `number`: its seed: 1 is the best.
    `owner`: its owner when it entered; None for the organiser's.
    `entered_round`: the first round that it can play, from 1.
    `withdrawn_round`: the first round that it does not play; None if it plays on.
    `reason`: the reason of its withdrawal, a sentence.
    `checked_in`: its owner has confirmed that it plays.
    """

    __tablename__ = "tournament_entrants"
    __table_args__ = (UniqueConstraint("tournament", "version"),)

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.name"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"))
    owner: Mapped[str | None]
    entered_round: Mapped[int] = mapped_column(default=1)
    withdrawn_round: Mapped[int | None]
    reason: Mapped[str] = mapped_column(sa.Text, default="")
    checked_in: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)


class TournamentRound(Base):
    """A round that has been paired. `pairing`: its tables and byes with their cost, as
    `arena.tournament` reads them."""

    __tablename__ = "tournament_rounds"

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.name"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    pairing: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class TournamentGroup(Base):
    """A duplicate group that a table plays, or the match that stands for it.

    `number`: counts the table's groups, from 1.
    `job`: the job that plays it; another takes its place if that one was given up.
    """

    __tablename__ = "tournament_groups"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["tournament", "round"], ["tournament_rounds.tournament", "tournament_rounds.number"]
        ),
    )

    tournament: Mapped[str] = mapped_column(primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    job: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)


class TournamentEvent(Base):
    """Something that happened to a tournament from its start on, apart from results; see
    `arena.views.tournaments.event`."""

    __tablename__ = "tournament_events"

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.name"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[TournamentEventKind]
    round: Mapped[int]
    entrant: Mapped[int | None]
    sentence: Mapped[str] = mapped_column(sa.Text)


class Comparison(Competition):
    """A competition that asks whether one version of a bot is better than another.

    `owner`: the owner who asked for it.
    `plan`: its terms, see `arena.views.comparisons.plan`.
    `secret`: 64 hexadecimal digits from which the deals follow. Public once it has ended; until
      then only its SHA-256 is.
    `problem`: the reason if the arena stopped it, a sentence; empty otherwise.
    """

    __tablename__ = "comparisons"
    __mapper_args__ = {"polymorphic_identity": "comparison"}  # noqa: RUF012

    name: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    owner: Mapped[str]
    plan: Mapped[dict[str, Any]]
    secret: Mapped[str] = mapped_column(sa.String(64))
    problem: Mapped[str] = mapped_column(sa.Text, default="")


class ComparisonGroup(Base):
    """A group of matches with the same deals, half of them with the one version in the place of
    the other.

    `number`: counts the groups in the order of their start, from 1.
    `difference`: its result, once all its matches are recorded; see `arena.statistics`.
    """

    __tablename__ = "comparison_groups"

    comparison: Mapped[str] = mapped_column(ForeignKey("comparisons.name"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    difference: Mapped[float | None]


class ComparisonJob(Base):
    """The job that plays one half of a group, or all of it; another takes its place if it was
    given up. `half`: from 0."""

    __tablename__ = "comparison_jobs"
    __table_args__ = (
        sa.ForeignKeyConstraint(
            ["comparison", "number"], ["comparison_groups.comparison", "comparison_groups.number"]
        ),
    )

    comparison: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    half: Mapped[int] = mapped_column(primary_key=True)
    job: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)


class Table(Competition):
    """A competition of one match, which a person plays against bots. It is not rated.

    `person`: the name under which the person plays: that of a remote bot.
    `address`: the address of a guest; empty for others, and once the match is over.
    `key_hash`: the SHA-256 of the seat's key, 64 hexadecimal digits.
    `job`: the job to be played, as the queue will carry it, without its result token.
    `repeats`: the match whose deals it repeats, or None.
    """

    __tablename__ = "tables"
    __mapper_args__ = {"polymorphic_identity": TABLE}  # noqa: RUF012

    name: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("bots.name"))
    seat: Mapped[int]
    address: Mapped[str]
    key_hash: Mapped[str] = mapped_column(sa.String(64), unique=True)
    job: Mapped[str] = mapped_column(sa.Text)
    repeats: Mapped[str | None] = mapped_column(ForeignKey("matches.id"))


class Entry(Base):
    """A version's place on a ladder.

    `suspended_for`: the match whose fault exceeded the quota, if it is suspended.
    `cleared_at`: when it was last readmitted; earlier faults do not count.
    """

    __tablename__ = "entries"

    ladder: Mapped[str] = mapped_column(ForeignKey("ladders.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    state: Mapped[EntryState] = mapped_column(default=EntryState.ACTIVE)
    created_at: Mapped[datetime] = mapped_column(default=now)
    suspended_for: Mapped[str | None]
    cleared_at: Mapped[datetime | None]


class LadderSeat(Base):
    """The number of a ladder's jobs that gave a version that seat, whatever their outcome."""

    __tablename__ = "ladder_seats"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    ladder: Mapped[str] = mapped_column(ForeignKey("ladders.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    jobs: Mapped[int]


class LadderMeeting(Base):
    """The number of a ladder's jobs in which two versions met, whatever their outcome.

    `one`, `other`: in this order by their digests.
    `partnered`: the pairs of seats of one team that they had.
    """

    __tablename__ = "ladder_meetings"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    ladder: Mapped[str] = mapped_column(ForeignKey("ladders.name"), primary_key=True)
    one: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    other: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    jobs: Mapped[int]
    partnered: Mapped[int]


class Revision(Base):
    """A counter of changes to rows that the arena caches: another number means reading them again.
    Triggers in the database count, except for a fit of ratings, which counts itself.

    `name`: FIELD counts changes of the versions that may be paired on ladders (entries, states of
      versions, owners of bots, contestants, remote bots) and of their strength by the last fit.
    """

    __tablename__ = "revisions"

    name: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]


class Job(Base):
    """A deal set to play.

    `body`: the job as the queue carries it, but without the result token, of which only the SHA-256
      is kept.
    `sequence`: the place of its rating among the ladder's, from 1; None if it is not rated.
    `machine`: whose worker played it, by its own word; None if that is not known.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        UniqueConstraint("competition", "sequence"),
        Index(None, "competition", "state"),
        # The jobs that were recorded lately.
        Index(None, "recorded_at", "machine"),
        # Of a million jobs, the few that are still to be settled.
        Index(
            "ix_jobs_queued",
            "created_at",
            sqlite_where=sa.text("state = 'queued'"),
            postgresql_where=sa.text("state = 'queued'"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    competition: Mapped[str] = mapped_column(ForeignKey("competitions.name"))
    body: Mapped[str] = mapped_column(sa.Text)
    token_hash: Mapped[str] = mapped_column(sa.String(64))
    state: Mapped[JobState] = mapped_column(default=JobState.QUEUED)
    attempts: Mapped[int] = mapped_column(default=0)
    reason: Mapped[str] = mapped_column(sa.Text, default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    recorded_at: Mapped[datetime | None]
    sequence: Mapped[int | None]
    machine: Mapped[str | None]


class Match(Base):
    """A finished match.

    `digest`: its record's, kept even when the record has been pruned.
    `surprise`: from 0 to 1, how improbable its result was by its ladder's ratings before.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("job", "number"),
        # The latest matches of everything, of a competition, of a game.
        Index(None, "finished_at", "id"),
        Index(None, "competition", "finished_at", "id"),
        Index(None, "game", "finished_at", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    job: Mapped[str] = mapped_column(ForeignKey("jobs.id"))
    number: Mapped[int]
    attempt: Mapped[int]
    competition: Mapped[str] = mapped_column(ForeignKey("competitions.name"))
    game: Mapped[str]
    rules_version: Mapped[int]
    reason: Mapped[str]
    rated: Mapped[bool]
    digest: Mapped[str] = mapped_column(sa.String(64))
    surprise: Mapped[float] = mapped_column(default=0.0)
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime]

    seats: Mapped[list[MatchSeat]] = relationship(order_by="MatchSeat.seat")


class MatchSeat(Base):
    """A seat of a finished match and its result.

    `fault_*`: the fault after which the arena played it to the end. `fault_words` are the bot's
      own words, for its owner and organisers.
    `competition`, `finished_at`: the match's, so that an index has a version's last matches.
    `margin`: the points between it and the best seat of another team; negative if it is behind.
    `decision_counts`, `total_ms`, `slowest_ms`: the times of its bot's own decisions, as
      `arena.records.Thinking` has them.
    """

    __tablename__ = "match_seats"
    __table_args__ = (
        Index(None, "version", "competition", "finished_at"),
        Index(None, "bot", "finished_at", "match"),
        Index(None, "bot", "margin", "match"),
        Index(None, "slowest_ms"),
        # Of all seats, the few that were at fault.
        *(
            Index(
                f"ix_match_seats_faults{name}",
                *columns,
                "finished_at",
                "match",
                sqlite_where=sa.text("fault_kind IS NOT NULL"),
                postgresql_where=sa.text("fault_kind IS NOT NULL"),
            )
            for name, columns in (("", ()), ("_bot", ("bot",)), ("_competition", ("competition",)))
        ),
    )

    match: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"))
    bot: Mapped[str] = mapped_column(ForeignKey("bots.name"))
    team: Mapped[int]
    score: Mapped[int]
    rank: Mapped[int]
    fault_kind: Mapped[str | None]
    fault_decision: Mapped[int | None]
    fault_sentence: Mapped[str | None] = mapped_column(sa.Text)
    fault_words: Mapped[str | None] = mapped_column(sa.Text)
    competition: Mapped[str]
    finished_at: Mapped[datetime]
    margin: Mapped[int]
    decision_counts: Mapped[list[int]] = mapped_column(sa.JSON)
    total_ms: Mapped[int] = mapped_column(sa.BigInteger)
    slowest_ms: Mapped[int]


class VoidMatch(Base):
    """A match that an organiser has declared void: it counts for nothing, and stays to be read. All
    matches of a job are void, or none is.

    `reason`: a sentence for everybody.
    """

    __tablename__ = "void_matches"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(sa.Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class SeatResults(Base):
    """The results of a version at a seat in the matches of a competition. It follows from the
    matches and can be counted again, as can all tables with such counts.

    `wins`: it was first, alone or with its partners. `ties`: it shared the first rank.
    `ranks`, `scores`: sums.
    `faults`: the matches in which the seat was at fault.
    `total_ms`, `slowest_ms`: of all its bot's own decisions, and of the slowest.
    """

    __tablename__ = "seat_results"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    competition: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    matches: Mapped[int]
    wins: Mapped[int]
    ties: Mapped[int]
    ranks: Mapped[int]
    scores: Mapped[int] = mapped_column(sa.BigInteger)
    faults: Mapped[int]
    total_ms: Mapped[int] = mapped_column(sa.BigInteger)
    slowest_ms: Mapped[int]


class MeetingResults(Base):
    """The results of a version against another one in the matches of a competition. Every pair has
    two rows, one from each side.

    `jobs`: the deal sets in which they met. The matches of one have the same deals, so that only
      whole ones are independent.
    `matches`: those in which they sat on different sides; it won `wins` and tied `ties` of them.
    `squares`: the sum over the jobs of the square of wins minus losses.
    `firsts`: the matches in which it had the first rank, alone or not.
    `faults`: the matches in which it was at fault.
    """

    __tablename__ = "meeting_results"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    competition: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    opponent: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    jobs: Mapped[int]
    matches: Mapped[int]
    wins: Mapped[int]
    ties: Mapped[int]
    squares: Mapped[int]
    firsts: Mapped[int]
    faults: Mapped[int]


class DecisionTimes(Base):
    """The number of a version's own decisions in a competition that took a time of this bucket.

    `bucket`: of the times, see `arena.records.bucket_of`.
    """

    __tablename__ = "decision_times"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    competition: Mapped[str] = mapped_column(ForeignKey("competitions.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    bucket: Mapped[int] = mapped_column(primary_key=True)
    decisions: Mapped[int] = mapped_column(sa.BigInteger)


class Record(Base):
    """A match's record, compressed; prunable."""

    __tablename__ = "records"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    digest: Mapped[str] = mapped_column(sa.String(64))
    body: Mapped[bytes]


IS_OPEN_ANALYSIS = sa.text("body IS NULL AND reason = ''")
"""Written out in queries as in the index, so that they use it."""


class Analysis(Base):
    """An analysis of a match that was asked for. It is dropped with the record of the match.

    `job`: the id of its job on the queue. `token_hash`: the SHA-256 of that job's result token;
      empty until it is on the queue.
    `owner`: who asked for it; empty for the local caller.
    `running`: whether a worker has taken it.
    `reason`: why it was given up, a sentence; empty unless it was.
    `body`: the analysis, compressed JSON; None until it is done.
    """

    __tablename__ = "analyses"
    __table_args__ = (
        Index(None, "owner", "created_at"),
        # Of all, the few that are still to be made.
        Index(
            "ix_analyses_open",
            "created_at",
            sqlite_where=IS_OPEN_ANALYSIS,
            postgresql_where=IS_OPEN_ANALYSIS,
        ),
    )

    match: Mapped[str] = mapped_column(
        ForeignKey("records.match", ondelete="CASCADE"), primary_key=True
    )
    job: Mapped[str] = mapped_column(unique=True)
    token_hash: Mapped[str] = mapped_column(sa.String(64), default="")
    owner: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    running: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str] = mapped_column(sa.Text, default="")
    body: Mapped[bytes | None]


class PrivateLog(Base):
    """The part of a match that only the bots' owners may see, compressed; prunable."""

    __tablename__ = "private_logs"

    match: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    body: Mapped[bytes]


class Rating(Base):
    """A version's current rating on a ladder. It follows from the matches and can be rebuilt.

    `fit_mu`, `fit_sigma`: by all jobs up to the ladder's `fitted_jobs` at once; None if the version
      had no rated job by then.
    """

    __tablename__ = "ratings"

    ladder: Mapped[str] = mapped_column(ForeignKey("ladders.name"), primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    matches: Mapped[int] = mapped_column(default=0)
    faults: Mapped[int] = mapped_column(default=0)
    fit_mu: Mapped[float | None]
    fit_sigma: Mapped[float | None]


class RatingChange(Base):
    """A version's rating after the ladder's rated job of that number: a point of its curve."""

    __tablename__ = "rating_changes"
    __table_args__ = (Index(None, "ladder", "version", "sequence"),)

    ladder: Mapped[str] = mapped_column(ForeignKey("ladders.name"), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(ForeignKey("versions.digest"), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]


class Token(Base):
    """A secret that lets its bearer act as `owner`. Only its SHA-256 is kept; `id` names it.

    `expires_at`: it is no longer valid from then on; None: never.
    """

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(sa.String(64), unique=True)
    owner: Mapped[str]
    role: Mapped[Role]
    created_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]


class Ban(Base):
    """An owner who may not take part. `reason`: a sentence for everybody."""

    __tablename__ = "bans"

    owner: Mapped[str] = mapped_column(primary_key=True)
    reason: Mapped[str] = mapped_column(sa.Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Machine(Base):
    """A machine whose workers have called, or that is blocked.

    `version`: of the arena, as its workers last said; empty if they never did.
    `address`: from which one of them last enrolled; empty on the arena's own machine.
    `seen_at`: when one of them last called.
    `matches`: those that they have played.
    `blocked_at`: since when they get no jobs; None: they do. `reason`: of that, a sentence for
      organisers.
    `evidence`: that it is at fault more often than others; see `arena.league.fleet.quarantine`.
    """

    __tablename__ = "machines"

    name: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[str] = mapped_column(default="")
    address: Mapped[str] = mapped_column(default="")
    seen_at: Mapped[datetime | None]
    matches: Mapped[int] = mapped_column(default=0)
    blocked_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(sa.Text, default="")
    evidence: Mapped[dict[str, Any]] = mapped_column(default=dict)

    @property
    def state(self) -> MachineState:
        if self.blocked_at is None:
            return MachineState.OPEN
        quarantined = MachineState.QUARANTINED in self.evidence
        return MachineState.QUARANTINED if quarantined else MachineState.BLOCKED


class AuditLine(Base):
    """A change of the arena that a person or a program asked for.

    `caller`: the name in which they acted; empty for those who may enter the data folder.
    `operation`: its name. `arguments`: those that differ from their defaults, without secrets.
    `outcome`: DONE, or the sentence with which it was refused; empty as long as it is going on, or
      if the arena ended meanwhile.
    """

    __tablename__ = "audit_lines"

    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    caller: Mapped[str]
    role: Mapped[Role]
    operation: Mapped[str]
    arguments: Mapped[dict[str, Any]]
    outcome: Mapped[str] = mapped_column(sa.Text, default="")


class News(Base):
    """Something that happened to a competition or a bot, and that others want to know.

    `bot`: empty if it concerns none.
    """

    __tablename__ = "news"

    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    kind: Mapped[NewsKind]
    competition: Mapped[str]
    bot: Mapped[str]
    sentence: Mapped[str] = mapped_column(sa.Text)


class Webhook(Base):
    """An address to which news are sent, in their order.

    `secret`: the key of their signatures. `kinds`: of the news that are sent; all if empty.
    `after`: the number of the last news that were sent, or given up.
    `attempts`: how often the next have been tried. `retry_at`: when they are tried again.
    `trouble`: the reason why the last attempt failed, a sentence; empty if it succeeded.
    """

    __tablename__ = "webhooks"

    name: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(sa.Text)
    secret: Mapped[str]
    kinds: Mapped[list[str]]
    created_at: Mapped[datetime] = mapped_column(default=now)
    after: Mapped[int]
    attempts: Mapped[int] = mapped_column(default=0)
    retry_at: Mapped[datetime | None]
    trouble: Mapped[str] = mapped_column(sa.Text, default="")


class Announcement(Base):
    """A sentence of the organiser's to everybody. `until`: it is shown so long; None: always."""

    __tablename__ = "announcements"

    number: Mapped[int] = mapped_column(primary_key=True)
    sentence: Mapped[str] = mapped_column(sa.Text)
    until: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Invitation(Base):
    """A code by which people create tokens of the role `owner` for themselves. Only its SHA-256 is
    kept; `id` names it.

    `uses`: how many more people can. `expires_at`: nobody can from then on; None: never.
    """

    __tablename__ = "invitations"

    id: Mapped[str] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(sa.String(64), unique=True)
    uses: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime | None]


class EndedLogin(Base):
    """A login to the pages, that has been ended by logging out: its cookie is no longer valid."""

    __tablename__ = "ended_logins"

    id: Mapped[str] = mapped_column(primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(default=now)


class Remote(Base):
    """A bot that is a program on its owner's machine and dials in. Only the SHA-256 of its token is
    kept.

    `connected`: true if it was connected when the server last recorded it, at `seen_at`.
    """

    __tablename__ = "remotes"

    bot: Mapped[str] = mapped_column(ForeignKey("bots.name"), primary_key=True)
    token_hash: Mapped[str] = mapped_column(sa.String(64), unique=True)
    connected: Mapped[bool] = mapped_column(default=False)
    seen_at: Mapped[datetime | None]
