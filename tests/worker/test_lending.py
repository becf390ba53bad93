"""A match receives its bots, whether processes or remote."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from arena.bots.interface import ArenaFailure
from arena.bots.remote.relayed_bot import BotAway
from arena.queue.job import Entrant
from arena.worker.lending import Lender, Unplayable
from arena.worker.process_pool import Pool
from tests.support.stand_ins import ANN, BOB, Stable, StandIn

HERE = Entrant(bot="here", version=ANN)
ZOE, FAR, AWAY = (Entrant(bot=bot, version=BOB, remote=True) for bot in ("zoe", "far", "away"))


class Relay:
    """Seats stand-ins. `seated` and `left`: the bots, in the order in which they did."""

    def __init__(self) -> None:
        self.seated: list[str] = []
        self.left: list[str] = []

    @asynccontextmanager
    async def seat(self, bot: str, match_id: str) -> AsyncIterator[StandIn]:
        if bot == "away":
            raise BotAway("The remote bot away was not connected.")
        self.seated.append(bot)
        yield StandIn()
        self.left.append(bot)


async def test_remote_bots_take_their_seats_first_and_by_name() -> None:
    relay, pool = Relay(), Pool(Stable().start)
    async with AsyncExitStack() as lent:
        lender = Lender(pool, relay)  # type: ignore[arg-type]
        borrowed = await lender.lend_all([ZOE, HERE, FAR], "m", lent, fresh=False)
        assert [one.version for one in borrowed] == [BOB, ANN, BOB]
        assert relay.seated == ["far", "zoe"]
        assert relay.left == []
    assert sorted(relay.left) == ["far", "zoe"]
    await pool.close()


async def test_where_a_bot_is_away_no_process_is_started() -> None:
    stable = Stable()
    lender = Lender(Pool(stable.start), Relay())  # type: ignore[arg-type]
    with pytest.raises(Unplayable, match="away was not connected"):
        async with AsyncExitStack() as lent:
            await lender.lend_all([HERE, AWAY], "m", lent, fresh=False)
    assert stable.started == []


async def test_a_worker_without_a_server_leaves_remote_bots_to_others() -> None:
    lender = Lender(Pool(Stable().start), None)
    with pytest.raises(ArenaFailure, match="start the worker with --server"):
        async with AsyncExitStack() as lent:
            await lender.lend_all([HERE, FAR], "m", lent, fresh=False)
