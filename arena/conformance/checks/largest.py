"""A frame of the maximum size is read and answered."""

from __future__ import annotations

from arena.conformance.checks import many
from arena.conformance.conversation import visiting
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import opening
from arena.conformance.subject import Subject
from arena.match import action_of
from arena.protocol import FRAME_LIMIT_BYTES
from sevens.bot.v1.bot_service_pb2 import ArenaFrame
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Event

NAME = "largest frame"
# For the frame's and the decision's own length fields, which grow with their content.
LENGTHS_BYTES = 16


def largest_check(subject: Subject) -> Check:
    async def run() -> str:
        first = opening(subject.games[0], "largest")
        decision = _filled(first.decision)
        size = ArenaFrame(decisions=[decision]).ByteSize()
        async with visiting(subject) as visit:
            await visit.greeted()
            await visit.take_up(first.start)
            visit.ask(decision)
            try:
                answer = await visit.answer_to(decision)
            except Failed as failed:
                raise Failed(
                    f"A frame of {size:,} bytes was not answered; the arena sends up to"
                    f" {FRAME_LIMIT_BYTES:,} (welcome.frame_limit_bytes). Allow gRPC messages of"
                    f" that size. {failed.sentence}",
                    sent=f"{_events(decision)} with {shown_decision(decision)}",
                    came_back=failed.came_back,
                ) from None
        if action_of(answer, decision.legal_actions) is None:
            raise Failed(
                f"The answer to a frame of {size:,} bytes was not one of the legal actions.",
                sent=f"{_events(decision)} with {shown_decision(decision)}",
                came_back=shown_answer(answer),
            )
        return f"It answered a frame of {size:,} bytes, with {_events(decision)}."

    return Check(NAME, run, needs=(many.NAME,))


def _filled(decision: Decision) -> Decision:
    """Returns the decision with as many events as fit into a frame."""
    event = Event(verb="check", actor=decision.seat, arguments=["7S"])
    each = Decision(events=[event]).ByteSize()
    room = FRAME_LIMIT_BYTES - LENGTHS_BYTES - decision.ByteSize()
    full = Decision()
    full.CopyFrom(decision)
    full.events.extend([event] * (room // each))
    return full


def _events(decision: Decision) -> str:
    return f"{len(decision.events):,} events"
