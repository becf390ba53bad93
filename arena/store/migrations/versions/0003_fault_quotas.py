"""Versions that are at fault too often are suspended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # What new ladders have by default.
    quota = sa.Column("fault_quota", sa.Integer, nullable=False, server_default="5")
    op.add_column("ladders", quota)
    op.add_column("entries", sa.Column("cleared_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("entries", sa.Column("suspended_for", sa.String, nullable=True))
