"""The analysis of a match: its decisions, and the play of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from statistics import fmean

from arena.analysis.choices import Choice, Choices, Estimate
from arena.analysis.mark import Mark, mark_of
from arena.errors import ArenaError, Kind
from arena.records import ChosenBy, replay
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Experience


@dataclass(frozen=True)
class Decision:
    """A bot's choice among several actions.

    `decision`: counts within the match from 1, `number` within the seat.
    `choices`: all legal actions, the best first.
    `loss`: the expected rank after the chosen action less that after the best one.
    `expected`: by seat, the expected rank after the chosen action, by all that this seat knows.
    """

    decision: int
    seat: int
    number: int
    action: str
    choices: tuple[Choice, ...]
    loss: Estimate
    mark: Mark | None
    expected: tuple[Estimate, ...]


@dataclass(frozen=True)
class Play:
    """The play of a seat.

    `loss`: the sum over its decisions.
    `accuracy`: 1 if it lost nothing, 0 if it lost as much as by choosing at random; None if no
      decision mattered.
    """

    seat: int
    bot: str
    decisions: int
    loss: Estimate
    accuracy: Estimate | None
    marks: dict[Mark, int]


@dataclass(frozen=True)
class Analysis:
    """`budget`: playouts for each decision."""

    match: str
    game: str
    budget: int
    seed: str
    decisions: tuple[Decision, ...]
    plays: tuple[Play, ...]


def analyse(record: MatchRecord, *, budget: int, seed: str, seat: int | None = None) -> Analysis:
    """Analyses the decisions of one seat, or of all. Raises ArenaError and BadRecord."""
    if budget < 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`budget` is {budget}; it must be at least 1 playout for each decision.",
            "budget",
        )
    if seat is not None and not 0 <= seat < len(record.seats):
        last = len(record.seats) - 1
        raise ArenaError(Kind.WRONG_INPUT, f"The match has seats 0 to {last}, not {seat}.", "seat")
    if not record.HasField("result"):
        raise ArenaError(
            Kind.NOT_NOW, "The match is still in play: analyse it when it is over.", "match"
        )
    decisions = tuple(decisions_of(record, budget, seed, seat))
    seats = range(len(record.seats)) if seat is None else [seat]
    plays = tuple(play_of(record, each, decisions) for each in seats)
    return Analysis(record.match_id, record.game, budget, seed, decisions, plays)


def decisions_of(
    record: MatchRecord, budget: int, seed: str, seat: int | None
) -> Iterator[Decision]:
    teams = [each.team for each in record.seats]
    experience = Experience(teams)
    for step in replay(record):
        if step.chosen_by is not ChosenBy.BOT or len(step.legal) == 1:
            continue
        if seat not in (None, step.seat):
            continue
        found = Choices(
            step.match, step.seat, step.action, experience, f"{seed}/{step.place}", budget
        )
        loss = next(one.behind for one in found.choices if one.action == step.action)
        yield Decision(
            step.place + 1,
            step.seat,
            step.number,
            str(step.action),
            found.choices,
            loss,
            mark_of(loss, 1 + rivals(teams, step.seat)),
            found.expected,
        )


def rivals(teams: Sequence[int], seat: int) -> int:
    return sum(team != teams[seat] for team in teams)


def play_of(record: MatchRecord, seat: int, decisions: Sequence[Decision]) -> Play:
    own = [decision for decision in decisions if decision.seat == seat]
    loss = Estimate(sum(d.loss.mean for d in own), hypot(*(d.loss.error for d in own)))
    at_random = sum(fmean(choice.behind.mean for choice in d.choices) for d in own)
    return Play(
        seat,
        record.seats[seat].bot,
        len(own),
        loss,
        Estimate(1 - loss.mean / at_random, loss.error / at_random) if at_random > 0 else None,
        {mark: sum(d.mark is mark for d in own) for mark in Mark},
    )
