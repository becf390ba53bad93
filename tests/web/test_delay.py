"""What may be shown of a match in play."""

from __future__ import annotations

import pytest

from arena.operations.readable import secrecy
from arena.queue.broadcast import Seen
from arena.queue.job import Job
from arena.queue.live_match import Extent
from arena.web.live.live_view import shown_extent
from tests.support.queue_messages import live_match
from tests.support.stand_ins import new_job

ALONE = new_job()
GROUP = new_job(seatings=((0, 1), (1, 0)))
REMOTE = ALONE.model_copy(
    update={"entrants": (ALONE.entrants[0], ALONE.entrants[1].model_copy(update={"remote": True}))}
)
PERSON = ALONE.model_copy(update={"unhurried": True})
SHARED = ALONE.model_copy(update={"seed_text": "the same for all tables"})


def seen(passed_ms: int, *extents: tuple[int, int]) -> Seen:
    """A match that was seen so long after it was written. `extents`: age, and choices by then."""
    grown = [
        Extent(age_ms=age, shuffles=1, picks=0, choices=choices, faults=0)
        for age, choices in extents
    ]
    return Seen(live_match("a", 9).model_copy(update={"extents": grown}), passed_ms)


@pytest.mark.parametrize(
    ("passed_ms", "choices"),
    [(0, None), (999, None), (1_000, 0), (3_999, 0), (4_000, 3), (9_000, 9)],
)
def test_a_match_is_shown_as_it_was_when_the_delay_began(
    passed_ms: int, choices: int | None
) -> None:
    found = shown_extent(ALONE, seen(passed_ms, (4_000, 0), (1_000, 3), (0, 9)), 5.0)
    assert (found and found.choices) == choices


def test_without_a_delay_all_that_was_written_is_shown() -> None:
    found = shown_extent(ALONE, seen(0, (4_000, 0), (0, 9)), 0)
    assert found is not None
    assert found.choices == 9


@pytest.mark.parametrize("job", [GROUP, SHARED, PERSON, REMOTE])
def test_nothing_is_shown_to_who_could_still_use_it_however_old(job: Job) -> None:
    assert "when" in secrecy(job)
    assert shown_extent(job, seen(60_000, (3_600_000, 9)), 0) is None


def test_a_match_whose_deal_stands_alone_has_no_secrecy() -> None:
    assert secrecy(ALONE) == ""
