"""Ratings fitted to all matches at once, and a version's history in order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ladders", sa.Column("fitted_jobs", sa.Integer, nullable=True))
    for name in ("fit_mu", "fit_sigma"):
        op.add_column("ratings", sa.Column(name, sa.Double, nullable=True))
    op.create_index(
        "ix_rating_changes_ladder_version_sequence",
        "rating_changes",
        ["ladder", "version", "sequence"],
    )
