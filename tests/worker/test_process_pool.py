"""Processes that can be reused, and those that cannot."""

import pytest

from arena.worker.process_pool import (
    IDLE_MEMORY_BYTES,
    IDLE_PROCESSES,
    MATCHES_A_PROCESS,
    Pool,
)
from tests.support.stand_ins import ANN, BOB, Stable


@pytest.fixture
def stable() -> Stable:
    return Stable()


@pytest.fixture
def pool(stable: Stable) -> Pool:
    return Pool(stable.start)


async def play(pool: Pool, version: str = ANN, *, fresh: bool = False) -> None:
    async with pool.lend(version, fresh=fresh) as borrowed:
        borrowed.matches += 1


def stops(stable: Stable) -> list[int]:
    return [bot.stopped for bot in stable.bots]


async def test_a_process_is_used_again_by_its_own_version_only(pool: Pool, stable: Stable) -> None:
    for version in (ANN, BOB, ANN, BOB, ANN):
        await play(pool, version)
    assert [version for version, _ in stable.started] == [ANN, BOB]
    assert stops(stable) == [0, 0]


async def test_two_seats_of_one_version_are_two_processes(pool: Pool, stable: Stable) -> None:
    async with pool.lend(ANN, fresh=False) as one, pool.lend(ANN, fresh=False) as other:
        assert one.process is not other.process
    await play(pool)
    assert len(stable.started) == 2


async def test_a_fresh_process_has_played_nothing_and_plays_nothing_else(
    pool: Pool, stable: Stable
) -> None:
    await play(pool)
    await play(pool, fresh=True)
    assert stops(stable) == [0, 1]
    await play(pool)
    assert len(stable.started) == 2


async def test_a_process_is_replaced_after_fifty_matches(pool: Pool, stable: Stable) -> None:
    for _ in range(MATCHES_A_PROCESS):
        assert stops(stable) in ([], [0])
        await play(pool)
    assert MATCHES_A_PROCESS == 50
    assert stops(stable) == [1]
    await play(pool)
    assert stops(stable) == [1, 0]


@pytest.mark.parametrize(("share", "stopped"), [(0.5, 0), (0.51, 1)])
async def test_a_process_is_replaced_beyond_half_of_its_memory(
    pool: Pool, stable: Stable, share: float, stopped: int
) -> None:
    async with pool.lend(ANN, fresh=False):
        stable.bots[0].memory_share = share
    assert stops(stable) == [stopped]


async def test_a_process_that_was_at_fault_is_replaced(pool: Pool, stable: Stable) -> None:
    async with pool.lend(ANN, fresh=False) as borrowed:
        borrowed.faulted = True
    assert stops(stable) == [1]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
async def test_a_process_is_replaced_when_its_match_was_broken_off(
    pool: Pool, stable: Stable, failure: type[BaseException]
) -> None:
    async def broken_off() -> None:
        async with pool.lend(ANN, fresh=False):
            raise failure

    with pytest.raises(failure):
        await broken_off()
    assert stops(stable) == [1]


async def test_closing_ends_every_idle_process_once(pool: Pool, stable: Stable) -> None:
    for version in (ANN, BOB):
        await play(pool, version)
    await pool.close()
    await pool.close()
    assert stops(stable) == [1, 1]


async def test_of_many_idle_processes_the_one_unused_for_longest_is_ended(
    pool: Pool, stable: Stable
) -> None:
    versions = [f"{number:064x}" for number in range(IDLE_PROCESSES)]
    for version in (*versions, versions[0], ANN):
        await play(pool, version)
    assert stops(stable) == [0, 1, *[0] * (IDLE_PROCESSES - 1)]
    assert pool.versions == {ANN, *versions} - {versions[1]}


async def test_a_process_is_frozen_while_it_is_idle(pool: Pool, stable: Stable) -> None:
    await play(pool)
    assert stable.bots[0].frozen
    async with pool.lend(ANN, fresh=False):
        assert not stable.bots[0].frozen
    assert stable.bots[0].frozen


async def test_a_process_that_cannot_be_frozen_is_not_kept(pool: Pool, stable: Stable) -> None:
    async with pool.lend(ANN, fresh=False):
        stable.bots[0].can_be_frozen = False
    assert stops(stable) == [1]
    assert pool.versions == set()


async def test_idle_processes_have_a_bounded_memory_in_sum(pool: Pool, stable: Stable) -> None:
    for number in range(5):
        async with pool.lend(f"{number:064x}", fresh=False):
            stable.bots[number].memory_bytes = IDLE_MEMORY_BYTES // 3
    assert stops(stable) == [1, 1, 0, 0, 0]
    async with pool.lend(ANN, fresh=False):
        stable.bots[5].memory_bytes = 2 * IDLE_MEMORY_BYTES
    assert stops(stable) == [1] * 6


async def test_idle_processes_of_retired_versions_are_ended(pool: Pool, stable: Stable) -> None:
    await play(pool, BOB)
    async with pool.lend(ANN, fresh=False):
        assert pool.idle_versions == {BOB}
        await pool.end({ANN, BOB})
        assert stops(stable) == [1, 0]
    assert pool.versions == pool.idle_versions == {ANN}


async def test_what_is_lent_is_in_use(pool: Pool) -> None:
    assert pool.versions == set()
    async with pool.lend(ANN, fresh=True):
        assert pool.versions == {ANN}
    assert pool.versions == set()
