"""The parts of the driver that not every game exercises: actions, ranks, races."""

import copy
import pickle
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

import pytest

from sevens_games import Action, Event, Facts, Game, Match, Observation, Result, ranks_by
from sevens_games.engine.actions import Interned
from sevens_games.engine.phases import Race, Simultaneous
from sevens_games.engine.state import State, copy_state

PASS = Action("pass 2R 5Y", ("2R", "5Y"), public="pass 2")


# Actions and facts --------------------------------------------------------------------------------


def test_an_action_is_its_text_and_carries_its_meaning() -> None:
    assert PASS == "pass 2R 5Y"
    assert hash(PASS) == hash("pass 2R 5Y")
    assert type(str(PASS)) is str
    assert ["pass 2R 5Y"].index(PASS) == 0
    assert (PASS.value, PASS.public) == (("2R", "5Y"), "pass 2")


@pytest.mark.parametrize(
    "copied", [copy.copy(PASS), copy.deepcopy(PASS), pickle.loads(pickle.dumps(PASS))]
)
def test_a_copied_action_carries_its_meaning_too(copied: Action[tuple[str, ...]]) -> None:
    assert copied == PASS
    assert (copied.value, copied.public) == (PASS.value, PASS.public)


def test_an_action_is_public_unless_something_else_is_said() -> None:
    assert Action("play 7S").public == "play 7S"
    assert Action("play 7S", public=None).public is None


def test_interned_actions_are_created_once() -> None:
    table = Interned[int](lambda number: Action(f"bid {number}", number))
    assert table[7] is table[7]
    assert (str(table[7]), table[7].value) == ("bid 7", 7)


def test_facts_are_a_mapping_that_hashes_whatever_its_order() -> None:
    one, other = Facts({"a": 1, "b": (2, 3)}), Facts({"b": (2, 3), "a": 1})
    assert one == other == {"a": 1, "b": (2, 3)}
    assert hash(one) == hash(other)
    assert one != Facts({"a": 1, "b": (2, 4)})
    assert dict(one) == dict(pickle.loads(pickle.dumps(one)))


def test_equal_facts_in_another_order_have_one_text() -> None:
    one = Observation((), Facts({"a": 1, "b": "♠"})).to_json()
    assert one == Observation((), Facts({"b": "♠", "a": 1})).to_json()
    assert one == '{"facts":{"a":1,"b":"♠"},"zones":[]}'


def test_a_zone_that_does_not_exist_cannot_be_looked_at() -> None:
    with pytest.raises(KeyError, match="hand"):
        Observation((), Facts({})).zone("hand", 0)


@pytest.mark.parametrize(
    ("merits", "ranks"),
    [
        ((7,), [1]),
        ((3, 5, 5, -1), [3, 1, 1, 4]),
        ((0, 0, 0), [1, 1, 1]),
        (((1, 2), (1, 3)), [2, 1]),
    ],
)
def test_equal_merits_share_a_rank_and_the_next_rank_skips(
    merits: Collection[int], ranks: list[int]
) -> None:
    assert ranks_by([*merits]) == ranks


# A game for the driver: everybody counts to three, then all shout together ------------------------


@dataclass(slots=True, kw_only=True)
class Counting(State):
    counts: tuple[int, ...] = ()
    shouts: tuple[str, ...] = ()


def begin(s: Counting) -> str:
    s.deals.begin_deal()
    s.counts = (0,) * s.players
    return "counting"


def unfinished(s: Counting) -> list[int]:
    return [seat for seat in range(s.players) if s.counts[seat] < 3]


def count_on(s: Counting, seat: int) -> list[Action[int]]:
    return [Action(f"count {s.counts[seat] + 1}", s.counts[seat] + 1, public=None)]


def counted(s: Counting, seat: int, action: Action[int]) -> str:
    s.counts = tuple(action.value if by == seat else n for by, n in enumerate(s.counts))
    s.tell_only([0], "heard", seat, action.value, others=("something",))
    s.tell_only([seat], "thought", seat)
    return "counting" if unfinished(s) else "shouting"


def everyone(s: Counting) -> range:
    return range(s.players)


def anything(s: Counting, seat: int) -> list[Action[str]]:
    return [Action("shout"), Action("whisper")]


def shouted(s: Counting, actions: dict[int, Action[str]]) -> None:
    s.shouts = tuple(f"{seat} {action}" for seat, action in actions.items())


COUNTING = Game(
    slug="counting",
    title="Counting",
    summary="Everybody counts to three.",
    rules_version=1,
    players=(3,),
    ladder_players=3,
    state=Counting,
    begin=begin,
    phases={
        "counting": Race(rule="Count on.", who=unfinished, may=count_on, then=counted),
        "shouting": Simultaneous(
            rule="Shout.", who=everyone, may=anything, then=shouted, ask_forced=True
        ),
    },
    view=lambda s, viewer: Observation((), Facts({"counts": s.counts, "shouts": s.shouts})),
    redeal=lambda s, viewer, rng: None,
    result=lambda s: Result([0] * s.players, [1] * s.players, "played-out"),
    cards="There are none.",
    zones={},
    facts={},
    actions={},
    events={},
    reasons={},
)


def counting() -> Match:
    return COUNTING.start()


def shouting() -> Match:
    match = counting()
    for seat in (2, 0, 0, 1, 2, 2, 1, 0, 1):
        match.apply(seat, match.legal_actions(seat)[0])
    return match


def test_in_a_race_each_choice_takes_effect_at_once() -> None:
    match = counting()
    for number in (1, 2, 3):
        assert match.to_act == (0, 1, 2)
        match.apply(1, f"count {number}")
        assert match.observe(0).facts["counts"] == (0, number, 0)
    assert match.to_act == (0, 2)
    assert match.legal_actions(1) == []
    assert shouting().to_act == (0, 1, 2)


def test_choices_reach_the_rules_in_the_order_of_seats() -> None:
    match = shouting()
    for seat in (1, 2, 0):
        match.apply(seat, "shout")
    assert match.observe(0).facts["shouts"] == ("0 shout", "1 shout", "2 shout")
    assert match.result is not None


def test_each_seat_is_told_what_it_may_know() -> None:
    match = counting()
    match.apply(1, "count 1")
    choice, thought = Event("count", 1, ("1",)), Event("thought", 1)
    heard, something = Event("heard", 1, (1,)), Event("heard", 1, ("something",))
    assert match.events(None) == (choice, heard, thought)
    assert match.events(0) == (heard,)
    assert match.events(1) == (choice, something, thought)
    assert match.events(2) == (something,)


def test_the_host_learns_whether_forced_choices_are_to_be_asked() -> None:
    match = shouting()
    assert not counting().ask_forced
    assert match.ask_forced
    for seat in match.to_act:
        match.apply(seat, "shout")
    assert not match.ask_forced


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, Match.clone])
def test_every_way_to_copy_a_match_is_a_clone(copied: object) -> None:
    assert callable(copied)
    match = shouting()
    match.apply(0, "shout")
    twin = copied(match)
    match.apply(1, "shout")
    assert match.to_act == (2,)
    assert twin.to_act == (1, 2)
    assert twin.observe(None).facts["chosen"] == ("shout", "", "")


def test_states_are_copied_field_by_field_with_slots_or_without() -> None:
    @dataclass(kw_only=True)
    class Loose(State):
        hands: tuple[str, ...] = ()

    state = Loose(players=2, options=None, deals=counting().deals, hands=("7S",))
    twin = copy_state(state)
    assert twin.hands == ("7S",)
    assert twin.deals is not state.deals
    twin.hands = ()
    assert state.hands == ("7S",)


def test_a_state_can_be_shown_however_long_its_past_is() -> None:
    state = Counting(players=3, options=None, deals=counting().deals)
    for _ in range(100_000):
        state.tell("again")
    assert len(repr(state)) < 500


def test_a_redealt_match_of_a_race_goes_on() -> None:
    match = counting()
    match.apply(0, "count 1")
    other = match.redeal(1, Random(7))
    other.apply(0, "count 2")
    assert other.observe(0).facts["counts"] == (2, 0, 0)
    assert match.observe(0).facts["counts"] == (1, 0, 0)


def test_games_can_be_told_apart_and_kept_in_sets() -> None:
    assert len({COUNTING, COUNTING}) == 1
    assert repr(COUNTING) == "<game counting>"
