"""Whatever a bot sends is a frame or breaks the protocol; nothing else happens to its stream."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import pytest
from google.protobuf.message import DecodeError

from arena.bots.interface import BotLost
from arena.bots.stream import (
    Allowance,
    Connection,
    ProtocolError,
    StreamChannel,
    deliver,
    read_hello,
    welcome,
)
from arena.bots.stream.bot_frame import ENTRIES_LIMIT, entries, parse
from arena.protocol import FRAME_LIMIT_BYTES, FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello, Pong, Refusal
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchAccept
from tests.support.damage import damaged
from tests.support.remote_streams import Heard

FRAMES_A_STREAM = 50
FEWEST_STREAMS = 10  # however busy the machine is
TEXTS = ("", "m", "other", "pass", "7" * 2000, "\u0000", "\U0001f0a1", "a\u0301")
NUMBERS = (0, 1, 2, 127, 128, 2**31, 2**32 - 1)
HELLO = Hello(token="t", protocol=1)
START_GROUP, END_GROUP = 3, 4
LONG_ENOUGH = 2 * FRAME_LIMIT_BYTES


class Fuzz:
    """Makes frames, most of them broken somewhere. `random`: decides everything."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def frame(self) -> bytes:
        pieces = [self._piece() for _ in range(self.random.choice((0, 1, 1, 2, 5, 40)))]
        raw = repeated(b"".join(pieces), self.random.choice((1, 1, 1, 1, 1, 3, 500)))
        for _ in range(self.random.choice((0, 0, 1, 3))):
            raw = self._damaged(raw)
        return raw

    def _piece(self) -> bytes:
        kinds = (self._answer, self._accept, self._rest, self._field, self._field, self._garbage)
        return self.random.choice(kinds)()

    def _answer(self) -> bytes:
        answer = Answer(
            match_id=self.random.choice(TEXTS),
            number=self.random.choice(NUMBERS),
            note=self.random.choice(TEXTS),
        )
        if self.random.random() < 0.5:
            answer.index = self.random.choice(NUMBERS)
        else:
            answer.text = self.random.choice(TEXTS)
        return BotFrame(answers=[answer]).SerializeToString()

    def _accept(self) -> bytes:
        nonce = self.random.randbytes(self.random.choice((0, 8, 32, 33, 3000)))
        accept = MatchAccept(match_id=self.random.choice(TEXTS), nonce=nonce)
        return BotFrame(accepts=[accept]).SerializeToString()

    def _rest(self) -> bytes:
        if self.random.random() < 0.9:
            return BotFrame(pong=Pong(number=self.random.choice(NUMBERS))).SerializeToString()
        return BotFrame(hello=HELLO).SerializeToString()

    def _field(self) -> bytes:
        """A field of any number and kind, with the right content or not."""
        kind = self.random.randrange(8)
        tag = self._varint(self.random.choice((0, 1, 2, 3, 4, 5, 99, 2**29 - 1)) << 3 | kind)
        return (
            tag
            + {
                0: lambda: self._varint(self.random.choice(NUMBERS)),
                1: lambda: self.random.randbytes(8),
                2: lambda: self._varint(self.random.choice((0, 1, 2, 300, 2**40))) + b"\0\0",
                START_GROUP: lambda: repeated(self._piece(), self.random.choice((0, 1, 200))),
                5: lambda: self.random.randbytes(4),
            }.get(kind, lambda: b"")()
        )

    def _varint(self, number: int) -> bytes:
        """The number in the fewest bytes, or in more than it needs."""
        low = bytearray()
        while number > 127:
            low.append(number & 127 | 128)
            number >>= 7
        longer = self.random.choice((0, 0, 0, 0, 1, 4, 9, 12))
        return bytes(low) + (
            bytes([number | 128]) + b"\x80" * (longer - 1) + b"\0" if longer else bytes([number])
        )

    def _garbage(self) -> bytes:
        return self.random.randbytes(self.random.choice((1, 2, 20)))

    def _damaged(self, raw: bytes) -> bytes:
        return damaged(raw, self.random, self._piece())


def repeated(piece: bytes, times: int) -> bytes:
    """The piece `times` times, cut where a frame is too long anyway: groups in groups multiply."""
    return (piece * min(times, LONG_ENOUGH // max(len(piece), 1) + 1))[:LONG_ENOUGH]


@dataclass
class Bot:
    """A stream of frames, and its owner. `losses`: what was reported."""

    frames: Iterator[bytes]
    channel: dict[str, StreamChannel] = field(default_factory=dict)
    losses: list[BotLost] = field(default_factory=list)

    async def read(self) -> object:
        return next(self.frames, None)

    async def write(self, message: bytes, /) -> None: ...

    async def send_initial_metadata(self, metadata: tuple[()], /) -> None: ...

    def connected(self, connection: Connection) -> None: ...

    def heard(self, frame: BotFrame, at: float) -> None:
        deliver(frame, at, self.channel)

    def report(self, event: BotLost) -> None:
        self.losses.append(event)

    def disconnected(self) -> None: ...

    def refused(self, loss: BotLost) -> None: ...

    def leave(self, channel: StreamChannel) -> None: ...


@pytest.mark.slow
async def test_frames_of_any_bytes(seed: int, fuzz_until: float) -> None:
    random, streams = Random(f"frames {seed}"), 0
    fuzz = Fuzz(random)
    while monotonic() < fuzz_until or streams < FEWEST_STREAMS:
        frames = [fuzz.frame() for _ in range(random.randrange(FRAMES_A_STREAM))]
        for raw in frames:
            counted_before_parsed(raw)
            assert isinstance(read_hello(raw), Hello | Refusal)
        bot = Bot(iter(frames))
        bot.channel["m"] = StreamChannel("m", Heard(), bot)
        async with asyncio.timeout(60):
            await Connection(bot, HELLO, welcome(), bot, Allowance()).serve()
        assert [loss.kind for loss in bot.losses] in ([], [FaultKind.PROTOCOL_ERROR])
        streams += 1


def counted_before_parsed(raw: bytes) -> None:
    """Checks that a frame that parses has no more entries than were counted before."""
    try:
        parsed = BotFrame.FromString(raw)
    except DecodeError:
        parsed = None
    if parsed is None or len(raw) > FRAME_LIMIT_BYTES:
        with pytest.raises(ProtocolError):
            parse(raw)
        return
    held = len(parsed.answers) + len(parsed.accepts)
    assert entries(raw) >= min(held, ENTRIES_LIMIT + 1)
    if held <= ENTRIES_LIMIT and entries(raw) <= ENTRIES_LIMIT:
        assert parse(raw) == parsed
