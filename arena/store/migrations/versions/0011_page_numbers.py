"""What pages show of all that was played, counted as it is recorded: results by seat and by
opponent, times of decisions, margins. And the indexes of their lists.

The times are in the records, which have to be replayed: `arena recount` reads them.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

MARGINS = """
UPDATE match_seats SET margin = (
    SELECT abs(match_seats.score - other.score)
        * ((match_seats.rank < other.rank) - (match_seats.rank > other.rank))
    FROM match_seats AS other
    WHERE other.match = match_seats.match AND other.team != match_seats.team
    ORDER BY other.rank, other.seat LIMIT 1
)
WHERE EXISTS (
    SELECT 1 FROM match_seats AS other
    WHERE other.match = match_seats.match AND other.team != match_seats.team
)
"""
SEAT_RESULTS = """
INSERT INTO seat_results
    (competition, version, seat, matches, wins, ties, ranks, scores, faults, total_ms, slowest_ms)
SELECT competition, version, seat, count(*), sum(first AND NOT shared), sum(first AND shared),
    sum(rank), sum(score), sum(fault_kind IS NOT NULL), 0, 0
FROM (
    SELECT *, rank = 1 AS first, EXISTS (
        SELECT 1 FROM match_seats AS other
        WHERE other.match = own.match AND other.team != own.team AND other.rank = 1
    ) AS shared
    FROM match_seats AS own
)
GROUP BY competition, version, seat
"""
MEETING_RESULTS = """
WITH sat AS (
    SELECT own.competition, job, match, version, min(rank) AS rank, min(team) AS low,
        max(team) AS high, max(fault_kind IS NOT NULL) AS fault
    FROM match_seats AS own JOIN matches ON matches.id = own.match
    GROUP BY match, version
), met AS (
    SELECT one.competition, one.job, one.version, other.version AS opponent, count(*) AS matches,
        sum(one.rank < other.rank) AS wins, sum(one.rank = other.rank) AS ties,
        sum(one.rank > other.rank) AS losses, sum(one.rank = 1) AS firsts, sum(one.fault) AS faults
    FROM sat AS one JOIN sat AS other ON other.match = one.match AND other.version != one.version
    WHERE min(one.low, other.low) < max(one.high, other.high)
    GROUP BY one.competition, one.job, one.version, other.version
)
INSERT INTO meeting_results
    (competition, version, opponent, jobs, matches, wins, ties, squares, firsts, faults)
SELECT competition, version, opponent, count(*), sum(matches), sum(wins), sum(ties),
    sum((wins - losses) * (wins - losses)), sum(firsts), sum(faults)
FROM met GROUP BY competition, version, opponent
"""
AT_FAULT = sa.text("fault_kind IS NOT NULL")


def upgrade() -> None:
    _create_tables()
    _add_columns()
    for statement in (MARGINS, SEAT_RESULTS, MEETING_RESULTS):
        op.execute(statement)
    _replace_indexes()


def _create_tables() -> None:
    _create(
        "seat_results",
        "seat",
        sa.Integer,
        "matches wins ties ranks +scores faults +total_ms slowest_ms",
    )
    _create(
        "meeting_results", "opponent", sa.String(64), "jobs matches wins ties squares firsts faults"
    )
    _create("decision_times", "bucket", sa.Integer, "+decisions")


def _create(name: str, key: str, kind: Any, numbers: str) -> None:
    """Creates a table of numbers by competition, version and another key. `numbers`: the names of
    its columns; a plus stands for large ones."""
    versions = ["version", key] if key == "opponent" else ["version"]
    op.create_table(
        name,
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column(key, kind, nullable=False),
        *(
            sa.Column(
                number.lstrip("+"),
                sa.BigInteger if number.startswith("+") else sa.Integer,
                nullable=False,
            )
            for number in numbers.split()
        ),
        sa.ForeignKeyConstraint(
            ["competition"], ["competitions.name"], name=f"fk_{name}_competition"
        ),
        *(
            sa.ForeignKeyConstraint([column], ["versions.digest"], name=f"fk_{name}_{column}")
            for column in versions
        ),
        sa.PrimaryKeyConstraint("competition", "version", key, name=f"pk_{name}"),
        sqlite_with_rowid=False,
    )


def _add_columns() -> None:
    # Every row receives its own margin; the default only lets the column be added.
    op.add_column(
        "match_seats", sa.Column("margin", sa.Integer, nullable=False, server_default="0")
    )
    op.add_column("match_seats", sa.Column("decision_counts", sa.JSON(none_as_null=True)))
    op.add_column("match_seats", sa.Column("total_ms", sa.BigInteger))
    op.add_column("match_seats", sa.Column("slowest_ms", sa.Integer))


def _replace_indexes() -> None:
    op.drop_index("ix_matches_competition_finished_at", "matches")
    op.drop_index("ix_match_seats_bot", "match_seats")
    for table, columns in (
        ("matches", ["finished_at", "id"]),
        ("matches", ["competition", "finished_at", "id"]),
        ("matches", ["game", "finished_at", "id"]),
        ("match_seats", ["bot", "finished_at", "match"]),
        ("match_seats", ["bot", "margin", "match"]),
        ("match_seats", ["slowest_ms"]),
    ):
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, columns)
    for name, first in (("", []), ("_bot", ["bot"]), ("_competition", ["competition"])):
        op.create_index(
            f"ix_match_seats_faults{name}",
            "match_seats",
            [*first, "finished_at", "match"],
            sqlite_where=AT_FAULT,
        )
