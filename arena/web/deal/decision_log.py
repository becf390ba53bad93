"""The decisions of a match with the scores before each, from its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.records import BadRecord, read, replay
from arena.records.wording import Wording
from arena.store.texts import LostText, record_text
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Match, load

SCORE_FACTS = ("totals", "scores", "points")
"""The facts in which games keep the scores so far, by seat or by team; the first counts that a game
has."""

Scores = tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """A choice. `says`: in words, as on a button.

    `scores`: before it, by seat or by team; None if the game does not show them.
    """

    seat: int
    action: str
    says: str
    scores: Scores | None = None


@dataclass(frozen=True)
class DecisionLog:
    """The decisions of a match. `problem`: what is missing, a sentence; empty if it is complete."""

    decisions: Sequence[Decision]
    problem: str = ""


def decision_log(session: Session, match_id: str) -> DecisionLog:
    """Returns the decisions of a match, as far as its record has them."""
    try:
        record = read(record_text(session, match_id))
    except LostText as pruned:
        return DecisionLog((), pruned.sentence)
    except BadRecord:
        return DecisionLog((), f"The record of match {match_id} is damaged.")
    try:
        return DecisionLog([*_with_scores(record)])
    except BadRecord:
        choices = [Decision(choice.seat, choice.action, choice.action) for choice in record.choices]
        return DecisionLog(
            choices, "This record is of other rules than are played here: no scores."
        )


def _with_scores(record: MatchRecord) -> Iterator[Decision]:
    wording = Wording(load(record.game).layout, record.seats)
    for step in replay(record):
        action = str(step.action)
        yield Decision(step.seat, action, wording.choice(action), _scores(step.match))


def _scores(match: Match) -> Scores | None:
    facts = match.observe(None).facts
    for name in SCORE_FACTS:
        value = facts.get(name)
        if isinstance(value, tuple) and value and all(isinstance(one, int) for one in value):
            return tuple(one for one in value if isinstance(one, int))
    return None
