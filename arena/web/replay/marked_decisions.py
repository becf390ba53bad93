"""The decisions that an analysis has marked, in words."""

from __future__ import annotations

from typing import NamedTuple

from arena.records.wording import Wording
from arena.views.matches.analysis import Analysis, Estimate, Mark
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import load


class MarkedDecision(NamedTuple):
    """A marked decision.

    `says`: what was chosen. `better`: the best choice, as on a button.
    """

    decision: int
    seat: int
    mark: Mark
    says: str
    better: str
    loss: Estimate


def marked_decisions(record: pb.MatchRecord, analysis: Analysis) -> list[MarkedDecision]:
    """Returns the marked decisions of a match in the order in which they were made."""
    wording = Wording(load(record.game).layout, record.seats)
    return [
        MarkedDecision(
            decision=each.decision,
            seat=each.seat,
            mark=each.mark,
            says=wording.action(each.seat, each.action),
            better=wording.choice(each.actions[0].action),
            loss=each.loss,
        )
        for each in analysis.decisions
        if each.mark is not None
    ]
