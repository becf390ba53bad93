"""Bots that dial in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "remotes",
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("connected", sa.Boolean, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.name"], name="fk_remotes_bot"),
        sa.PrimaryKeyConstraint("bot", name="pk_remotes"),
        sa.UniqueConstraint("token_hash", name="uq_remotes_token_hash"),
    )
