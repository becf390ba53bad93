"""Work on files has threads and a time limit of its own."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.disk import full_disk
from arena.errors import ArenaError, Kind
from arena.server.file_work import REST_S, FileWork
from arena.server.limits import SERVER_LIMITS
from tests.support.clock import StoppedClock

LIMITS = replace(SERVER_LIMITS, file_threads=2, file_work_s=1.5)


@pytest.fixture
def stuck() -> Iterator[threading.Event]:
    """Work that waits for this hangs until the test ends."""
    end = threading.Event()
    yield end
    end.set()


async def test_the_result_is_returned_and_an_error_raised() -> None:
    files = FileWork(LIMITS)
    assert await files.do(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await files.do(lambda: 1 // 0)


async def test_work_that_hangs_is_refused_and_holds_up_nobody_else(stuck: threading.Event) -> None:
    files = FileWork(LIMITS)
    hanging = [files.do(stuck.wait) for _ in range(8)]
    refused = await asyncio.gather(*hanging, return_exceptions=True)
    for refusal in refused:
        assert isinstance(refusal, ArenaError)
        assert refusal.kind is Kind.TOO_SLOW
        assert str(refusal) == (
            "The server could not process the files within 1.5 seconds; try again later."
        )
    # Other blocking calls have other threads.
    assert await asyncio.wait_for(asyncio.to_thread(lambda: 7), 30) == 7
    stuck.set()
    assert await files.do(lambda: 7) == 7


def hanging(files: FileWork, stuck: threading.Event) -> tuple[asyncio.Task[bool], threading.Event]:
    """Returns work that hangs, and what is set once it has begun."""
    begun = threading.Event()

    def hangs() -> bool:
        begun.set()
        return stuck.wait()

    return asyncio.create_task(files.do(hangs)), begun


async def test_who_is_cancelled_waits_for_the_work(
    stuck: threading.Event, clock: StoppedClock
) -> None:
    working, begun = hanging(FileWork(SERVER_LIMITS), stuck)
    await asyncio.to_thread(begun.wait)
    working.cancel()
    await clock.advance(REST_S / 2)
    assert not working.done()
    stuck.set()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_but_not_for_ever(stuck: threading.Event, clock: StoppedClock) -> None:
    files = FileWork(SERVER_LIMITS)
    working, begun = hanging(files, stuck)
    await asyncio.to_thread(begun.wait)
    working.cancel()
    await clock.advance(REST_S)
    assert working.cancelled()
    tidying = asyncio.create_task(files.tidy(stuck.wait))
    await clock.advance(REST_S)
    assert tidying.done()


async def test_what_has_not_begun_when_its_caller_is_cancelled_never_does(
    stuck: threading.Event,
) -> None:
    done: list[int] = []
    files = FileWork(replace(LIMITS, file_threads=1, file_work_s=60.0))
    begun = asyncio.create_task(files.do(stuck.wait))
    waiting = asyncio.create_task(files.do(lambda: done.append(1)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    stuck.set()
    assert await begun
    assert await files.do(lambda: 7) == 7
    assert not done


@pytest.mark.slow
@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize(
    ("failure", "logged"),
    [
        (ArenaError(Kind.WRONG_INPUT, "No archive.", "archive"), []),
        (OSError("no disk"), ["a call failed"]),
        (full_disk("/x"), ["a call failed: The disk of /x is full; make room there."]),
    ],
)
async def test_of_work_whose_caller_has_gone_the_log_has_only_our_own_failures(
    late: bool,
    failure: Exception,
    logged: list[str],
    stuck: threading.Event,
    caplog: pytest.LogCaptureFixture,
    clock: StoppedClock,
) -> None:
    begun = threading.Event()

    def fails() -> None:
        begun.set()
        stuck.wait()
        raise failure

    files = FileWork(replace(LIMITS, file_threads=1))
    working = asyncio.create_task(files.do(fails))
    await asyncio.to_thread(begun.wait)
    if late:
        await clock.advance(LIMITS.file_work_s)
        with pytest.raises(ArenaError):
            await working
        stuck.set()
    else:
        working.cancel()
        await clock.settle()
        stuck.set()
        with pytest.raises(asyncio.CancelledError):
            await working
    del working
    await asyncio.wrap_future(files.begin(int))  # the one thread has done the other work by then
    await clock.settle()
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == logged
