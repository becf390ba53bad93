"""The processes of one entrant: as many as its matches need."""

from __future__ import annotations

from contextlib import AsyncExitStack

from arena.bots import BotLost
from arena.match import Crew
from arena.protocol import FaultKind

NOT_STARTED = BotLost(FaultKind.START_FAILED, "It did not start.")


class Process:
    """A process as a crew sees it."""

    memory_share = 0.0
    memory_bytes = 0

    def __init__(self, takes: int, failure: BotLost | None = None) -> None:
        self.matches_at_once = takes
        self.failure = failure
        self.losses = [failure] if failure else []
        self.stopped = False

    async def ready(self) -> BotLost | None:
        return self.failure

    async def stop(self, sentence: str) -> None:
        self.stopped = True


def crew_of(started: list[Process], takes: int, failure: BotLost | None = None) -> Crew:
    async def start() -> Process:
        started.append(Process(takes, failure))
        return started[-1]

    return Crew(start)  # type: ignore[arg-type]


async def test_a_process_gets_as_many_matches_as_its_bot_takes() -> None:
    started: list[Process] = []
    crew = crew_of(started, takes=2)
    assert await crew.takes() == 2
    async with AsyncExitStack() as lent:
        for _ in range(5):
            await lent.enter_async_context(crew.lend())
        assert len(started) == 3
    async with crew.lend() as member:
        assert member.bot is started[0]
    assert len(started) == 3


async def test_a_process_that_was_at_fault_is_replaced_when_its_matches_are_over() -> None:
    started: list[Process] = []
    crew = crew_of(started, takes=2)
    async with crew.lend() as other:
        async with crew.lend() as member:
            assert member is other
            member.at_fault = True
        async with crew.lend() as fresh:
            assert fresh.bot is started[1]
        assert not started[0].stopped
    assert started[0].stopped
    assert not started[1].stopped


async def test_a_bot_that_does_not_start_is_not_started_again_for_each_match() -> None:
    started: list[Process] = []
    crew = crew_of(started, 1, NOT_STARTED)
    for _ in range(3):
        async with crew.lend() as member:
            member.at_fault = True
    assert len(started) == 1
    assert crew.losses == [NOT_STARTED]
