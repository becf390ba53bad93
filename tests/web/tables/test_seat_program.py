"""The program of a seat against the arena's end of its streams."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc.aio
import pytest

from arena.bots.interface import PendingDecision
from arena.bots.remote import REMOTE_BOUNDS, Admitted, NotAdmitted, RemoteChannel, RemoteGateway
from arena.web.tables.seat_program import Seat
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from tests.support.remote_streams import Heard
from tests.support.seats import within

BOT, KEY, MATCH = "person", "key", "m"


class Arena:
    """The arena's end, which listens at one address after another. `address`: empty while none."""

    def __init__(self, folder: Path) -> None:
        self.address = ""
        self.refusal = ""
        self.gone = asyncio.Event()
        self.heard = Heard()
        self._folder = folder
        self._servers: list[grpc.aio.Server] = []
        self.gateway = RemoteGateway(self._admit, self._changed, REMOTE_BOUNDS)

    async def opens(self) -> None:
        server = grpc.aio.server()
        self.gateway.add_to(server)
        self.address = f"unix:{self._folder}/{len(self._servers)}.sock"
        server.add_insecure_port(self.address)
        await server.start()
        self._servers.append(server)

    async def closes(self) -> None:
        self.address = ""
        await self._servers[-1].stop(grace=None)

    async def _admit(self, token: str) -> Admitted:
        if self.refusal:
            raise NotAdmitted(self.refusal)
        assert token == KEY
        return Admitted(BOT)

    def _changed(self, _: str, connected: bool) -> None:
        self.gone.clear() if connected else self.gone.set()


@pytest.fixture
def sockets() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="seat-", dir="/tmp") as folder:  # short names
        yield Path(folder)


@pytest.fixture
async def arena(sockets: Path) -> AsyncIterator[Arena]:
    arena = Arena(sockets)
    await arena.opens()
    yield arena
    await arena.closes()


@pytest.fixture
async def seat(arena: Arena) -> AsyncIterator[Seat]:
    seat = Seat(lambda: arena.address, KEY)
    yield seat
    seat.leave()


def decision() -> PendingDecision:
    legal = ["play 7S", "pass"]
    return PendingDecision.of(
        Decision(match_id=MATCH, number=1, legal_actions=legal, time_left_ms=60_000)
    )


async def starts(arena: Arena, seat: Seat) -> RemoteChannel:
    """Begins a match with the seat, and asks for a decision."""
    bot = arena.gateway.bot(BOT)
    await within(bot.has_room())
    channel = bot.sit(MATCH, arena.heard)
    channel.send_start(MatchStart(match_id=MATCH, game="xeri"))
    await within(arena.heard.accepted_.get())
    channel.ask(decision())
    while seat.transcript.decision is None:
        assert await seat.transcript.changed_after(seat.transcript.sequence)
    return channel


async def test_a_match_is_played_and_the_person_may_sit_down_again(
    arena: Arena, seat: Seat
) -> None:
    channel = await starts(arena, seat)
    seat.answer(1, 1)
    answer, _ = await within(arena.heard.answered_.get())
    assert (answer.number, answer.index) == (1, 1)
    channel.send_end(MatchEnd(match_id=MATCH, scores=[1, 0], ranks=[1, 2], reason="played-out"))
    channel.close()
    await within(arena.gone.wait())
    assert seat.transcript.over
    assert seat.transcript.trouble == ""
    there = asyncio.create_task(arena.gateway.bot(BOT).has_room())
    again = Seat(lambda: arena.address, KEY)
    assert await within(there)
    again.leave()


async def test_an_answer_waits_for_the_next_arena(arena: Arena, seat: Seat) -> None:
    channel = await starts(arena, seat)
    await arena.closes()
    seat.answer(1, 0)
    await arena.opens()
    await within(arena.heard.restored_.get())
    channel.send_start(MatchStart(match_id=MATCH, game="xeri", resumed=True))
    channel.ask(decision())
    answer, _ = await within(arena.heard.answered_.get())
    assert (answer.number, answer.index) == (1, 0)
    assert len(seat.transcript.answers) == 1


async def test_a_refusal_is_the_seats_trouble(arena: Arena, sockets: Path) -> None:
    arena.refusal = "The table is over."
    seat = Seat(lambda: arena.address, KEY)
    while not seat.transcript.over:
        assert await seat.transcript.changed_after(seat.transcript.sequence)
    assert seat.transcript.trouble == "The table is over."
