"""What a stopped bot held is freed at once: a worker rarely looks for cycles of garbage."""

from __future__ import annotations

import weakref

import pytest

from tests.support.puppets import StartPuppet
from tests.support.seats import Seat, until


@pytest.mark.usefixtures("no_garbage_collection")
async def test_a_stopped_bot_is_freed_and_so_is_its_socket(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "m")
    assert await seat.acceptance()
    await bot.stop("The match is over.")
    stopped = weakref.ref(bot)
    del bot, seat.channel  # as a referee does
    await until(lambda: stopped() is None)
