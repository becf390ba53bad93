"""The machines of workers, and the one that played each job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "machines",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True)),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True)),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_machines"),
    )
    op.add_column("jobs", sa.Column("machine", sa.String))
    op.create_index("ix_jobs_recorded_at_machine", "jobs", ["recorded_at", "machine"])
