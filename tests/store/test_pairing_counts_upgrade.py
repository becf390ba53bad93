"""A data folder from before the counts behind pairings has them after its upgrade."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.games import load
from arena.league.ladder.jobs import LadderJobs
from arena.league.ladder.ladders import create_ladder, enter
from arena.league.recorder import Recorded, Recorder
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.queries import field_revision
from arena.store.session import Store
from arena.store.tables import Entry, EntryState, MatchSeat, Partners
from arena.store.upgrade import upgrade_folder
from arena.store.versions import add_version
from tests.support.earlier_tables import without_page_numbers
from tests.support.job_outcomes import outcome_of
from tests.support.pairing_counts import Meetings, Seats, counted, stored

LADDERS: dict[str, dict[str, Any]] = {
    "pairs": {"game": "xeri", "options": {"deals": 1}},
    "any": {"game": "seven-euchre"},
    "same": {"game": "seven-euchre", "partners": Partners.SAME},
}
UNDO = """
PRAGMA foreign_keys = OFF;
DROP TABLE ladder_seats;
DROP TABLE ladder_meetings;
DROP TABLE revisions;
DROP INDEX ix_jobs_queued;
DROP INDEX ix_match_seats_version_competition_finished_at;
ALTER TABLE match_seats DROP COLUMN competition;
ALTER TABLE match_seats DROP COLUMN finished_at;
CREATE INDEX ix_match_seats_version ON match_seats (version);
UPDATE alembic_version SET version_num = '0009';
"""


def undo(database: Path) -> None:
    """Takes the step back that the migration made, and those after it."""
    without_page_numbers(database)
    with closing(sqlite3.connect(database)) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(UNDO)


@pytest.fixture
def played(tmp_path: Path, seed: int) -> DataFolder:
    """A data folder with three ladders, on which some jobs were played and others wait."""
    rng, store = Random(seed), open_store(tmp_path, "write")
    for name, terms in LADDERS.items():
        ladder = create_ladder(store, name, **terms, draw_probability=0.05)
        with store.writing() as session:
            for number in range(6):
                digest = f"{number:064x}"
                add_version(session, bot=f"b{number}", owner="org", version=digest, manifest={})
                enter(session, ladder, digest)
        with store.writing() as session:
            jobs = LadderJobs(session, ladder, rng).make(session, 8)
        for job in jobs[:5]:
            assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    store.close()
    return DataFolder(tmp_path)


def all_counts(store: Store, read: Callable[..., tuple[Seats, Meetings]]) -> dict[str, Any]:
    found = {}
    with store.reading() as session:
        for name, terms in LADDERS.items():
            teams = load(terms["game"]).teams(load(terms["game"]).ladder_players)
            found[name] = read(session, name, teams)
    return found


def test_the_upgrade_counts_what_was_paired(played: DataFolder) -> None:
    undo(played.database)
    assert upgrade_folder(played) is not None
    store = open_store(played.path, "write")
    right = all_counts(store, counted)
    assert all(seats and meetings for seats, meetings in right.values())
    assert any(partnered for _, partnered in right["any"][1].values())
    assert all_counts(store, lambda session, name, _: stored(session, name)) == right
    with store.reading() as session:
        seats = sa.select(MatchSeat.competition, MatchSeat.finished_at, MatchSeat.match)
        for competition, finished_at, match in session.execute(seats):
            found = sa.text("SELECT competition FROM matches WHERE id = :id")
            assert session.scalar(found, {"id": match}) == competition
            assert finished_at.year == 2026
    store.close()


def test_the_database_counts_changes_after_the_upgrade_too(played: DataFolder) -> None:
    undo(played.database)
    upgrade_folder(played)
    store = open_store(played.path, "write")
    with store.writing() as session:
        before = field_revision(session)
        session.execute(sa.update(Entry).values(state=EntryState.WITHDRAWN))
    with store.reading() as session:
        assert field_revision(session) > before
    store.close()


def test_only_a_transaction_that_asks_for_it_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    store = open_store(tmp_path, "write")
    levels = []
    for durable in (True, False, True):
        with store.writing(durable=durable) as session:
            levels.append(session.scalar(sa.text("PRAGMA synchronous")))
    assert levels == [2, 1, 2]  # FULL, NORMAL, FULL
    store.close()
