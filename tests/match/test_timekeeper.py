"""The host's own lag is measured, and never charged to a bot."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc

import pytest

from arena.match.timekeeper import (
    PERIOD_S,
    PERIODS_BETWEEN_SWEEPS,
    STALLS_KEPT,
    Stalls,
    Timekeeper,
)
from tests.support.clock import StoppedClock


class Looked:
    """Records the times at which it was read."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def check_deadlines(self, now: float) -> None:
        self.times.append(now)


async def test_time_in_which_the_loop_stood_still_is_not_charged(clock: StoppedClock) -> None:
    keeper = Timekeeper()
    keeping = asyncio.create_task(keeper.run())
    await clock.advance(3.5 * PERIOD_S)
    since = clock.time()
    clock.stall(0.3)
    await clock.advance(4 * PERIOD_S)
    charged = keeper.charged_ms(since, clock.time())
    keeping.cancel()
    assert charged == 22  # the half period before the loop should have run, and four after


async def test_time_in_which_the_loop_ran_is_charged_in_whole_milliseconds() -> None:
    keeper = Timekeeper()
    assert keeper.charged_ms(100.0, 100.0305) == 30
    assert keeper.charged_ms(100.0, 99.0) == 0


async def test_a_stall_counts_only_as_far_as_it_overlaps() -> None:
    keeper = Timekeeper()
    keeper._stalls.add(10.0, 11.0)
    keeper._stalls.add(20.0, 22.0)
    assert keeper.charged_ms(21.0, 30.0) == 8000
    assert keeper.charged_ms(10.5, 20.5) == 9000
    assert keeper.charged_ms(0.0, 5.0) == 5000


async def test_lag_of_a_bots_own_doing_is_charged_to_it() -> None:
    keeper = Timekeeper()
    keeper._stalls.add(10.0, 11.0)
    keeper._stalls.add(20.0, 22.0)
    assert keeper.charged_ms(9.0, 23.0, own_s=0.5) == 11_500
    assert keeper.charged_ms(9.0, 23.0, own_s=60.0) == 14_000
    assert keeper.charged_ms(9.0, 23.0, own_s=-60.0) == 11_000  # a fresh process counts anew


async def test_what_is_watched_is_looked_at_until_it_is_not_watched_any_more(
    clock: StoppedClock,
) -> None:
    keeper, looked = Timekeeper(), Looked()
    keeping = asyncio.create_task(keeper.run())
    sweep_s = PERIODS_BETWEEN_SWEEPS * PERIOD_S
    with keeper.watching(looked):
        await clock.advance(2.5 * sweep_s)
    assert len(looked.times) == 2
    await clock.advance(10 * sweep_s)
    keeping.cancel()
    assert len(looked.times) == 2


@pytest.mark.parametrize("is_command", [True, False])
async def test_a_command_leaves_its_modules_exempt_from_collections(is_command: bool) -> None:
    gc.unfreeze()
    if is_command:  # as the one that loads it does
        gc.freeze()
    keeping = asyncio.create_task(Timekeeper().run())
    await asyncio.sleep(0)
    assert gc.get_freeze_count()
    keeping.cancel()
    await asyncio.wait([keeping])
    assert bool(gc.get_freeze_count()) is is_command
    gc.unfreeze()


def test_stalls_take_no_more_memory_the_more_there_are() -> None:
    stalls = Stalls()
    tracemalloc.start()
    for number in range(2 * STALLS_KEPT + 1):
        stalls.add(float(number), number + 0.5)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < STALLS_KEPT  # less than a byte each; as a tuple with floats it takes a hundred
    kept = list(stalls.latest_first())
    assert kept[0] == (2 * STALLS_KEPT, 2 * STALLS_KEPT + 0.5)
    assert kept[-1] == (STALLS_KEPT + 1, STALLS_KEPT + 1.5)
    assert len(kept) == STALLS_KEPT
