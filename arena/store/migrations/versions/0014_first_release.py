"""The tables of the first release.

Versions in development had revisions 0001 to 0013; their data folders cannot be upgraded.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = None
branch_labels = None
depends_on = None


def only(rows: str) -> dict[str, Any]:
    """Returns the options of an index that has only these rows."""
    return {f"{dialect}_where": sa.text(rows) for dialect in ("sqlite", "postgresql")}


QUEUED = only("state = 'queued'")
AT_FAULT = only("fault_kind IS NOT NULL")

# The revision "field" counts these changes of who may be paired; SQLite and PostgreSQL read them.
CHANGES = {
    "entries_added": "INSERT ON entries",
    "entries_changed": "UPDATE OF state ON entries",
    "entries_removed": "DELETE ON entries",
    "versions_changed": "UPDATE OF state ON versions",
    "bots_changed": "UPDATE OF owner ON bots",
    "owners_added": "INSERT ON tokens FOR EACH ROW WHEN (new.role = 'owner')",
    "owners_changed": "UPDATE OF role, owner ON tokens",
    "owners_removed": "DELETE ON tokens",
    "remotes_added": "INSERT ON remotes",
    "remotes_removed": "DELETE ON remotes",
}


def upgrade() -> None:
    _create_bots()
    _create_competitions()
    _create_matches()
    _create_ladders()
    _create_tournaments()
    _create_comparisons()
    _create_card_tables()
    _create_counts()
    _count_changes()


def _create_bots() -> None:
    op.create_table(
        "bots",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_bots"),
    )
    op.create_table(
        "versions",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("manifest", sa.JSON, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.name"], name="fk_versions_bot"),
        sa.PrimaryKeyConstraint("digest", name="pk_versions"),
        sa.UniqueConstraint("bot", "number", name="uq_versions_bot_number"),
    )
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


def _create_competitions() -> None:
    op.create_table(
        "competitions",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("bank_ms", sa.Integer, nullable=False),
        sa.Column("increment_ms", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("partners", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_competitions"),
    )
    op.create_table(
        "ladders",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("draw_probability", sa.Double, nullable=False),
        sa.Column("fault_quota", sa.Integer, nullable=False),
        sa.Column("fitted_jobs", sa.Integer, nullable=True),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_ladders_name"),
        sa.PrimaryKeyConstraint("name", name="pk_ladders"),
    )
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("terms", sa.JSON, nullable=False),
        sa.Column("common_deals", sa.Boolean, nullable=False),
        sa.Column("plan_digest", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_tournaments_name"),
        sa.PrimaryKeyConstraint("name", name="pk_tournaments"),
    )
    op.create_table(
        "comparisons",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["name"], ["competitions.name"], name="fk_comparisons_name"),
        sa.PrimaryKeyConstraint("name", name="pk_comparisons"),
    )


def _create_matches() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sequence", sa.Integer, nullable=True),
        sa.ForeignKeyConstraint(["competition"], ["competitions.name"], name="fk_jobs_competition"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("competition", "sequence", name="uq_jobs_competition_sequence"),
    )
    op.create_index("ix_jobs_competition_state", "jobs", ["competition", "state"])
    op.create_index("ix_jobs_queued", "jobs", ["created_at"], **QUEUED)
    op.create_table(
        "matches",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("surprise", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"], ["competitions.name"], name="fk_matches_competition"
        ),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_matches_job"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("job", "number", name="uq_matches_job_number"),
    )
    op.create_index(
        "ix_matches_competition_finished_at_id", "matches", ["competition", "finished_at", "id"]
    )
    op.create_index("ix_matches_finished_at_id", "matches", ["finished_at", "id"])
    op.create_index("ix_matches_game_finished_at_id", "matches", ["game", "finished_at", "id"])
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
        sa.Column("fault_words", sa.Text, nullable=True),
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("margin", sa.Integer, nullable=False),
        sa.Column("decision_counts", sa.JSON, nullable=False),
        sa.Column("total_ms", sa.BigInteger, nullable=False),
        sa.Column("slowest_ms", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.name"], name="fk_match_seats_bot"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_match_seats_match"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_match_seats_version"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_match_seats"),
    )
    op.create_index(
        "ix_match_seats_bot_finished_at_match", "match_seats", ["bot", "finished_at", "match"]
    )
    op.create_index("ix_match_seats_bot_margin_match", "match_seats", ["bot", "margin", "match"])
    op.create_index("ix_match_seats_faults", "match_seats", ["finished_at", "match"], **AT_FAULT)
    op.create_index(
        "ix_match_seats_faults_bot", "match_seats", ["bot", "finished_at", "match"], **AT_FAULT
    )
    op.create_index(
        "ix_match_seats_faults_competition",
        "match_seats",
        ["competition", "finished_at", "match"],
        **AT_FAULT,
    )
    op.create_index("ix_match_seats_slowest_ms", "match_seats", ["slowest_ms"])
    op.create_index(
        "ix_match_seats_version_competition_finished_at",
        "match_seats",
        ["version", "competition", "finished_at"],
    )
    op.create_table(
        "records",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_records_match"),
        sa.PrimaryKeyConstraint("match", name="pk_records"),
    )
    op.create_table(
        "private_logs",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_private_logs_match"),
        sa.PrimaryKeyConstraint("match", name="pk_private_logs"),
    )


def _create_ladders() -> None:
    op.create_table(
        "entries",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("suspended_for", sa.String, nullable=True),
        sa.Column("cleared_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_entries_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_entries_version"),
        sa.PrimaryKeyConstraint("ladder", "version", name="pk_entries"),
    )
    op.create_table(
        "ratings",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.Column("fit_mu", sa.Double, nullable=True),
        sa.Column("fit_sigma", sa.Double, nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ratings_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_ratings_version"),
        sa.PrimaryKeyConstraint("ladder", "version", name="pk_ratings"),
    )
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
    op.create_index(
        "ix_rating_changes_ladder_version_sequence",
        "rating_changes",
        ["ladder", "version", "sequence"],
    )
    op.create_table(
        "ladder_seats",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("jobs", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ladder_seats_ladder"),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_ladder_seats_version"),
        sa.PrimaryKeyConstraint("ladder", "version", "seat", name="pk_ladder_seats"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ladder_meetings",
        sa.Column("ladder", sa.String, nullable=False),
        sa.Column("one", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64), nullable=False),
        sa.Column("jobs", sa.Integer, nullable=False),
        sa.Column("partnered", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.name"], name="fk_ladder_meetings_ladder"),
        sa.ForeignKeyConstraint(["one"], ["versions.digest"], name="fk_ladder_meetings_one"),
        sa.ForeignKeyConstraint(["other"], ["versions.digest"], name="fk_ladder_meetings_other"),
        sa.PrimaryKeyConstraint("ladder", "one", "other", name="pk_ladder_meetings"),
        sqlite_with_rowid=False,
    )


def _create_tournaments() -> None:
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("owner", sa.String, nullable=True),
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
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=True),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.name"], name="fk_tournament_events_tournament"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_events"),
    )


def _create_comparisons() -> None:
    op.create_table(
        "comparison_groups",
        sa.Column("comparison", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("difference", sa.Double, nullable=True),
        sa.ForeignKeyConstraint(
            ["comparison"], ["comparisons.name"], name="fk_comparison_groups_comparison"
        ),
        sa.PrimaryKeyConstraint("comparison", "number", name="pk_comparison_groups"),
    )
    op.create_table(
        "comparison_jobs",
        sa.Column("comparison", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("half", sa.Integer, nullable=False),
        sa.Column("job", sa.String, nullable=False),
        sa.ForeignKeyConstraint(
            ["comparison", "number"],
            ["comparison_groups.comparison", "comparison_groups.number"],
            name="fk_comparison_jobs_comparison_number",
        ),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="fk_comparison_jobs_job"),
        sa.PrimaryKeyConstraint("comparison", "number", "half", name="pk_comparison_jobs"),
        sa.UniqueConstraint("job", name="uq_comparison_jobs_job"),
    )


def _create_card_tables() -> None:
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


def _create_counts() -> None:
    op.create_table(
        "seat_results",
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("ties", sa.Integer, nullable=False),
        sa.Column("ranks", sa.Integer, nullable=False),
        sa.Column("scores", sa.BigInteger, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.Column("total_ms", sa.BigInteger, nullable=False),
        sa.Column("slowest_ms", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"], ["competitions.name"], name="fk_seat_results_competition"
        ),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_seat_results_version"),
        sa.PrimaryKeyConstraint("competition", "version", "seat", name="pk_seat_results"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "meeting_results",
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("opponent", sa.String(64), nullable=False),
        sa.Column("jobs", sa.Integer, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("ties", sa.Integer, nullable=False),
        sa.Column("squares", sa.Integer, nullable=False),
        sa.Column("firsts", sa.Integer, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"], ["competitions.name"], name="fk_meeting_results_competition"
        ),
        sa.ForeignKeyConstraint(
            ["opponent"], ["versions.digest"], name="fk_meeting_results_opponent"
        ),
        sa.ForeignKeyConstraint(
            ["version"], ["versions.digest"], name="fk_meeting_results_version"
        ),
        sa.PrimaryKeyConstraint("competition", "version", "opponent", name="pk_meeting_results"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "decision_times",
        sa.Column("competition", sa.String, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("bucket", sa.Integer, nullable=False),
        sa.Column("decisions", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["competition"], ["competitions.name"], name="fk_decision_times_competition"
        ),
        sa.ForeignKeyConstraint(["version"], ["versions.digest"], name="fk_decision_times_version"),
        sa.PrimaryKeyConstraint("competition", "version", "bucket", name="pk_decision_times"),
        sqlite_with_rowid=False,
    )


def _count_changes() -> None:
    op.create_table(
        "revisions",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_revisions"),
    )
    op.execute("INSERT INTO revisions (name, number) VALUES ('field', 1)")
    count = "UPDATE revisions SET number = number + 1 WHERE name = 'field';"
    if op.get_context().dialect.name == "sqlite":
        action = f"BEGIN {count} END"
    else:
        op.execute(
            "CREATE FUNCTION revise_field() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {count} RETURN NULL; END $$"
        )
        action = "EXECUTE FUNCTION revise_field()"
    for name, change in CHANGES.items():
        op.execute(f"CREATE TRIGGER revise_field_{name} AFTER {change} {action}")
