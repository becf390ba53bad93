"""A bot ignores unknown fields and the order of fields.

A later arena may send fields that today's bots do not know, and encode messages differently: a bot
must understand the same.
"""

from __future__ import annotations

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from arena.conformance.checks import repeated_decision
from arena.conformance.conversation import visiting
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import opening
from arena.conformance.subject import Subject
from arena.match import action_of
from sevens.bot.v1.bot_service_pb2 import ArenaFrame
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.match_pb2 import MatchStart

NAME = "unknown fields"
# Field 1000 of every message: the number 7, and field 1001: the text "later".
UNKNOWN = bytes([0xC0, 0x3E, 7, 0xCA, 0x3E, 5]) + b"later"
LENGTH_DELIMITED = 2


def unknown_check(subject: Subject) -> Check:
    async def run() -> str:
        first = opening(subject.games[0], "unknown")
        later = MatchStart.FromString(encoded_otherwise(first.start))  # unknown fields are kept
        asked = ArenaFrame(decisions=[first.decision])
        async with visiting(subject) as visit:
            await visit.greeted()
            await visit.take_up(first.start)
            visit.ask(first.decision)
            plain = await visit.answer_to(first.decision)
            visit.end(first.match_id)
            try:
                await visit.take_up(later)
                since = len(visit.answers)
                visit.send(encoded_otherwise(asked))
                answer = await visit.answer_to(first.decision, since)
            except Failed as failed:
                raise Failed(
                    "The bot did not understand a frame with fields that it does not know, and"
                    " fields in another order. Ignore unknown fields; rely on no order."
                    f" {failed.sentence}",
                    sent=_shown(first.decision),
                    came_back=failed.came_back,
                ) from None
        legal = first.decision.legal_actions
        if action_of(answer, legal) != action_of(plain, legal):
            raise Failed(
                "The bot answered the same decision differently when it was encoded differently.",
                sent=f"{_shown(first.decision)}; answer without them: {shown_answer(plain)}",
                came_back=shown_answer(answer),
            )
        return "It ignored unknown fields, and relied on no order of fields."

    return Check(NAME, run, needs=(repeated_decision.NAME,))


def encoded_otherwise(message: Message) -> bytes:
    """Returns the message in another encoding with the same meaning to every proto3 decoder: fields
    from last to first, with unknown ones around them, in nested messages as well."""
    fields = reversed(message.ListFields())
    return UNKNOWN + b"".join(_field(message, field) for field, _ in fields) + UNKNOWN


def _field(message: Message, field: FieldDescriptor) -> bytes:
    value = getattr(message, field.name)
    if field.message_type is None or field.message_type.GetOptions().map_entry:
        alone = type(message)()
        alone.MergeFrom(message)
        for other, _ in message.ListFields():
            if other.number != field.number:
                alone.ClearField(other.name)
        return alone.SerializeToString()
    parts = value if field.is_repeated else [value]
    tag = _varint(field.number << 3 | LENGTH_DELIMITED)
    encoded = map(encoded_otherwise, parts)
    return b"".join(tag + _varint(len(part)) + part for part in encoded)


def _varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])


def _shown(decision: Decision) -> str:
    return f"fields 1000 and 1001 in every message, with {shown_decision(decision)}"
