"""A frame that a bot sent: checked before it is parsed, parsed, and divided."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import DecodeError

from arena.protocol import FRAME_LIMIT_BYTES
from sevens.bot.v1.bot_service_pb2 import BotFrame

# A hello holds a token, a name and slugs of games.
HELLO_LIMIT_BYTES = 4 * 1024
# An empty accept takes two bytes, and a frame of half a million of them tenths of a second. A bot
# sends one for each message that it has received since its last frame.
ENTRIES_LIMIT = 4 * 1024
SMALLEST_ENTRY_BYTES = 2
# While a frame with many answers is processed, what follows from the first ones is already sent.
# Otherwise the arena and the bots, with all matches in step, would wait for each other in turn.
ANSWERS_AT_A_TIME = 32
# The kinds of field on the wire, with the length of those whose length is fixed.
VARINT, LENGTH_DELIMITED = 0, 2
FIXED = {1: 8, 3: 0, 4: 0, 5: 4}


class ProtocolError(Exception):
    """The bot sent something that the protocol does not allow. The text is a sentence."""


def parse(raw: bytes) -> BotFrame:
    """Parses a frame. Raises ProtocolError."""
    if len(raw) > FRAME_LIMIT_BYTES:
        raise ProtocolError(
            f"The bot sent a frame of {len(raw):,} bytes;"
            f" at most {FRAME_LIMIT_BYTES:,} are allowed."
        )
    # Frames of nearly all bots are too short to hold too many.
    if len(raw) > ENTRIES_LIMIT * SMALLEST_ENTRY_BYTES and entries(raw) > ENTRIES_LIMIT:
        raise ProtocolError(
            f"The bot sent a frame of more than {ENTRIES_LIMIT:,} accepts and answers."
        )
    try:
        return BotFrame.FromString(raw)
    except DecodeError:
        raise ProtocolError(
            f"The bot sent {len(raw):,} bytes that are no sevens.bot.v1.BotFrame."
        ) from None


def parse_hello(raw: bytes) -> BotFrame:
    """Parses the first frame of a stream. Raises ProtocolError."""
    if len(raw) > HELLO_LIMIT_BYTES:
        raise ProtocolError(
            f"The bot's first frame has {len(raw):,} bytes; a hello has at most"
            f" {HELLO_LIMIT_BYTES:,}."
        )
    return parse(raw)


def entries(raw: bytes) -> int:
    """Counts the fields of a message, those within groups too, without parsing them; stops after
    ENTRIES_LIMIT, and where protobuf will find the message broken."""
    count = at = 0
    try:
        while at < len(raw) and count <= ENTRIES_LIMIT:
            count += 1
            tag, at = _varint(raw, at)
            kind = tag & 7
            if kind == LENGTH_DELIMITED:
                length, at = _varint(raw, at)
                at += length
            elif kind == VARINT:
                _, at = _varint(raw, at)
            else:
                at += FIXED[kind]
    except (IndexError, KeyError):
        pass
    return count


def portions(frame: BotFrame) -> Iterator[BotFrame]:
    """Yields the frame in parts of at most ANSWERS_AT_A_TIME answers each."""
    size, answers = ANSWERS_AT_A_TIME, frame.answers
    yield BotFrame(accepts=frame.accepts, answers=answers[:size])
    for since in range(size, len(answers), size):
        yield BotFrame(answers=answers[since : since + size])


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    """Returns the number that begins at `at`, and where it ends. Raises IndexError."""
    value = raw[at]
    at += 1
    if value < 128:
        return value, at
    value &= 127
    # Protobuf reads ten bytes at most; a frame of nothing else would cost the square of its length.
    for shift in range(7, 70, 7):
        byte = raw[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise IndexError
