"""The luck of matches: against enumeration in a small game, and without bias in real ones."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from statistics import fmean, stdev

import pytest

from arena.protocol.ranking import rank_points
from bench.luck import RANDOM_PLAYOUTS, PlayedMatch, ValueFunction, luck_of
from sevens_games import (
    Action,
    Facts,
    Game,
    Match,
    Observation,
    Result,
    SeededDeals,
    load,
    ranks_by,
)
from sevens_games.engine.phases import Turn
from sevens_games.engine.state import State
from tests.support.played_matches import played as recorded

# A game for luck: each seat gets a card; seat 0 may have both dealt again; the higher card wins. --

CARDS = ("1", "2", "3")
STAY, AGAIN = Action("stay"), Action("again")


@dataclass(slots=True, kw_only=True)
class Table(State):
    cards: tuple[str, ...] = ()


def deal(s: Table) -> str:
    s.deals.begin_deal()
    s.cards = s.deals.shuffle(CARDS)[:2]
    return "choosing"


def chosen(s: Table, seat: int, action: Action[str]) -> None:
    if action == AGAIN:
        deal(s)


HIGHER_CARD = Game(
    slug="higher-card",
    title="Higher Card",
    summary="The higher card wins.",
    rules_version=1,
    players=(2,),
    ladder_players=2,
    state=Table,
    begin=deal,
    phases={
        "choosing": Turn(
            rule="Stay, or have the cards dealt again.",
            who=lambda s: 0,
            may=lambda s, seat: [STAY, AGAIN],
            then=chosen,
        )
    },
    view=lambda s, viewer: Observation((), Facts({})),
    redeal=lambda s, viewer, rng: None,
    result=lambda s: Result([int(card) for card in s.cards], ranks_by(s.cards), "over"),
    cards="A number.",
    zones={},
    facts={},
    actions={},
    events={},
    reasons={"over": "All cards are dealt."},
)
ACCURATE = replace(RANDOM_PLAYOUTS, playouts=2000, redeals=2000)
QUICK = replace(RANDOM_PLAYOUTS, playouts=2, redeals=2)


def won(order: tuple[str, ...]) -> float:
    return float(order[0] > order[1])


@pytest.mark.parametrize("first", list(permutations(CARDS)))
def test_it_is_the_value_of_the_cards_less_the_mean_over_all_deals(first: tuple[str, ...]) -> None:
    """Playouts stay half of the time, and win half of the time after another deal."""
    match = PlayedMatch(HIGHER_CARD, 2, {}, [first], [], [(0, "stay")])
    expected = (won(first) / 2 + 1 / 4) - 1 / 2
    assert luck_of(match, ACCURATE) == pytest.approx((expected, -expected), abs=0.06)


@pytest.mark.parametrize("second", list(permutations(CARDS)))
def test_cards_dealt_later_count_too(second: tuple[str, ...]) -> None:
    first = ("3", "1", "2")
    match = PlayedMatch(HIGHER_CARD, 2, {}, [first, second], [], [(0, "again")])
    expected = 1 / 4 + (won(second) - 1 / 2)
    assert luck_of(match, ACCURATE) == pytest.approx((expected, -expected), abs=0.08)


# Real games ---------------------------------------------------------------------------------------


def played(slug: str, seed: str, choose: Callable[[Match, int, Random], str]) -> PlayedMatch:
    match = load(slug).start(deals=SeededDeals(seed))
    rng, choices = Random(seed), []
    while match.to_act:
        seat = rng.choice(match.to_act)
        choices.append((seat, str(choose(match, seat, rng))))
        match.apply(*choices[-1])
    deals = match.deals
    return PlayedMatch(
        match.game, match.players, match.options, deals.shuffles, deals.picks, choices
    )


def first_seat_is_good(match: Match, seat: int, rng: Random) -> str:
    """A seat that looks at all cards, and takes the action after which one playout is best."""
    legal = match.legal_actions(seat)
    if seat or len(legal) == 1:
        return rng.choice(legal)

    def prospect(action: str) -> float:
        twin = match.with_other_chance(rng)
        twin.apply(seat, action)
        while twin.to_act:
            other = twin.to_act[0]
            twin.apply(other, rng.choice(twin.legal_actions(other)))
        return rank_points(twin.result.ranks, match.game.teams(match.players))[seat]

    return max(legal[:4], key=prospect)


@pytest.mark.slow
def test_its_mean_is_zero_however_the_seats_play(seed: int) -> None:
    lucks = [
        luck_of(played("seven7s", f"{seed}/{number}", first_seat_is_good), QUICK)[0]
        for number in range(100)
    ]
    assert abs(fmean(lucks)) < 4.5 * stdev(lucks) / len(lucks) ** 0.5


@pytest.mark.parametrize("slug", ["seven7s", "dingo", "xeri", "seven-euchre"])
def test_the_same_match_has_the_same_luck(slug: str, seed: int) -> None:
    match = played(slug, f"{seed}", lambda match, seat, rng: rng.choice(match.legal_actions(seat)))
    assert luck_of(match, QUICK) == luck_of(match, QUICK)


def test_a_record_tells_all_that_luck_needs() -> None:
    record = recorded("xeri").record
    match = PlayedMatch.of(record)
    assert len(match.choices) == len(record.choices)
    luck = luck_of(match, replace(QUICK, playouts=15))
    assert any(luck)
    assert sum(luck) == pytest.approx(0)


def test_teams_share_their_luck(seed: int) -> None:
    match = played(
        "seven-euchre", f"{seed}", lambda match, seat, rng: rng.choice(match.legal_actions(seat))
    )
    luck = luck_of(match, QUICK)
    assert luck[0] == luck[2] == pytest.approx(-luck[1])
    assert luck[1] == luck[3]


def test_the_first_deal_of_a_group_is_the_same_luck_whoever_plays_it(seed: int) -> None:
    """So its sum over a group in which two versions have each seat equally often is exactly 0."""
    one, other = (
        played("forty-thieves", f"{seed}", choose)
        for choose in (
            lambda match, seat, rng: match.legal_actions(seat)[0],
            lambda match, seat, rng: match.legal_actions(seat)[-1],
        )
    )
    assert one.choices != other.choices
    assert luck_of(one, QUICK) == luck_of(other, QUICK)


# The value function -------------------------------------------------------------------------------


def test_the_digest_changes_with_everything_that_matters() -> None:
    match = load("xeri").start()
    seen = {
        RANDOM_PLAYOUTS.digest(match),
        replace(RANDOM_PLAYOUTS, name="other").digest(match),
        replace(RANDOM_PLAYOUTS, playouts=17).digest(match),
        replace(RANDOM_PLAYOUTS, redeals=17).digest(match),
        RANDOM_PLAYOUTS.digest(load("xeri").start(options={"deals": 2})),
        RANDOM_PLAYOUTS.digest(load("trash").start(players=2)),
        RANDOM_PLAYOUTS.digest(load("trash").start(players=3)),
    }
    assert len(seen) == 7
    assert RANDOM_PLAYOUTS.digest(load("xeri").start()) == RANDOM_PLAYOUTS.digest(match)


@pytest.mark.parametrize("field", ["playouts", "redeals"])
def test_nothing_follows_from_no_playouts(field: str) -> None:
    with pytest.raises(ValueError, match=f"`{field}` is 0; it must be at least 1"):
        ValueFunction("random", RANDOM_PLAYOUTS.policy, **{field: 0})


# Other chance -------------------------------------------------------------------------------------


def test_other_chance_changes_the_cards_to_come_and_nothing_dealt() -> None:
    match = HIGHER_CARD.start(deals=SeededDeals("any"))
    dealt, later = match.deals.shuffles, set()
    for number in range(100):
        twin = match.with_other_chance(Random(number))
        assert twin.deals.shuffles == dealt
        twin.apply(0, AGAIN)
        later.add(tuple(twin.deals.shuffles[1]))
    assert later == set(permutations(CARDS))
    assert match.deals.shuffles == dealt
    assert match.to_act == (0,)
