"""Tokens, and what versions take up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
    )
    # Nothing was counted before, and it counts for nobody.
    size = sa.Column("size", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("versions", size)
