"""Takes a store's tables back to what they were before a migration."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

BEFORE_TABLES = """
DROP TABLE tables;
UPDATE alembic_version SET version_num = '0011';
"""
BEFORE_PAGE_NUMBERS = """
PRAGMA foreign_keys = OFF;
DROP TABLE seat_results;
DROP TABLE meeting_results;
DROP TABLE decision_times;
DROP INDEX ix_matches_finished_at_id;
DROP INDEX ix_matches_competition_finished_at_id;
DROP INDEX ix_matches_game_finished_at_id;
DROP INDEX ix_match_seats_bot_finished_at_match;
DROP INDEX ix_match_seats_bot_margin_match;
DROP INDEX ix_match_seats_slowest_ms;
DROP INDEX ix_match_seats_faults;
DROP INDEX ix_match_seats_faults_bot;
DROP INDEX ix_match_seats_faults_competition;
ALTER TABLE match_seats DROP COLUMN margin;
ALTER TABLE match_seats DROP COLUMN decision_counts;
ALTER TABLE match_seats DROP COLUMN total_ms;
ALTER TABLE match_seats DROP COLUMN slowest_ms;
CREATE INDEX ix_matches_competition_finished_at ON matches (competition, finished_at);
CREATE INDEX ix_match_seats_bot ON match_seats (bot);
UPDATE alembic_version SET version_num = '0010';
"""


def without_page_numbers(database: Path) -> None:
    """Takes back the migration 0011, and those after it."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(BEFORE_TABLES)
        connection.executescript(BEFORE_PAGE_NUMBERS)
