"""Tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("common_deals", sa.Boolean, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_tournaments_name"),
        sa.PrimaryKeyConstraint("name", name="pk_tournaments"),
    )
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("entered_round", sa.Integer, nullable=False),
        sa.Column("withdrawn_round", sa.Integer, nullable=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.name"], name="fk_tournament_entrants_tournament"
        ),
        sa.ForeignKeyConstraint(
            ["version"], ["versions.digest"], name="fk_tournament_entrants_version"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_entrants"),
        sa.UniqueConstraint(
            "tournament", "version", name="uq_tournament_entrants_tournament_version"
        ),
    )
    op.create_table(
        "tournament_rounds",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("pairing", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.name"], name="fk_tournament_rounds_tournament"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_rounds"),
    )
    op.create_table(
        "tournament_groups",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("table", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_tournament_groups_job"),
        sa.ForeignKeyConstraint(
            ["tournament", "round"],
            ["tournament_rounds.tournament", "tournament_rounds.number"],
            name="fk_tournament_groups_tournament_round",
        ),
        sa.PrimaryKeyConstraint(
            "tournament", "round", "table", "number", name="pk_tournament_groups"
        ),
        sa.UniqueConstraint("job", name="uq_tournament_groups_job"),
    )
