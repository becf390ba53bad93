"""The analysis finds what an action was worth, repeats itself, and refuses what it cannot weigh."""

from __future__ import annotations

from math import hypot, inf
from random import Random

import pytest

from arena.analysis import analyse
from arena.analysis.analysis import luck_of
from arena.analysis.choices import CERTAIN, MOST_COMPARED, Choices
from arena.analysis.later_deals import LaterDeals, Outcome
from arena.analysis.mark import least_blunder, mark_of
from arena.errors import ArenaError
from arena.records import BadRecord, ChosenBy, replay
from arena.views.matches.analysis import Estimate, Mark
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Experience, SeededDeals, load
from tests.support.played_matches import played

THROWN_AWAY = 44  # all cards are known there, and by exact play of them only AH wins the only deal


def changed(**fields: object) -> pb.MatchRecord:
    record = pb.MatchRecord()
    record.CopyFrom(played("xeri", deals=1).record)
    for name, value in fields.items():
        setattr(record, name, value)
    return record


@pytest.mark.parametrize("seed", ["one", "two"])
def test_an_action_that_gives_the_match_away_is_a_blunder(seed: str) -> None:
    found = analyse(played("xeri", 12, deals=1).record, budget=100, seed=seed, seat=1)
    [decision] = [one for one in found.decisions if one.decision == THROWN_AWAY]
    assert (decision.action, decision.actions[0].action) == ("play TH", "play AH")
    assert decision.mark is Mark.BLUNDER
    assert decision.loss.error > 0
    assert decision.expected[1].mean > 1.5 > decision.expected[0].mean


def test_a_match_played_at_random_has_an_accuracy_of_about_nothing() -> None:
    """Within four standard errors; the seeds are fixed."""
    for play in analyse(changed(), budget=60, seed="x").plays:
        assert play.accuracy is None or abs(play.accuracy.mean) < 4 * play.accuracy.error


def test_what_play_does_not_explain_is_luck_and_adds_up_to_nothing() -> None:
    """Of two seats: the half rank between the result and the mean, and the other's loss."""
    record = changed()
    first, second = analyse(record, budget=4, seed="x").plays
    assert first.luck is not None
    assert second.luck is not None
    won = 1.5 - record.result.ranks[0]
    assert first.luck.mean == pytest.approx(won + first.loss.mean - second.loss.mean)
    assert second.luck.mean == pytest.approx(-first.luck.mean)
    assert first.luck.error == pytest.approx(hypot(first.loss.error, second.loss.error))
    assert analyse(record, budget=1, seed="x", seat=0).plays[0].luck is None
    faulty = played("xeri", deals=1, faulty=(1,)).record
    assert {play.luck for play in analyse(faulty, budget=1, seed="x").plays} == {None}


def test_a_loss_is_shared_by_the_team_and_gained_by_the_rivals() -> None:
    """Seats 0 and 2 are partners, and came first."""
    seats = [pb.Seat(team=team) for team in (0, 1, 0, 1)]
    record = pb.MatchRecord(seats=seats, result=pb.Result(ranks=[1, 3, 1, 3]))
    losses = [Estimate(mean=loss, error=0.1) for loss in (0.1, 0.2, 0.4, 0.8)]
    luck = [luck_of(record, seat, losses) for seat in range(4)]
    assert luck[0].mean == luck[2].mean == pytest.approx(1 + 0.5 - 1.0)
    assert luck[1].mean == luck[3].mean == pytest.approx(-luck[0].mean)
    assert luck[0].error == pytest.approx(0.2)


def test_the_same_seed_gives_the_same_figures() -> None:
    one, again, other = (analyse(changed(), budget=8, seed=s, seat=0) for s in ("x", "x", "y"))
    assert one == again
    assert one.decisions != other.decisions
    both = analyse(changed(), budget=8, seed="x").decisions
    assert tuple(each for each in both if each.seat == 0) == one.decisions


def test_it_weighs_the_bots_own_choices_between_several_actions() -> None:
    record = played("xeri", deals=1, faulty=(1,)).record
    found = analyse(record, budget=1, seed="x")
    own = [s for s in replay(record) if s.chosen_by is ChosenBy.BOT and len(s.legal) > 1]
    assert [(d.decision, d.seat) for d in found.decisions] == [(s.place + 1, s.seat) for s in own]
    for decision in found.decisions:
        weighed = {action.action: action for action in decision.actions}
        assert len(weighed) == len(decision.actions) > 1
        assert weighed[decision.action].behind == decision.loss
        assert all(action.rank.error > 0 < action.guesses for action in decision.actions)
        is_best = decision.actions[0].action == decision.action
        assert (decision.loss.error == 0) is is_best
        assert decision.loss.mean >= 0
    for play in found.plays:
        marks = [d.mark for d in found.decisions if d.seat == play.seat]
        assert play.marks == {mark: marks.count(mark) for mark in Mark}


def test_it_goes_on_while_it_is_open_what_is_a_blunder() -> None:
    budget = 20
    for decision in analyse(changed(), budget=budget, seed="x").decisions:
        [own] = [action for action in decision.actions if action.action == decision.action]
        is_open = abs(decision.loss.mean - least_blunder(2)) < CERTAIN * decision.loss.error
        assert not is_open or 2 * own.guesses > MOST_COMPARED * budget


def test_a_lead_counts_for_what_the_later_deals_usually_leave_of_it() -> None:
    """A deal of Xeri brings one of the seats 1, so that a lead of 1 may end in a tie."""
    match = load("xeri").start(options={"deals": 2}, deals=SeededDeals("x"))
    policy = Experience([0, 1])
    later = LaterDeals(policy)
    for number in range(12):
        rng = Random(number)
        guess = match.redeal(0, rng)
        policy.play_deal(guess, rng)
        later.sample(guess, rng)
    assert later.ranks(Outcome([1, 2], (2, 0), False)) == [1, 2]
    level = later.ranks(Outcome([1, 1], (0, 0), False))
    assert all(1 < rank < 2 for rank in level)
    assert later.ranks(Outcome([1, 2], (1, 0), False)) == [1, level[1]]
    assert later.ranks(Outcome([2, 1], (1, 2), True)) == [2, 1]


def test_level_scores_of_a_game_that_fewer_points_win_do_not_reverse_what_comes() -> None:
    match = load("cash").start(deals=SeededDeals("x"))
    later = LaterDeals(Experience([*range(match.players)]))
    later.sample(match, Random(1))
    level = Outcome([1] * match.players, (0,) * match.players, False)
    assert later.ranks(level) == match.standing.ranks != level.ranks


@pytest.mark.parametrize(
    ("loss", "error", "last", "mark"),
    [
        (0.1, 0.04, 2, Mark.BLUNDER),
        (0.1, 0.06, 2, None),
        (0.1, 0.04, 4, Mark.INACCURACY),
        (0.06, 0.0, 2, Mark.MISTAKE),
        (0.019, 0.0, 2, None),
        (-0.5, 0.0, 2, None),
        (0.5, inf, 2, None),
    ],
)
def test_a_mark_needs_a_loss_that_its_error_does_not_explain(
    loss: float, error: float, last: int, mark: Mark | None
) -> None:
    assert mark_of(Estimate(mean=loss, error=error), last) is mark


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["california-speed", "envite", "forty-thieves", "russian-bank"])
def test_it_weighs_choices_made_at_once_in_teams_in_races_and_in_long_games(slug: str) -> None:
    game = load(slug)
    match = game.start(deals=SeededDeals(slug))
    while len(match.legal_actions(seat := match.to_act[0])) == 1:
        match.apply(seat, match.legal_actions(seat)[0])
    legal = match.legal_actions(seat)
    policy = Experience(game.teams(match.players))
    choices = Choices(match, seat, policy, LaterDeals(policy), "x", match.players)
    weighed = choices.weighed(legal[-1], 1)
    assert sorted(action.action for action in weighed.actions) == sorted(legal)
    assert all(1 <= each.mean <= match.players for each in weighed.expected)


def test_what_cannot_be_weighed_is_refused_in_a_sentence() -> None:
    with pytest.raises(ArenaError, match="`budget` is 0; it must be at least 1 playout"):
        analyse(changed(), budget=0, seed="x")
    with pytest.raises(ArenaError, match="seats 0 to 1; there is no seat 2"):
        analyse(changed(), budget=1, seed="x", seat=2)
    with pytest.raises(BadRecord, match="chess"):
        analyse(changed(game="chess"), budget=1, seed="x")
    in_play = changed()
    in_play.ClearField("result")
    with pytest.raises(ArenaError, match="still in play"):
        analyse(in_play, budget=1, seed="x")
