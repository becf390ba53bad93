"""Analyses of matches, which workers make."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=True),
        sa.PrimaryKeyConstraint("match", name="pk_analyses"),
        sa.ForeignKeyConstraint(
            ["match"], ["records.match"], name="fk_analyses_match", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("job", name="uq_analyses_job"),
    )
    op.create_index("ix_analyses_owner_created_at", "analyses", ["owner", "created_at"])
    is_open = sa.text("body IS NULL AND reason = ''")
    op.create_index(
        "ix_analyses_open",
        "analyses",
        ["created_at"],
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
