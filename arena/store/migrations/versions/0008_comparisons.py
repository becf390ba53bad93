"""Comparisons."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comparisons",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_comparisons_name"),
        sa.PrimaryKeyConstraint("name", name="pk_comparisons"),
    )
    op.create_table(
        "comparison_groups",
        sa.Column("comparison", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("difference", sa.Double, nullable=True),
        sa.ForeignKeyConstraint(
            ["comparison"], ["comparisons.name"], name="fk_comparison_groups_comparison"
        ),
        sa.PrimaryKeyConstraint("comparison", "number", name="pk_comparison_groups"),
    )
    op.create_table(
        "comparison_jobs",
        sa.Column("comparison", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("half", sa.Integer, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_comparison_jobs_job"),
        sa.ForeignKeyConstraint(
            ["comparison", "number"],
            ["comparison_groups.comparison", "comparison_groups.number"],
            name="fk_comparison_jobs_comparison_number",
        ),
        sa.PrimaryKeyConstraint("comparison", "number", "half", name="pk_comparison_jobs"),
        sa.UniqueConstraint("job", name="uq_comparison_jobs_job"),
    )
