"""Analyses without a search: of recorded matches, by figures that a test chooses."""

from __future__ import annotations

from collections.abc import Iterator

from arena.records import ChosenBy, replay
from arena.views.matches.analysis import (
    Analysis,
    Estimate,
    Mark,
    Play,
    WeighedAction,
    WeighedDecision,
)
from sevens.record.v1.match_record_pb2 import MatchRecord

BUDGET = 60
LOSS = Estimate(mean=0.16, error=0.05)
EVEN = Estimate(mean=1.5, error=0.07)
NOTHING = Estimate(mean=0, error=0)


def weighed_match(record: MatchRecord, blunders: int) -> Analysis:
    """Returns an analysis of a match between two by which the first so many decisions of seat 1
    were blunders, and all others were the best."""
    decisions = tuple(_decisions(record, blunders))
    plays = tuple(
        Play(
            seat=seat,
            bot=each.bot,
            decisions=sum(one.seat == seat for one in decisions),
            loss=LOSS,
            accuracy=Estimate(mean=0.41, error=0.34) if seat else None,
            marks=dict.fromkeys(Mark, 0) | {Mark.BLUNDER: blunders if seat else 0},
            luck=Estimate(mean=-0.3, error=0.1),
        )
        for seat, each in enumerate(record.seats)
    )
    return Analysis(
        match=record.match_id,
        game=record.game,
        budget=BUDGET,
        seed="chosen",
        plays=plays,
        decisions=decisions,
    )


def _decisions(record: MatchRecord, blunders: int) -> Iterator[WeighedDecision]:
    left = blunders
    for step in replay(record):
        if step.chosen_by is not ChosenBy.BOT or len(step.legal) == 1:
            continue
        others = [action for action in map(str, step.legal) if action != str(step.action)]
        is_blunder = step.seat == 1 and left > 0
        left -= is_blunder
        order = [*others, str(step.action)] if is_blunder else [str(step.action), *others]
        behind = [NOTHING, *[LOSS] * len(others)]
        loss = LOSS if is_blunder else NOTHING
        yield WeighedDecision(
            decision=step.place + 1,
            seat=step.seat,
            number=step.number,
            action=str(step.action),
            actions=tuple(
                WeighedAction(action=action, rank=EVEN, score=EVEN, behind=less, guesses=9)
                for action, less in zip(order, behind, strict=True)
            ),
            loss=loss,
            sampled=loss,
            at_random=LOSS,
            mark=Mark.BLUNDER if is_blunder else None,
            expected=(EVEN, EVEN),
            exact=is_blunder,
        )
