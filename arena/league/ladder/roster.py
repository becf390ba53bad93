"""The versions that may be paired on a ladder, with their ratings: a copy in memory, updated by the
changes in the store."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.competitions import contestant_of, most_at_a_table
from arena.league.ladder.field import BEGINNER, Field
from arena.league.ladder.ladders import may_be_paired
from arena.ratings import Skill
from arena.store.queries import field_revision
from arena.store.remote_bots import remote_names
from arena.store.schema import LadderSeat, Rating, RatingChange, Version, table_of

CHANGES, RATINGS, VERSIONS = table_of(RatingChange), table_of(Rating), table_of(Version)
SEATS = table_of(LadderSeat)
READ_CHANGES = (
    sa.select(CHANGES.c.sequence, CHANGES.c.version, CHANGES.c.mu, CHANGES.c.sigma)
    .where(CHANGES.c.ladder == sa.bindparam("ladder"))
    .where(CHANGES.c.sequence > sa.bindparam("after"))
    .order_by(CHANGES.c.sequence)
)


class Roster:
    """Keeps a field as the store has it. Skills are those of the last fit, and before a version's
    first fit those of its running rating: pairing by running ratings lets their scale float, and
    they cannot correct it.

    `bots`: the bots of the versions that may be paired, by version.
    `remote`: those of them that dial in.
    `at_a_table`: how many of them can meet in one match.
    """

    def __init__(self, ladder: str, field: Field) -> None:
        self.bots: dict[str, str] = {}
        self.remote: dict[str, str] = {}
        self.at_a_table = 0
        self._ladder = ladder
        self._field = field
        self._revision = 0
        self._sequence = 0

    def refresh(self, session: Session) -> None:
        """Reads all changes since the last time, also those of other processes."""
        revision = field_revision(session)
        if revision != self._revision:
            self._read_entrants(session)
            self._revision = revision
        self._read_changes(session)

    def _read_entrants(self, session: Session) -> None:
        before = self.bots
        rows = session.execute(
            may_be_paired(
                [self._ladder],
                VERSIONS.c.digest,
                VERSIONS.c.bot,
                RATINGS.c.fit_mu,
                sa.func.coalesce(RATINGS.c.fit_mu, RATINGS.c.mu).label("mu"),
                sa.func.coalesce(RATINGS.c.fit_sigma, RATINGS.c.sigma).label("sigma"),
            ).outerjoin(
                RATINGS,
                (RATINGS.c.ladder == self._ladder) & (RATINGS.c.version == VERSIONS.c.digest),
            )
        ).all()
        self.bots = {row.digest: row.bot for row in rows}
        remote = remote_names(session)
        self.remote = {version: bot for version, bot in self.bots.items() if bot in remote}
        owners = contestant_of(session, self._counted(session) | self.bots)
        self.at_a_table = most_at_a_table(owners[version] for version in self.bots)
        for version in before.keys() - self.bots.keys():
            self._field.leave(version)
        for version, owner in owners.items():
            if version in self.bots:
                self._field.enter(version, owner)
            else:
                self._field.assign(version, owner)
        last = sa.select(sa.func.max(CHANGES.c.sequence)).where(CHANGES.c.ladder == self._ladder)
        self._sequence = session.scalar(last) or 0
        for row in rows:
            skill = BEGINNER if row.mu is None else Skill(row.mu, row.sigma)
            self._field.rate(row.digest, skill, fitted=row.fit_mu is not None)

    def _counted(self, session: Session) -> dict[str, str]:
        """Returns the bots of the versions that have been paired, by version."""
        counted = sa.select(SEATS.c.version).where(SEATS.c.ladder == self._ladder)
        columns = sa.select(VERSIONS.c.digest, VERSIONS.c.bot)
        return dict(session.execute(columns.where(VERSIONS.c.digest.in_(counted))).all())

    def _read_changes(self, session: Session) -> None:
        """Reads the running ratings that jobs have changed, of versions that have no fit yet."""
        later = {"ladder": self._ladder, "after": self._sequence}
        for row in session.connection().execute(READ_CHANGES, later):
            if not self._field.has_fit(row.version):
                self._field.rate(row.version, Skill(row.mu, row.sigma))
            self._sequence = row.sequence
