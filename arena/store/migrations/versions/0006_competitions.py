"""Ladders become one kind of competition, so that jobs and matches can be played for others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SHARED = (
    "game",
    "rules_version",
    "options",
    "bank_ms",
    "increment_ms",
    "seats",
    "format",
    "partners",
    "state",
    "created_at",
)


def upgrade() -> None:
    op.create_table(
        "competitions",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("bank_ms", sa.Integer, nullable=False),
        sa.Column("increment_ms", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("partners", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_competitions"),
    )
    shared = ", ".join(SHARED)
    op.execute(
        f"INSERT INTO competitions (name, kind, {shared}) SELECT name, 'ladder', {shared}"
        " FROM ladders"
    )
    with op.batch_alter_table("ladders") as ladders:
        for column in SHARED:
            ladders.drop_column(column)
        ladders.create_foreign_key("fk_ladders_name", "competitions", ["name"], ["name"])
    _rename("jobs", "state")
    _rename("matches", "finished_at")
    op.execute("""UPDATE jobs SET body = replace(body, '"ladder":"', '"competition":"')""")


def _rename(table: str, indexed: str) -> None:
    """The column `ladder` becomes `competition`, in its key and index too."""
    with op.batch_alter_table(table) as batch:
        batch.drop_index(f"ix_{table}_ladder_{indexed}")
        batch.drop_constraint(f"fk_{table}_ladder", type_="foreignkey")
        if table == "jobs":
            batch.drop_constraint("uq_jobs_ladder_sequence", type_="unique")
        batch.alter_column("ladder", new_column_name="competition")
    with op.batch_alter_table(table) as batch:
        batch.create_foreign_key(
            f"fk_{table}_competition", "competitions", ["competition"], ["name"]
        )
        if table == "jobs":
            batch.create_unique_constraint(
                "uq_jobs_competition_sequence", ["competition", "sequence"]
            )
        batch.create_index(f"ix_{table}_competition_{indexed}", ["competition", indexed])
