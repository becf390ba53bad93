"""News and the webhooks that send them, announcements, and invitations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "news",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_news"),
    )
    op.create_table(
        "webhooks",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.String, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_webhooks"),
    )
    op.create_table(
        "announcements",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_announcements"),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
        sa.UniqueConstraint("hash", name="uq_invitations_hash"),
    )
