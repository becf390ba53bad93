"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_bots"),
    )
    op.create_table(
        "ladders",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("bank_ms", sa.Integer, nullable=False),
        sa.Column("increment_ms", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("partners", sa.String(16), nullable=False),
        sa.Column("draw_probability", sa.Double, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_ladders"),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sequence", sa.Integer, nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_jobs_ladder"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("ladder", "sequence", name="uq_jobs_ladder_sequence"),
    )
    op.create_index("ix_jobs_ladder_state", "jobs", ["ladder", "state"])
    op.create_table(
        "versions",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("manifest", sa.JSON, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.name"], name="fk_versions_bot"),
        sa.PrimaryKeyConstraint("digest", name="pk_versions"),
        sa.UniqueConstraint("bot", "number", name="uq_versions_bot_number"),
    )
    op.create_table(
        "entries",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_entries_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_entries_version"),
        sa.PrimaryKeyConstraint("ladder", "version", name="pk_entries"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_matches_job"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_matches_ladder"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("job", "number", name="uq_matches_job_number"),
    )
    op.create_index("ix_matches_ladder_finished_at", "matches", ["ladder", "finished_at"])
    op.create_table(
        "rating_changes",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_rating_changes_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_rating_changes_version"),
        sa.PrimaryKeyConstraint("ladder", "sequence", "version", name="pk_rating_changes"),
    )
    op.create_table(
        "ratings",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ratings_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_ratings_version"),
        sa.PrimaryKeyConstraint("ladder", "version", name="pk_ratings"),
    )
    op.create_table(
        "match_seats",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("team", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("fault_kind", sa.String, nullable=True),
        sa.Column("fault_decision", sa.Integer, nullable=True),
        sa.Column("fault_sentence", sa.Text, nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.name"], name="fk_match_seats_bot"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_match_seats_match"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_match_seats_version"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_match_seats"),
    )
    op.create_index("ix_match_seats_bot", "match_seats", ["bot"])
    op.create_index("ix_match_seats_version", "match_seats", ["version"])
    op.create_table(
        "private_logs",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_private_logs_match"),
        sa.PrimaryKeyConstraint("match", name="pk_private_logs"),
    )
    op.create_table(
        "records",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_records_match"),
        sa.PrimaryKeyConstraint("match", name="pk_records"),
    )
