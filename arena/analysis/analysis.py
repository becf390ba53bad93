"""The analysis of a match: its decisions, and the play of each seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from statistics import fmean

from arena.analysis.choices import Choices
from arena.analysis.later_deals import LaterDeals
from arena.analysis.mark import SIGNIFICANT, mark_of
from arena.errors import ArenaError, Kind
from arena.records import ChosenBy, check_seat, replay
from arena.views.matches.analysis import Analysis, Estimate, Mark, Play, WeighedDecision
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Experience

BUDGET = 300
SEED = "analysis"
REHEARSAL = 20_000  # choices from which the policy of all playouts has learned


def analyse(record: MatchRecord, *, budget: int, seed: str, seat: int | None = None) -> Analysis:
    """Analyses the decisions of one seat, or of all. Raises ArenaError and BadRecord."""
    if budget < 1:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"`budget` is {budget}; it must be at least 1 playout for each decision.",
            "budget",
        )
    check_seat(seat, len(record.seats))
    if not record.HasField("result"):
        raise ArenaError(
            Kind.NOT_NOW, "The match is still in play: analyse it when it is over.", "match"
        )
    decisions = tuple(decisions_of(record, budget, seed, seat))
    seats = range(len(record.seats)) if seat is None else [seat]
    plays = [play_of(record, each, decisions) for each in seats]
    if seat is None and not record.faults:
        losses = [play.loss for play in plays]
        plays = [
            play.model_copy(update={"luck": luck_of(record, play.seat, losses)}) for play in plays
        ]
    return Analysis(
        match=record.match_id,
        game=record.game,
        budget=budget,
        seed=seed,
        plays=tuple(plays),
        decisions=decisions,
    )


def decisions_of(
    record: MatchRecord, budget: int, seed: str, seat: int | None
) -> Iterator[WeighedDecision]:
    teams = [each.team for each in record.seats]
    policy = Experience(teams)
    later: dict[tuple[int, ...], LaterDeals] = defaultdict(lambda: LaterDeals(policy))
    for step in replay(record):
        if not step.place:
            policy.rehearse(step.match, REHEARSAL)
        if step.chosen_by is not ChosenBy.BOT or len(step.legal) == 1:
            continue
        if seat not in (None, step.seat):
            continue
        last = 1 + rivals(teams, step.seat)
        after = later[step.seat, *step.match.standing.scores]
        choices = Choices(step.match, step.seat, policy, after, f"{seed}/{step.place}", last)
        weighed = choices.weighed(step.action, budget)
        loss = next(one.behind for one in weighed.actions if one.action == step.action)
        yield WeighedDecision(
            decision=step.place + 1,
            seat=step.seat,
            number=step.number,
            action=step.action,
            actions=weighed.actions,
            loss=loss,
            mark=mark_of(loss, last),
            sampled=weighed.sampled,
            at_random=weighed.at_random,
            expected=weighed.expected,
            exact=weighed.exact,
        )


def rivals(teams: Sequence[int], seat: int) -> int:
    return sum(team != teams[seat] for team in teams)


def play_of(record: MatchRecord, seat: int, decisions: Sequence[WeighedDecision]) -> Play:
    own = [decision for decision in decisions if decision.seat == seat]
    loss = sum_of(decision.sampled for decision in own)
    return Play(
        seat=seat,
        bot=record.seats[seat].bot,
        decisions=len(own),
        loss=loss,
        accuracy=accuracy(loss, sum_of(decision.at_random for decision in own)),
        marks={mark: sum(decision.mark is mark for decision in own) for mark in Mark},
    )


def luck_of(record: MatchRecord, seat: int, losses: Sequence[Estimate]) -> Estimate:
    """Returns by how many ranks a seat did better than the mean, apart from what the losses of all
    seats explain. A loss is one of the seat's team, and the gain of its rivals in equal shares, so
    that the luck of all seats is 0."""
    teams = [each.team for each in record.seats]
    gains = [
        -1.0 if team == teams[seat] else teams.count(team) / rivals(teams, loser)
        for loser, team in enumerate(teams)
    ]
    ranks = record.result.ranks
    play = sum(gain * loss.mean for gain, loss in zip(gains, losses, strict=True))
    error = hypot(*(gain * loss.error for gain, loss in zip(gains, losses, strict=True)))
    return Estimate(mean=fmean(ranks) - ranks[seat] - play, error=error)


def sum_of(estimates: Iterable[Estimate]) -> Estimate:
    """Returns the sum of independent estimates."""
    total, error = 0.0, 0.0
    for each in estimates:
        total, error = total + each.mean, hypot(error, each.error)
    return Estimate(mean=total, error=error)


def accuracy(loss: Estimate, at_random: Estimate) -> Estimate | None:
    """Returns 1 less the ratio of the losses; None if that at random could be 0."""
    if at_random.mean <= SIGNIFICANT * at_random.error:
        return None
    ratio = loss.mean / at_random.mean
    error = hypot(loss.error, ratio * at_random.error) / at_random.mean
    return Estimate(mean=1 - ratio, error=error)
