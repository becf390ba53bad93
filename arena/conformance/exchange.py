"""A decision that a bot was sent, the answer to it, and texts that display both."""

from __future__ import annotations

from dataclasses import dataclass

from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchStart

ACTIONS_SHOWN = 8
TEXT_SHOWN = 120


@dataclass(frozen=True)
class Exchange:
    """A decision and its answer. `start`: the match as announced to the bot. `ms`: the time to the
    answer, in milliseconds."""

    start: MatchStart
    decision: Decision
    answer: Answer
    ms: float


def shown_decision(decision: Decision) -> str:
    """Formats a decision on one line."""
    legal = list(decision.legal_actions)
    more = f" and {len(legal) - ACTIONS_SHOWN} more" if len(legal) > ACTIONS_SHOWN else ""
    return (
        f"decision {decision.number} of match {decision.match_id}, seat {decision.seat};"
        f" legal: {', '.join(legal[:ACTIONS_SHOWN])}{more}"
    )


def shown_answer(answer: Answer | None) -> str:
    """Formats an answer on one line."""
    if answer is None:
        return "nothing"
    which = f"for decision {answer.number} of match {answer.match_id}"
    if answer.WhichOneof("action") == "index":
        return f"index {answer.index} {which}"
    if answer.HasField("text"):
        return f"{answer.text[:TEXT_SHOWN]!r} {which}"
    return f"no action {which}"
