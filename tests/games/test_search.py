"""Playouts learn which action to take instead of which others."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random
from statistics import fmean, pvariance

import pytest

from sevens_games import Experience, Match, Search, SeededDeals, load
from sevens_games.engine import Action, Facts, Observation, Zone
from sevens_games.search import Made, Playout, Sight
from sevens_games.search.experience import MOST_CHOICES, counted

KEEP, SELL, WAIT = [Action[str](text) for text in ("keep", "sell", "wait")]
BOTH = (KEEP, SELL)
DEALS = 30
SEARCHES, GUESSES = 60, 3
MATCHES = 200


def test_a_good_deal_says_nothing_for_the_actions_in_it() -> None:
    experience = Experience((0, 1))
    experience.learn([Playout([Made(0, action, BOTH)], (0.9, 0.1)) for action in BOTH])
    assert experience.weights(BOTH) == [1.0, 1.0]


def test_what_did_better_on_the_same_guess_is_chosen_more_often() -> None:
    experience = Experience((0, 1))
    experience.learn(
        [Playout([Made(0, KEEP, BOTH)], (0.9, 0.1)), Playout([Made(0, SELL, BOTH)], (0.8, 0.2))]
    )
    keep, sell, unseen = experience.weights((KEEP, SELL, WAIT))
    assert keep > unseen > sell


def test_a_reply_is_weighed_by_what_it_answers() -> None:
    experience = Experience((0, 1))
    experience.learn(
        [
            Playout([Made(0, KEEP, BOTH, "bid"), Made(0, SELL, BOTH, "pass")], (0.9, 0.1)),
            Playout([Made(0, SELL, BOTH, "bid"), Made(0, KEEP, BOTH, "pass")], (0.5, 0.5)),
        ]
    )
    for before, better in (("bid", KEEP), ("pass", SELL)):
        keep, sell = experience.weights(BOTH, before)
        assert (keep > sell) is (better is KEEP)


def test_a_lesson_about_one_card_holds_for_another_that_is_as_like_the_one_before() -> None:
    experience = Experience((0, 1))
    capture, leave, other_capture, other_leave = [
        Action[str](f"play {card}") for card in ("7H", "KD", "9S", "4H")
    ]
    legal = (capture, leave)
    experience.learn(
        [
            Playout([Made(0, capture, legal, "play 7C")], (0.9, 0.1)),
            Playout([Made(0, leave, legal, "play 7C")], (0.5, 0.5)),
        ]
    )
    captures, leaves = experience.weights((other_capture, other_leave), "play 9D")
    assert captures > leaves
    captures, leaves = experience.weights((other_capture, other_leave), "pass")
    assert captures == leaves


def test_a_lesson_about_one_action_holds_for_others_of_its_kind() -> None:
    experience = Experience((0, 1))
    match, lay, other_match, other_lay = [
        Action[str](text) for text in ("match QS QC", "lay QS", "match 7D 7H", "lay 7D")
    ]
    experience.learn(
        [
            Playout([Made(0, match, (match, lay))], (0.9, 0.1)),
            Playout([Made(0, lay, (match, lay))], (0.5, 0.5)),
        ]
    )
    matches, lays = experience.weights((other_match, other_lay), "draw")
    assert matches > lays


def test_a_lesson_about_a_pair_holds_for_another_pair() -> None:
    experience = Experience((0, 1))
    learned, asked = sight(["7H", "7S", "KD"]), sight(["4C", "4D", "9S"])
    alone, of_pair = Action[str]("discard KD"), Action[str]("discard 7H")
    legal = (alone, of_pair)
    experience.learn(
        [
            Playout([Made(0, alone, legal, sight=learned)], (0.9, 0.1)),
            Playout([Made(0, of_pair, legal, sight=learned)], (0.5, 0.5)),
        ]
    )
    actions = [Action[str](text) for text in ("discard 9S", "discard 4C")]
    lone, paired = experience.weights(actions, "", asked)
    assert lone > paired
    lone, paired = experience.weights(actions)
    assert lone == paired


def test_a_lesson_about_a_bid_holds_for_hands_with_as_many_of_a_suit() -> None:
    experience = Experience((0, 1))
    bid, stay = legal = [Action[str](text) for text in ("bid 7", "stay")]
    many, few = sight(["7H", "8H", "KH"]), sight(["7H", "8S", "KD"])
    for seen, good in ((many, bid), (few, stay)):
        experience.learn(
            [
                Playout([Made(0, action, legal, sight=seen)], [float(action == good)] * 2)
                for action in legal
            ]
        )
    bids, stays = experience.weights(legal, "", sight(["2C", "5C", "JC"]))
    assert bids > stays
    bids, stays = experience.weights(legal, "", sight(["2C", "5S", "JD"]))
    assert bids < stays


def test_what_others_hold_is_not_seen() -> None:
    hands = (Zone("hand", 0, ("7H",), 0), Zone("hand", 1, ("7S", "8H"), 0))
    names = Sight(Observation(hands, Facts({})), 0).of("discard 7H")
    assert {"discard held 1", "discard near 0", "discard seen 2"} < {*names}


def test_an_action_is_like_or_unlike_the_top_of_the_pile() -> None:
    pile = Zone("pile", None, ("9H", "7C"), 0)
    seen = Sight(Observation((pile,), Facts({})), 0)
    for action, name in (("play 7S", "rank"), ("play 9C", "higher"), ("play 9H", "neither")):
        assert f"play pile {name}" in seen.of(action)
    assert seen.of("pass") == ()


def sight(hand: Sequence[str]) -> Sight:
    return Sight(Observation((Zone("hand", 0, tuple(hand), 0),), Facts({})), 0)


def test_before_any_playout_the_search_believes_its_lessons() -> None:
    match = load("xeri").start(deals=SeededDeals("believed"))
    seat = match.to_act[0]
    legal = match.legal_actions(seat)
    for good in legal:
        experience = Experience((0, 1))
        experience.learn(
            [Playout([Made(seat, action, legal)], [float(action == good)] * 2) for action in legal]
        )
        assert Search(match, seat, Random(1), experience).best() == good


def test_a_clear_difference_refutes_what_was_believed() -> None:
    """In Seven7s the seventh card of a column ends the match, here for a seat that is ahead."""
    match, seat, best = one_choice_wins()
    legal = match.legal_actions(seat)
    experience = Experience(match.game.teams(match.players))
    experience.learn(
        [
            Playout([Made(seat, action, legal)], [float(action != best)] * match.players)
            for action in legal
        ]
    )
    search = Search(match, seat, Random(1), experience)
    assert search.best() != best
    for _ in range(100 * len(legal)):
        search.playout()
    assert search.best() == best


def one_choice_wins() -> tuple[Match, int, str]:
    """Returns a match, a seat in it, and the action that wins it at once, among several others that
    do not end it."""
    for number in range(MATCHES):
        match = load("seven7s").start(deals=SeededDeals(f"ends/{number}"))
        rng = Random(number)
        while match.to_act:
            seat = match.to_act[0]
            legal = match.legal_actions(seat)
            ends = {
                action: after.result
                for action in legal
                if (after := applied(match, seat, action)).result
            }
            won = [
                action
                for action, result in ends.items()
                if result.ranks.count(1) == result.ranks[seat] == 1
            ]
            if len(ends) == 1 and won and len(legal) > 1:
                return match, seat, won[0]
            match.apply(seat, rng.choice(legal))
    raise AssertionError(f"none in {MATCHES} matches")


def test_a_copy_learns_on_its_own() -> None:
    experience = Experience((0, 1))
    lesson = Playout([Made(0, KEEP, BOTH, "bid")], (1.0, 0.0))
    experience.learn([lesson])
    before = experience.weights(BOTH, "bid")
    copy = experience.copy()
    copy.learn([lesson])
    assert experience.weights(BOTH, "bid") == before != copy.weights(BOTH, "bid")


def test_actions_are_compared_on_the_same_chance() -> None:
    """So their distance varies less than by playouts of the same guesses apart."""
    match = load("xeri").start(deals=SeededDeals("chance"))
    seat = match.to_act[0]
    legal = match.legal_actions(seat)
    one, other = legal[:2]
    distances, apart = [], []
    for number in range(SEARCHES):
        search = Search(match, seat, Random(number), Experience((0, 1)))
        for _ in range(GUESSES * len(legal)):
            search.playout()
        distances.append(search.mean(one) - search.mean(other))
        rng = Random(number)
        guesses = [match.redeal(seat, rng) for _ in range(GUESSES)]
        of_one, of_other = (
            mean(guesses, rng, Made(seat, action, legal)) for action in (one, other)
        )
        apart.append(of_one - of_other)
    assert pvariance(distances) < 0.7 * pvariance(apart)


def mean(guesses: Sequence[Match], rng: Random, first: Made) -> float:
    """Returns what `Search.mean` would be, by playouts each with its own chance."""
    policy = Experience((0, 1))
    played = [policy.playout(guess.clone(), rng, first) for guess in guesses]
    return fmean([0.5, *(playout.rewards[first.seat] for playout in played)])


def test_playouts_answer_only_what_is_public() -> None:
    """A card given in Dingo is hidden from the other seats."""
    match = load("dingo").start(deals=SeededDeals("given"))
    made = Experience(range(4)).play_deal(match, Random(1))
    answered = {choice.after for choice in made}
    assert "give" in answered
    assert not any(after.startswith("give ") for after in answered)


def test_a_playout_of_the_last_choice_of_a_deal_ends_with_it() -> None:
    match = load("mexican-sweat").start(deals=SeededDeals("last"))
    rng = Random(1)
    while (first := last_of_deal(match)) is None:
        seat = match.to_act[0]
        match.apply(seat, rng.choice(match.legal_actions(seat)))
    played = Experience(range(match.players)).playout(match, rng, first)
    assert played.made == [first]


def last_of_deal(match: Match) -> Made | None:
    """Returns a choice that changes the standing at once, if there is one."""
    seat = match.to_act[0]
    legal = match.legal_actions(seat)
    for action in legal:
        if applied(match, seat, action).deal != match.deal and len(legal) > 1:
            return Made(seat, action, legal)
    return None


def applied(match: Match, seat: int, action: str) -> Match:
    after = match.clone()
    after.apply(seat, action)
    return after


@pytest.mark.parametrize(("actions", "choices"), [(2, 1), (10, 1), (11, 2), (109, 11)])
def test_a_choice_between_many_actions_counts_as_several(actions: int, choices: int) -> None:
    legal = [Action[str](f"lay {place}") for place in range(actions)]
    assert counted(Made(0, legal[0], legal)) == choices


def test_a_choice_between_many_actions_teaches_as_much_as_several() -> None:
    few, many = lesson_of_one_among(10), lesson_of_one_among(30)
    assert many > 3 * few


def lesson_of_one_among(actions: int) -> float:
    """Returns the logarithm of the weight of an action that won, relative to one not seen."""
    experience = Experience((0, 1))
    legal = [Action[str](f"lay {place}") for place in range(actions)]
    experience.learn([Playout([Made(0, legal[0], legal)], (0.9, 0.1))])
    chosen, unseen = experience.weights((legal[0], WAIT))
    return log(chosen / unseen)


def test_a_playout_ends_though_nobody_calls_in_cash() -> None:
    """A wrong call costs a letter, so that calls are unlearned, and one deal follows another."""
    game = load("cash")
    match = game.start(players=8, deals=SeededDeals("uncalled"))
    experience = Experience(game.teams(8))
    for seat in match.to_act:
        legal = match.legal_actions(seat)
        for _ in range(20):
            experience.learn(
                [
                    Playout([Made(seat, action, legal)], [float(action.startswith("swap"))] * 8)
                    for action in legal
                ]
            )
    made = experience.play_deal(match, Random(1))
    assert match.to_act
    assert MOST_CHOICES <= sum(map(counted, made)) < 1.1 * MOST_CHOICES


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["kontsina", "seven-euchre", "seven-rummy"])
@pytest.mark.parametrize("looks", [False, True])
def test_a_rehearsed_policy_beats_one_that_knows_nothing(slug: str, looks: bool) -> None:
    game = load(slug)
    first = game.start(deals=SeededDeals("rehearsed"))
    teams = game.teams(first.players)
    blank, rehearsed = Experience(teams), Experience(teams, looks=looks)
    rehearsed.rehearse(first, 5_000)
    gained = [
        reward(game.start(deals=SeededDeals(f"duel/{deal}")), team, rehearsed, blank)
        for deal in range(DEALS)
        for team in set(teams)
    ]
    assert fmean(gained) > 0.55


def reward(match: Match, team: int, own: Experience, other: Experience) -> float:
    """Returns what one policy's team gains in a deal against the other policy."""
    teams = match.game.teams(match.players)
    start, deal, rng, after = match.standing, match.deal, Random(1), ""
    while match.to_act and match.deal == deal:
        seat = match.to_act[0]
        legal = match.legal_actions(seat)
        policy = own if teams[seat] == team else other
        weights = policy.weights(legal, after, policy.sight(match, seat))
        action = rng.choices(legal, weights)[0]
        match.apply(seat, action)
        after = action.public or ""
    return other.rewards(start, match)[teams.index(team)]
