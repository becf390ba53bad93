"""Tournaments that start by themselves, and entrants that have checked in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("starts_at", sa.DateTime(timezone=True)))
    op.add_column(
        "tournaments",
        sa.Column("check_in_minutes", sa.Integer, nullable=False, server_default="0"),
    )
    op.add_column(
        "tournament_entrants",
        sa.Column("checked_in", sa.Boolean, nullable=False, server_default=sa.false()),
    )
