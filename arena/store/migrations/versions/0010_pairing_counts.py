"""What a league needs for its next job, whatever has been played: the counts behind a ladder's
pairings, indexes, and a revision that counts changes of who may be paired."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

CHANGES = {
    "entries_added": "INSERT ON entries",
    "entries_changed": "UPDATE OF state ON entries",
    "entries_removed": "DELETE ON entries",
    "versions_changed": "UPDATE OF state ON versions",
    "bots_changed": "UPDATE OF owner ON bots",
    "tokens_added": "INSERT ON tokens WHEN new.role = 'owner'",
    "tokens_changed": "UPDATE OF role, owner ON tokens",
    "tokens_removed": "DELETE ON tokens",
    "remotes_added": "INSERT ON remotes",
    "remotes_removed": "DELETE ON remotes",
}


def upgrade() -> None:
    _count_changes()
    _count_pairings()
    _add_indexes()


def _count_changes() -> None:
    op.create_table(
        "revisions",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_revisions"),
    )
    op.execute("INSERT INTO revisions (name, number) VALUES ('field', 1)")
    for name, change in CHANGES.items():
        op.execute(
            f"CREATE TRIGGER revise_field_{name} AFTER {change} BEGIN"
            " UPDATE revisions SET number = number + 1 WHERE name = 'field'; END"
        )


def _count_pairings() -> None:
    seats = op.create_table(
        "ladder_seats",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("jobs", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ladder_seats_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_ladder_seats_version"),
        sa.PrimaryKeyConstraint("ladder", "version", "seat", name="pk_ladder_seats"),
        sqlite_with_rowid=False,
    )
    meetings = op.create_table(
        "ladder_meetings",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("one", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64), nullable=False),
        sa.Column("jobs", sa.Integer, nullable=False),
        sa.Column("partnered", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ladder_meetings_ladder"),
        sa.ForeignKeyConstraint(["one"], ["versions.digest"], name="fk_ladder_meetings_one"),
        sa.ForeignKeyConstraint(["other"], ["versions.digest"], name="fk_ladder_meetings_other"),
        sa.PrimaryKeyConstraint("ladder", "one", "other", name="pk_ladder_meetings"),
        sqlite_with_rowid=False,
    )
    for ladder in op.get_bind().scalars(sa.text("SELECT name FROM ladders")).all():
        _count_ladder(ladder, seats, meetings)


def _count_ladder(ladder: str, seats: sa.Table, meetings: sa.Table) -> None:
    teams = _teams(ladder)
    sat: Counter[tuple[str, int]] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    partnered: Counter[tuple[str, ...]] = Counter()
    bodies = sa.text("SELECT body FROM jobs WHERE competition = :ladder")
    for body in op.get_bind().scalars(bodies, {"ladder": ladder}):
        versions = [entrant["version"] for entrant in json.loads(body).get("entrants", [])]
        sat.update((version, seat) for seat, version in enumerate(versions))
        met.update(combinations(sorted(set(versions)), 2))
        partnered.update(
            (min(one, other), max(one, other))
            for (seat, one), (partner, other) in combinations(enumerate(versions), 2)
            if one != other and teams.get(seat, seat) == teams.get(partner, partner)
        )
    op.bulk_insert(
        seats,
        [
            {"ladder": ladder, "version": version, "seat": seat, "jobs": jobs}
            for (version, seat), jobs in sorted(sat.items())
        ],
    )
    op.bulk_insert(
        meetings,
        [
            {"ladder": ladder, "one": one, "other": other, "jobs": jobs, "partnered": together}
            for (one, other), jobs in sorted(met.items())
            for together in (partnered[one, other],)
        ],
    )


def _teams(ladder: str) -> dict[int, int]:
    """Returns the team of each seat, as a match of the ladder has it; {} before the first."""
    found = sa.text(
        "SELECT seat, team FROM match_seats WHERE match ="
        " (SELECT id FROM matches WHERE competition = :ladder LIMIT 1)"
    )
    rows = op.get_bind().execute(found, {"ladder": ladder})
    return {row.seat: row.team for row in rows}


def _add_indexes() -> None:
    op.create_index(
        "ix_jobs_queued", "jobs", ["created_at"], sqlite_where=sa.text("state = 'queued'")
    )
    # Every row receives its match's values; the defaults only let the columns be added.
    op.add_column(
        "match_seats", sa.Column("competition", sa.String, nullable=False, server_default="")
    )
    op.add_column(
        "match_seats",
        sa.Column(
            "finished_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default="1970-01-01 00:00:00.000000",
        ),
    )
    op.execute(
        "UPDATE match_seats SET competition = matches.competition,"
        " finished_at = matches.finished_at FROM matches WHERE matches.id = match_seats.match"
    )
    op.drop_index("ix_match_seats_version", "match_seats")
    op.create_index(
        "ix_match_seats_version_competition_finished_at",
        "match_seats",
        ["version", "competition", "finished_at"],
    )
