"""Tables at which people play; and how surprising each match was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("repeats", sa.String, nullable=True),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_tables_name"),
        sa.ForeignKeyConstraint(["person"], ["bots.name"], name="fk_tables_person"),
        sa.ForeignKeyConstraint(["repeats"], ["matches.id"], name="fk_tables_repeats"),
        sa.PrimaryKeyConstraint("name", name="pk_tables"),
        sa.UniqueConstraint("key_hash", name="uq_tables_key_hash"),
    )
    surprise = sa.Column("surprise", sa.Double, nullable=False, server_default="0")
    op.add_column("matches", surprise)
