"""Time is the running loop's, and the machine's in a thread without a loop."""

from __future__ import annotations

import asyncio
import time

import pytest

from arena.clock import monotonic
from tests.support.clock import StoppedClock


async def test_a_test_sets_the_time_of_its_loop(clock: StoppedClock) -> None:
    began = monotonic()
    await clock.advance(3600)
    assert monotonic() - began == pytest.approx(3600)


async def test_a_thread_without_a_loop_has_the_machines_time() -> None:
    before = time.monotonic()
    assert before <= await asyncio.to_thread(monotonic) <= time.monotonic()
