"""The way to a bot stays fast. The bounds leave room for a machine that is busy with other tests;
measure_transport.py gives the figures."""

import pytest
from measure_transport import arena_rate, bare_rate

from arena.bots.launch import Isolation

ROUNDS = 4
SECONDS = 0.7


@pytest.mark.slow
async def test_a_lone_match_is_hardly_slower_than_grpc_itself() -> None:
    shares = [
        await arena_rate(Isolation.NONE, 1, 1, SECONDS) / await bare_rate(SECONDS)
        for _ in range(ROUNDS)
    ]
    assert max(shares) > 0.75


@pytest.mark.slow
async def test_decisions_of_many_matches_travel_together() -> None:
    rates = [await arena_rate(Isolation.NONE, 1, 64, SECONDS) for _ in range(ROUNDS)]
    assert max(rates) > 15_000
