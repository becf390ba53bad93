"""A data folder from before the numbers of pages has them after its upgrade and a recount."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.cli.app import run
from arena.league.ladder.jobs import LadderJobs
from arena.league.ladder.ladders import create_ladder, enter
from arena.league.numbers import Recount, has_unknown_times, recount
from arena.league.recorder import Recorded, Recorder
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.session import Store
from arena.store.tables import MatchSeat, Partners
from arena.store.upgrade import upgrade_folder
from arena.store.versions import add_version
from tests.support.earlier_tables import without_page_numbers
from tests.support.job_outcomes import outcome_of
from tests.support.page_numbers import counted, stored

LADDERS: dict[str, dict[str, Any]] = {
    "pairs": {"game": "xeri", "options": {"deals": 1}},
    "threes": {"game": "insidious-sevens", "seats": 3},
    "teams": {"game": "seven-euchre", "partners": Partners.SAME},
}
JOBS = 5


@pytest.fixture
def played(tmp_path: Path, seed: int) -> DataFolder:
    """A data folder with three ladders that have been played."""
    rng, store = Random(seed), open_store(tmp_path, "write")
    for name, terms in LADDERS.items():
        ladder = create_ladder(store, name, **terms, draw_probability=0.05)
        with store.writing() as session:
            for number in range(5):
                digest = f"{number:064x}"
                add_version(session, bot=f"b{number}", owner="org", version=digest, manifest={})
                enter(session, ladder, digest)
            jobs = LadderJobs(session, ladder, rng).make(session, JOBS)
        for job, at_fault in zip(jobs, ([], [0], [], [1], [0, 1]), strict=True):
            assert Recorder(store).record(outcome_of(job, rng, at_fault=at_fault)) == Recorded()
    store.close()
    return DataFolder(tmp_path)


def margins(store: Store) -> list[tuple[Any, ...]]:
    with store.reading() as session:
        seats = sa.select(MatchSeat.match, MatchSeat.seat, MatchSeat.margin)
        return [tuple(row) for row in session.execute(seats.order_by(*seats.selected_columns))]


def test_the_upgrade_counts_results_and_a_recount_times(
    played: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(played.path, "write")
    right = margins(store)
    store.close()
    assert {margin for *_, margin in right} != {0}
    without_page_numbers(played.database)
    assert upgrade_folder(played) is not None
    store = open_store(played.path, "write")
    assert margins(store) == right
    with store.reading() as session:
        assert has_unknown_times(session)
        for name in LADDERS:
            of_records, found = counted(session, name), stored(session, name)
            assert found["meeting_results"] == of_records["meeting_results"]
            without_times = {key: row[:-2] for key, row in of_records["seat_results"].items()}
            assert {k: row[:-2] for k, row in found["seat_results"].items()} == without_times
            assert found["decision_times"] == {}
    assert recount(store, "pairs").replayed == JOBS
    assert recount(store, "pairs") == Recount(JOBS, frozenset(), 0, 0)
    store.close()
    capsys.readouterr()
    assert run(["recount", "--data", str(played.path)]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "pairs: 5 matches were counted again; no number changed." in words
    assert "The times of 5 were read from their records." in words
    store = open_store(played.path, "read")
    with store.reading() as session:
        assert not has_unknown_times(session)
        for name in LADDERS:
            assert stored(session, name) == counted(session, name)
    store.close()


def test_the_upgrade_says_that_times_are_still_to_be_counted(
    played: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    without_page_numbers(played.database)
    assert run(["upgrade", "--data", str(played.path)]) == 0
    assert "`arena recount --data" in " ".join(capsys.readouterr().out.split())
