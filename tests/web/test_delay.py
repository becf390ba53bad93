"""What may be shown of a match in play."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from arena.operations.readable import secrecy
from arena.queue.broadcast import Seen
from arena.queue.job import Job
from arena.queue.live_match import Extent
from arena.store.schema import JobState
from arena.web.live.live_view import JobShown, live_view, shown_extent
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


class OnAir:
    """A receiver to which a worker has just written a match."""

    async def watch(self, _: str) -> Seen:
        return seen(0, (0, 9))


@pytest.mark.parametrize(
    ("own", "sentence"), [(None, "is shown 60 seconds late"), (0, "Shown without delay.")]
)
async def test_the_delay_of_the_ladder_comes_first(
    monkeypatch: pytest.MonkeyPatch, own: int | None, sentence: str
) -> None:
    shown = JobShown(ALONE, JobState.QUEUED, datetime.now(UTC), delay_s=own)
    monkeypatch.setattr(sys.modules[shown_extent.__module__], "_read", lambda *_: shown)
    found = await live_view(cast(Any, None), cast(Any, OnAir()), "a", 60)
    assert sentence in found.sentence


@pytest.mark.parametrize("job", [GROUP, SHARED, PERSON, REMOTE])
def test_nothing_is_shown_to_who_could_still_use_it_however_old(job: Job) -> None:
    assert "when" in secrecy(job)
    assert shown_extent(job, seen(60_000, (3_600_000, 9)), 0) is None


def test_a_match_whose_deal_stands_alone_has_no_secrecy() -> None:
    assert secrecy(ALONE) == ""
