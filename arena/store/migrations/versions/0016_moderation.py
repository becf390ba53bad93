"""Void matches, banned owners, the audit log, seasons of ladders, and tokens that expire."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "void_matches",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_void_matches_match"),
        sa.PrimaryKeyConstraint("match", name="pk_void_matches"),
    )
    op.create_table(
        "bans",
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", name="pk_bans"),
    )
    op.create_table(
        "audit_lines",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("caller", sa.String, nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("operation", sa.String, nullable=False),
        sa.Column("arguments", sa.JSON, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit_lines"),
    )
    op.create_index("ix_audit_lines_at", "audit_lines", ["at"])
    for name in ("starts_at", "submit_until", "ends_at"):
        op.add_column("ladders", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("ladders") as ladders:
        ladders.add_column(sa.Column("follows", sa.String, nullable=False, server_default=""))
        ladders.add_column(
            sa.Column("newest_only", sa.Boolean, nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("ladders") as ladders:
        ladders.alter_column("follows", server_default=None)
        ladders.alter_column("newest_only", server_default=None)
    op.add_column("tokens", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
