"""Envite: each ruling, each published example, and the invariants of random play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from tests.support.game_redeals import possible, redealt
from tests.support.game_tables import (
    assert_looks_equal,
    cards,
    choose,
    hands,
    legal,
    seen,
    stack,
    told,
)

ENVITE = load("envite")
PLAYERS = range(4, 13)

SUITS = "CDHS"
DECK = [rank + suit for suit in SUITS for rank in "A234567JQK"]
PLAIN_RANKS = "KQJA765432"  # the highest first, as in all lists here

# By places at the table, the printed trumps, before and in the trump suit.
SPECIALS = {
    4: "",
    6: "3C QC JD",
    8: "5D 3C QC JD",
    10: "2D 5D 3C QC JD",
    12: "AD 2D 5D 3C QC JD",
}
TRUMP_RANKS = "2KQJA76543"

# Hands for won_by(): without a spade, and the first takes every trick from the others.
STRONG = "KC KD KH"
WEAK = ["4C 4D 4H", "5C 6D 5H", "6C 3D 6H", "7C 7D 7H", "AC AD AH"]

STAKES = ["2", "4", "7", "9", "game"]
RAISED_TO = {stake: " ".join(["challenge", *["raise"] * n]) for n, stake in enumerate(STAKES[1:])}


def trumps(places: int, suit: str) -> list[str]:
    """Returns the trumps in the printed order, without duplicates."""
    return list(dict.fromkeys([*cards(SPECIALS[places]), *[rank + suit for rank in TRUMP_RANKS]]))


def deal(*by_place: str, turned_up: str = "3S", places: int = 4, first: int = 0) -> list[str]:
    """Returns a shuffle that gives the places these cards and any others; `first` is after the
    dealer."""
    texts = [*by_place, *[""] * (places - len(by_place))]
    return stack(DECK, hands(*texts, each=3, first=first), (turned_up,))


def start(*shuffles: list[str], players: int = 4, signals: bool = False, **options: int) -> Match:
    """Starts a match without signals, unless they are asked for. One more hand can be dealt."""
    deals = StackedDeals([*shuffles, DECK])
    return ENVITE.start(players=players, options={"signals": signals, **options}, deals=deals)


def unbid(shuffle: list[str], players: int = 4) -> Match:
    """Starts a match whose first hand is played at 2."""
    match = start(shuffle, players=players)
    choose(match, "pass", "pass")
    return match


def facts(match: Match, *names: str) -> list[Any]:
    all_facts = match.observe(None).facts
    return [all_facts[name] for name in names]


def legal_now(match: Match) -> list[str]:
    return legal(match, match.to_act[0])


def play(match: Match, plays: str) -> None:
    choose(match, *[f"play {card}" for card in cards(plays)])


def won_by(team: int, first: int, places: int) -> list[str]:
    """Returns a deal that this team wins with two tricks, if the first legal card is always
    played."""
    winner = first if first % 2 == team else (first + 1) % places
    by_place = WEAK[: places - 1]
    by_place.insert(winner, STRONG)
    return deal(*by_place, places=places, first=first)


def series(*plan: tuple[int, str], players: int = 4, **options: int) -> Match:
    """Plays hand after hand. `plan`: the team that wins each if it is played, and the captains'
    calls first."""
    places = players + players % 2
    dealt = [won_by(team, n % places, places) for n, (team, _) in enumerate(plan)]
    match = start(*dealt, players=players, **options)
    for number, (_, calls) in enumerate(plan, start=1):
        assert facts(match, "deal") == [number]
        play_hand(match, calls)
    return match


def play_hand(match: Match, calls: str) -> None:
    """The captains call this; then the first legal card is played until the hand is over."""
    [number] = facts(match, "deal")
    choose(match, *calls.split())
    while match.to_act and facts(match, "deal", "phase") == [number, "play"]:
        choose(match, legal_now(match)[0])


def scores(match: Match) -> tuple[list[int], list[int], str]:
    assert match.result is not None
    return match.result.scores, match.result.ranks, match.result.reason


AT_TWO = "pass pass"
AT_FOUR = "challenge accept"
AT_SEVEN = "challenge raise accept"
AT_NINE = "challenge raise raise accept"
FOR_THE_GAME = "challenge raise raise raise accept"


# The table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_teams_sit_alternately_and_an_odd_table_has_one_place_more(players: int) -> None:
    assert ENVITE.teams(players) == tuple(seat % 2 for seat in range(players))
    match = start(players=players)
    assert facts(match, "places", "captains") == [players + players % 2, (0, 1)]
    dummy = [zone.owner for zone in match.observe(None).zones if zone.name == "dummy"]
    assert dummy == [None] * (players % 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_three_cards_are_dealt_to_each_place_in_turn_and_the_next_is_turned_up(
    players: int,
) -> None:
    places = players + players % 2
    match = start(DECK, players=players)
    hands_dealt = [seen(match, None, "hand", seat) for seat in range(players)]
    if players % 2:
        hands_dealt.append(seen(match, None, "dummy"))
    assert hands_dealt == [(DECK[p], DECK[p + places], DECK[p + 2 * places]) for p in range(places)]
    assert seen(match, None, "turned-up") == (DECK[3 * places],)
    assert facts(match, "trump") == [DECK[3 * places][1]]
    assert seen(match, None, "rest") == tuple(DECK[3 * places + 1 :])


@pytest.mark.parametrize("players", PLAYERS)
def test_the_captains_are_the_seats_of_that_index_in_each_team(players: int) -> None:
    for index in range(players // 2):
        match = start(players=players, captain_index=index)
        assert facts(match, "captains") == [(2 * index, 2 * index + 1)]
        assert match.to_act == (2 * index,)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_captain_index_that_a_team_does_not_have_is_refused(players: int) -> None:
    for index in range(players // 2, 6):
        sentence = (
            f"captain_index must be an integer from 0 to {players // 2 - 1} "
            f"with {players} players, not {index}"
        )
        with pytest.raises(ValueError, match=sentence):
            start(players=players, captain_index=index)


def test_the_ladder_has_four_seats_signals_and_the_best_of_three() -> None:
    match = ENVITE.start()
    assert match.players == 4
    assert match.options == {"signals": True, "captain_index": 0, "games_to_win": 2}


# The trumps ---------------------------------------------------------------------------------------


def takes(places: int, turned_up: str, led: str, *plays: str) -> object:
    """Returns the seat that takes a trick of these cards; all others discard."""
    order = trumps(places, turned_up[1])
    named = {turned_up, led, *plays}
    idle = (c for c in DECK if c not in order and c[1] != led[1] and c not in named)
    by_place = [" ".join([card, next(idle), next(idle)]) for card in (led, *plays)]
    others = range(len(by_place), places)
    by_place += [" ".join(next(idle) for _ in range(3 if places == 4 else 1)) for _ in others]
    match = unbid(deal(*by_place, turned_up=turned_up, places=places), players=places)
    play(match, " ".join([led, *plays]))
    while seen(match, None, "trick"):
        discards = [text for text in legal_now(match) if text.split()[1] not in order]
        choose(match, discards[-1])
    [(taker,)] = told(match, 0, "take-trick")
    return taker


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("places", SPECIALS)
def test_specials_are_above_the_trump_suit_which_goes_from_two_king_down_to_three(
    places: int, suit: str
) -> None:
    order = trumps(places, suit)
    led = "4D" if suit == "C" else "4C"
    for higher, lower in pairwise(order):
        turned_up = [c for c in order if c[1] == suit and c not in (higher, lower)][-1]
        assert takes(places, turned_up, led, higher, lower) == 1
        assert takes(places, turned_up, led, lower, higher) == 2


@pytest.mark.parametrize(
    ("places", "turned_up", "printed"),
    [
        (6, "4C", "3C QC JD 2C KC JC AC 7C 6C 5C"),
        (12, "JD", "AD 2D 5D 3C QC KD QD 7D 6D 4D 3D"),
    ],
)
def test_a_special_is_not_in_the_trump_suit_again(
    places: int, turned_up: str, printed: str
) -> None:
    for higher, lower in pairwise(cards(printed)):
        assert takes(places, turned_up, "4H", lower, higher) == 2


@pytest.mark.parametrize("suit", "CDH")
def test_other_suits_go_from_king_queen_jack_ace_down_to_two(suit: str) -> None:
    for higher, lower in pairwise([rank + suit for rank in PLAIN_RANKS]):
        assert takes(4, "3S", higher, lower) == 0
        assert takes(4, "3S", lower, higher) == 1


def test_the_lowest_trump_beats_the_highest_card_of_the_suit_led() -> None:
    assert takes(4, "4S", "KC", "3S") == 1


def test_a_card_of_another_suit_never_wins() -> None:  # ruling 14
    match = unbid(deal("2C 2D 2H", "KD KH QH", "QD AD AH", "JD 7D 7H"))
    play(match, "2C KD QD JD")
    assert told(match, 0, "take-trick") == [(0,)]


def test_a_special_follows_trumps_and_not_its_printed_suit() -> None:
    hearts = deal("KC 2H 2S", "QC 7S 4D", "3C 4C KH", turned_up="3H", places=6)
    match = unbid(hearts, players=6)
    play(match, "KC")
    assert sorted(legal_now(match)) == ["play 4D", "play 7S", "play QC"]
    play(match, "QC")
    assert legal_now(match) == ["play 4C"]


def test_a_trump_led_asks_for_specials_too() -> None:
    hearts = deal("2H 2S KC", "QC 7S 4D", turned_up="3H", places=6)
    match = unbid(hearts, players=6)
    play(match, "2H")
    assert legal_now(match) == ["play QC"]


def test_a_special_turned_up_makes_its_printed_suit_trump() -> None:  # ruling 11
    match = start(deal("4D", turned_up="QC", places=6), players=6, signals=True)
    assert facts(match, "trump") == ["C"]
    signed = [a.split()[1] for a in legal_now(match) if a.startswith("signal")]
    assert signed == [*cards("3C JD 2C KC JC AC"), "low", "blank"]


# Signals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_all_but_the_captains_sign_or_watch_before_the_bidding(players: int) -> None:
    match = start(players=players, signals=True)
    assert facts(match, "phase") == ["signals"]
    assert match.to_act == tuple(range(2, players))
    choose(match, *["signal blank"] * (players - 2))
    assert facts(match, "phase") == ["bidding"]
    assert match.to_act == (0,)


@pytest.mark.parametrize("players", PLAYERS)
def test_any_high_trump_that_is_not_turned_up_may_be_signed_held_or_not(players: int) -> None:
    places = players + players % 2
    match = start(deal(turned_up="KH", places=places), players=players, signals=True)
    signs = [*cards(SPECIALS[places]), *cards("2H QH JH AH"), "low", "blank"]
    for seat in match.to_act:
        may = legal(match, seat)
        assert may[: len(signs)] == [f"signal {sign}" for sign in signs]
        rivals = [r for r in range(2, players) if r % 2 != seat % 2]
        assert may[len(signs) :] == [f"watch {rival}" for rival in rivals]


def test_no_decision_at_the_signals_has_more_than_18_choices() -> None:
    counts = []
    for players in PLAYERS:
        shuffle = deal(turned_up="3H", places=players + players % 2)
        match = start(shuffle, players=players, signals=True)
        counts += [len(match.legal_actions(seat)) for seat in match.to_act]
    assert max(counts) == 18


def test_captains_neither_sign_nor_watch_nor_are_watched() -> None:  # rulings 12 and 13
    match = start(players=8, signals=True, captain_index=2)
    assert facts(match, "captains") == [(4, 5)]
    assert match.to_act == (0, 1, 2, 3, 6, 7)
    assert [text for text in legal(match, 0) if "watch" in text] == [
        "watch 1",
        "watch 3",
        "watch 7",
    ]
    with pytest.raises(IllegalAction, match="Seat 4"):
        match.apply(4, "signal low")


def signed(match: Match, **choices: str) -> Match:
    """Makes these choices (`seat2="low"`, `seat3="watch 2"`); all others sign that they are
    blank."""
    for seat in match.to_act:
        text = choices.get(f"seat{seat}", "blank")
        match.apply(seat, text if text.startswith("watch") else f"signal {text}")
    return match


def test_a_captain_learns_all_that_its_team_has_signed_and_seen() -> None:  # ruling 12
    shuffle = deal(turned_up="3H", places=8)
    match = signed(
        start(shuffle, players=8, signals=True),
        seat2="KH",
        seat3="watch 2",
        seat4="watch 3",
        seat5="low",
    )
    assert told(match, 0, "sign", "sighting") == [
        (2, "KH"),
        (4, 3, "none"),
        (6, "blank"),
    ]
    assert told(match, 1, "sign", "sighting") == [(3, 2, "KH"), (5, "low"), (7, "blank")]
    assert told(match, 2, "sign", "sighting") == told(match, 5, "sign", "sighting") == []
    none, unknown = "none", ""
    assert match.observe(0).facts["signs"] == (
        *(none, none, "KH", none, none, unknown, "blank", unknown),
    )
    assert match.observe(1).facts["signs"] == (
        *(none, none, "KH", none, unknown, "low", unknown, "blank"),
    )
    assert match.observe(0).facts["watched"] == (-1, -1, -1, -1, 3, -1, -1, -1)
    assert match.observe(1).facts["watched"] == (-1, -1, -1, 2, -1, -1, -1, -1)


def test_who_watches_learns_the_rivals_sign_or_that_there_was_none() -> None:  # ruling 12
    match = signed(
        start(players=8, signals=True), seat2="watch 5", seat3="watch 2", seat4="watch 5"
    )
    assert told(match, 2, "sign", "sighting") == [(2, 5, "blank")]
    assert told(match, 3, "sign", "sighting") == [(3, 2, "none")]
    assert match.observe(2).facts["signs"] == ("none", "none", "none", "", "", "blank", "", "")
    assert match.observe(3).facts["signs"] == ("none", "none", "none", "none", "", "", "", "")
    assert match.observe(3).facts["watched"] == (-1, -1, -1, 2, -1, -1, -1, -1)


def test_nobody_else_learns_of_a_sign_or_that_it_was_seen() -> None:  # ruling 12
    """Whatever seat 2 does, and whether or not seat 3 sees it, seats 4 to 7 receive the same."""
    sent = set()
    for by_seat_2 in ("low", "JC", "watch 3", "watch 5"):
        for by_seat_3 in ("watch 2", "watch 4", "low"):
            shuffle = deal(turned_up="3C", places=8)
            match = start(shuffle, players=8, signals=True)
            signed(match, seat2=by_seat_2, seat3=by_seat_3)
            sent.add(tuple((match.observe(s), match.events(s)) for s in (4, 5, 6, 7)))
    assert len(sent) == 1


def test_a_sign_may_be_false_and_says_nothing_of_the_cards() -> None:
    match = start(deal("", "", "2S KS QS"), signals=True)
    for sign in ("blank", "low", "AS", "JS", "2S"):
        assert f"signal {sign}" in legal(match, 2)


def test_there_are_signals_before_a_lying_down_teams_decision_too() -> None:  # ruling 12
    match = start(*[deal(first=n) for n in range(4)], signals=True)
    for _ in range(2):
        choose(match, "signal low", "signal low", "challenge", "raise", "raise", "raise", "decline")
    assert facts(match, "stones", "phase") == [(9, 9), "signals"]
    choose(match, "signal low", "signal low", "challenge", "decline")
    assert facts(match, "stones", "phase") == [(11, 9), "signals"]
    choose(match, "signal low", "signal low")
    assert facts(match, "phase") == ["lying-down"]


def test_signals_are_forgotten_when_the_next_hand_is_dealt() -> None:
    match = signed(start(deal(), signals=True), seat2="watch 3")
    choose(match, "challenge", "decline")
    assert facts(match, "deal", "signs", "watched") == [2, ("",) * 4, (-1,) * 4]


def test_without_the_option_there_are_no_signals() -> None:
    assert facts(start(signals=False), "phase", "signs") == ["bidding", ("",) * 4]


# Bidding ------------------------------------------------------------------------------------------


def test_the_captain_of_the_side_that_leads_speaks_first() -> None:  # ruling 1
    match = start(deal(), deal(first=1), deal(first=2))
    speakers = []
    for _ in range(3):
        speakers += match.to_act
        choose(match, "challenge", "decline")
    assert speakers == [0, 1, 0]


def test_each_captain_has_one_chance_to_challenge() -> None:  # rulings 1 and 3
    match = start(deal())
    assert legal_now(match) == ["challenge", "pass"]
    choose(match, "pass")
    assert match.to_act == (1,)
    assert legal_now(match) == ["challenge", "pass"]
    choose(match, "pass")
    assert facts(match, "phase", "stake", "proposed") == ["play", "2", ""]


def test_after_a_challenge_there_are_answers_only() -> None:  # ruling 3
    match = start(deal())
    choose(match, "challenge")
    assert match.to_act == (1,)
    assert legal_now(match) == ["accept", "decline", "raise"]
    choose(match, "accept")
    assert facts(match, "phase", "stake") == ["play", "4"]


def test_there_is_no_challenge_in_the_play() -> None:  # ruling 2
    match = unbid(deal("KC", "QC"))
    play(match, "KC")
    for seat in range(4):
        with pytest.raises(IllegalAction, match=f"Seat {seat}"):
            match.apply(seat, "challenge")


def test_a_captain_that_passed_may_raise() -> None:
    match = start(deal())
    choose(match, "pass", "challenge")
    assert legal_now(match) == ["accept", "decline", "raise"]
    choose(match, "raise", "decline")
    assert facts(match, "stones") == [(4, 0)]


@pytest.mark.parametrize("stake", STAKES[1:])
def test_a_stake_accepted_is_what_the_hand_is_played_for(stake: str) -> None:
    match = start(deal())
    choose(match, *RAISED_TO[stake].split())
    assert facts(match, "phase", "stake", "proposed") == ["bidding", "2", stake]
    choose(match, "accept")
    assert facts(match, "phase", "stake") == ["play", stake]


@pytest.mark.parametrize(("stake", "won"), [("4", 2), ("7", 4), ("9", 7), ("game", 9)])
def test_declining_gives_what_the_hand_was_worth_before(stake: str, won: int) -> None:  # ruling 5
    match = start(deal())
    choose(match, *RAISED_TO[stake].split())
    proposer = 1 - match.to_act[0]
    choose(match, "decline")
    assert facts(match, "deal", "games") == [2, (0, 0)]
    assert facts(match, "stones")[0][proposer] == won
    assert facts(match, "stones")[0][1 - proposer] == 0


def test_the_game_cannot_be_raised() -> None:
    match = start(deal())
    choose(match, *RAISED_TO["game"].split())
    assert legal_now(match) == ["accept", "decline"]


def test_declining_never_gives_the_game() -> None:  # ruling 5
    match = series((0, AT_NINE), (0, RAISED_TO["game"] + " decline"))
    # In the second hand captain 1 speaks first, so that captain 0 raises to the game.
    assert facts(match, "stones", "games") == [(11, 0), (0, 0)]


def test_captains_bid_although_they_do_not_lead() -> None:
    match = start(deal(), captain_index=1)
    choose(match, "challenge")
    assert match.to_act == (3,)
    choose(match, "accept")
    assert match.to_act == (0,)


# Play ---------------------------------------------------------------------------------------------


def test_the_place_after_the_dealer_leads_and_then_each_tricks_winner() -> None:
    match = unbid(deal("4C 4D KD", "5C 5D 5H", "6C KC 6D", "7C 3D 7H"))
    assert match.to_act == (0,)
    assert legal_now(match) == ["play 4C", "play 4D", "play KD"]
    play(match, "4C 5C KC 7C")
    assert match.to_act == (2,)
    assert facts(match, "leader", "leaders", "tricks") == [2, (0,), (1, 0)]


def test_who_has_the_suit_led_must_follow_it_and_others_play_anything() -> None:
    match = unbid(deal("KC", "QC 7D 3H", "7S 6D QH"))
    play(match, "KC")
    assert legal_now(match) == ["play QC"]
    with pytest.raises(IllegalAction, match=r"'play 7D'.* must play one; specials are trumps"):
        choose(match, "play 7D")
    play(match, "QC")
    assert legal_now(match) == ["play 6D", "play QH", "play 7S"]


def test_a_hand_is_over_as_soon_as_a_team_has_two_tricks() -> None:
    match = unbid(won_by(0, 0, 4))
    play(match, "KC 4C 5C 6C KD 4D 6D")
    assert facts(match, "deal", "tricks") == [1, (1, 0)]
    play(match, "3D")
    assert facts(match, "deal", "stones") == [2, (2, 0)]


def test_teammates_win_tricks_together_and_the_third_decides() -> None:
    match = unbid(deal("KC 4D 4H", "5C KD 5H", "6C 6D KH", "7C 7D 7H"))
    play(match, "KC 5C 6C 7C 4D KD 6D 7D 5H KH 7H")
    assert facts(match, "deal", "tricks") == [1, (1, 1)]
    play(match, "4H")
    assert facts(match, "stones") == [(2, 0)]
    assert told(match, 3, "take-trick") == [(0,), (1,), (2,)]


# The dummy ----------------------------------------------------------------------------------------


def test_the_captain_of_team_one_plays_the_dummys_hand_in_its_turn() -> None:  # ruling 8
    shuffle = deal("KC", "4C", "5C", "6C", "7C", "AC 4H 6D", places=6)
    match = unbid(shuffle, players=5)
    play(match, "KC 4C 5C 6C 7C")
    assert match.to_act == (1,)
    assert facts(match, "turn") == [5]
    assert legal_now(match) == ["play AC"]
    play(match, "AC")
    assert seen(match, 0, "dummy-played") == ("AC",)
    assert told(match, 0, "play")[-1] == (1, "AC")
    assert told(match, 0, "dummy-plays") == [(None, "AC")]


def test_the_dummys_captain_is_that_of_the_option() -> None:
    shuffle = deal("KC", "4C", "5C", "6C", "7C", "AC", places=6)
    match = start(shuffle, players=5, captain_index=1)
    choose(match, "pass", "pass")
    play(match, "KC 4C 5C 6C 7C")
    assert match.to_act == (3,)
    assert [len(seen(match, seat, "dummy")) for seat in range(5)] == [0, 0, 0, 3, 0]


def test_the_dummy_wins_tricks_for_its_team_and_leads() -> None:  # ruling 8
    shuffle = deal("JC 4D", "4C", "5C", "6C", "7C", "KC KD KH", places=6)
    match = unbid(shuffle, players=5)
    play(match, "JC 4C 5C 6C 7C KC")
    assert told(match, 0, "take-trick") == [(None,)]
    assert facts(match, "leader", "turn", "tricks") == [5, 5, (0, 1)]
    assert match.to_act == (1,)
    assert legal_now(match) == ["play KD", "play KH"]


def test_the_dummy_deals_and_leads_and_its_captain_speaks_then() -> None:  # ruling 8
    match = start(*[deal(places=6, first=n % 6) for n in range(6)], players=5)
    dealers, speakers = [], []
    for _ in range(5):
        dealers += facts(match, "dealer")
        speakers += match.to_act
        choose(match, "challenge", "decline")
    assert (dealers, speakers) == ([5, 0, 1, 2, 3], [0, 1, 0, 1, 0])
    assert facts(match, "dealer", "leader") == [4, 5]
    assert match.to_act == (1,)
    choose(match, "pass", "pass")
    assert match.to_act == (1,)
    assert legal_now(match) == [f"play {card}" for card in seen(match, 1, "dummy")]
    choose(match, "play " + seen(match, 1, "dummy")[0])
    assert facts(match, "leaders") == [(5,)]


def test_a_trawl_can_catch_the_dummy() -> None:  # rulings 8 and 9
    shuffle = deal("2S", "3S", "4S", "5S", "6S", "4C 4D 4H", turned_up="7S", places=6)
    match = unbid(shuffle, players=5)
    play(match, "2S 3S 4S 5S 6S")
    assert told(match, 0, "trawl") == [(None,)]
    assert facts(match, "stones") == [(4, 0)]


# Trawling -----------------------------------------------------------------------------------------


def test_the_first_place_without_a_trump_loses_the_hand_at_once() -> None:  # ruling 9
    match = unbid(deal("2H", "4C 4D 4S", "5C 5D 5S", "6C 6D 6S", turned_up="3H"))
    play(match, "2H")
    assert facts(match, "deal", "stones") == [2, (4, 0)]
    assert told(match, 2, "trawl", "win-stones") == [(1,), (0, 4)]
    assert told(match, 2, "take-trick") == []


def test_the_leaders_partner_is_caught_as_well() -> None:  # ruling 9
    match = unbid(deal("2H", "4H", "5C 5D 5S", "6C 6D 6S", turned_up="3H"))
    play(match, "2H 4H")
    assert facts(match, "deal", "stones") == [2, (0, 4)]
    assert told(match, 0, "trawl") == [(2,)]


def test_the_last_in_turn_is_caught_too() -> None:
    match = unbid(deal("2H", "4H", "5H", "6C 6D 6S", turned_up="3H"))
    play(match, "2H 4H 5H")
    assert facts(match, "stones") == [(4, 0)]


def test_a_trump_led_is_a_plain_trick_if_all_have_one() -> None:
    match = unbid(deal("7H", "4H", "2H", "6H", turned_up="3H"))
    play(match, "7H 4H 2H 6H")
    assert told(match, 0, "trawl") == []
    assert facts(match, "tricks", "leader") == [(1, 0), 2]


def test_a_leader_with_trumps_only_cannot_help_it() -> None:  # ruling 9
    match = unbid(deal("AH 6H 7H", "4H", "5C 5D 5S", turned_up="3H"))
    assert legal_now(match) == ["play AH", "play 6H", "play 7H"]
    play(match, "6H 4H")
    assert facts(match, "stones") == [(0, 4)]


def test_a_special_led_is_a_trawl_too() -> None:
    shuffle = deal("QC", "4C 4D 4S", turned_up="3H", places=6)
    match = unbid(shuffle, players=6)
    play(match, "QC")
    assert facts(match, "stones") == [(4, 0)]


def test_trumps_on_a_plain_suit_are_no_trawl() -> None:
    match = unbid(deal("KC 4D", "2H 6D 6S", "5C 5D 5S", "6C 7D 7S", turned_up="3H"))
    play(match, "KC 2H 5C 6C")
    assert told(match, 0, "trawl") == []
    assert told(match, 0, "take-trick") == [(1,)]


def test_a_trawl_ends_the_hand_even_with_a_trick_won() -> None:  # ruling 10
    match = unbid(deal("KC 2H KD", "4C 6D 6S", "5C 5D 5S", "6C 7D 7S", turned_up="3H"))
    play(match, "KC 4C 5C 6C")
    assert facts(match, "tricks") == [(1, 0)]
    play(match, "2H")
    assert facts(match, "deal", "stones") == [2, (4, 0)]

    match = unbid(deal("KC 2H KD", "4C 7H 6S", "5C 5D 5S", "6C 7D 7S", turned_up="3H"))
    play(match, "KC 4C 5C 6C 2H 7H")
    assert facts(match, "deal", "stones") == [2, (0, 4)]


@pytest.mark.parametrize(
    ("calls", "stones"), [(AT_TWO, 4), (AT_FOUR, 6), (AT_SEVEN, 9), (AT_NINE, 11)]
)
def test_a_trawls_two_stones_come_on_top_of_the_stake(calls: str, stones: int) -> None:
    match = start(deal("2H", "4C 4D 4S", turned_up="3H"))  # ruling 6
    choose(match, *calls.split())
    play(match, "2H")
    assert facts(match, "stones") == [(stones, 0)]


def test_a_trawl_at_the_stake_of_the_game_wins_the_game() -> None:
    match = start(deal("2H", "4C 4D 4S", turned_up="3H"))
    choose(match, *FOR_THE_GAME.split())
    play(match, "2H")
    assert facts(match, "stones", "games") == [(0, 0), (1, 0)]


def test_a_trawl_on_a_team_that_is_lying_down_wins_five() -> None:  # ruling 6
    caught = deal("4C 4D 4S", "", "2H", "4H", turned_up="3H", first=2)
    match = start(won_by(0, 0, 4), won_by(0, 1, 4), caught)
    for calls in (AT_NINE, AT_TWO):
        play_hand(match, calls)
    choose(match, "stay")
    play(match, "2H 4H")
    assert told(match, 0, "trawl", "win-stones") == [(0, 9), (0, 2), (0,), (1, 5)]
    assert facts(match, "stones") == [(11, 5)]


# Scoring ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "stones"), [(AT_TWO, 2), (AT_FOUR, 4), (AT_SEVEN, 7), (AT_NINE, 9)]
)
@pytest.mark.parametrize("team", [0, 1])
def test_a_hand_won_gives_its_stake(team: int, calls: str, stones: int) -> None:
    match = series((team, calls))
    assert facts(match, "stones", "games") == [(0,) * team + (stones,) + (0,) * (1 - team), (0, 0)]


def test_eight_stones_and_four_are_eleven() -> None:  # ruling 4
    match = series((1, AT_FOUR), (1, AT_FOUR))
    assert facts(match, "stones") == [(0, 8)]
    match = series((1, AT_FOUR), (1, AT_FOUR), (1, AT_FOUR))
    assert facts(match, "stones", "games", "phase") == [(0, 11), (0, 0), "lying-down"]


def test_ten_stones_and_four_are_eleven_and_not_the_game() -> None:  # ruling 4
    match = series((0, AT_FOUR), (0, AT_FOUR), (0, AT_TWO))
    assert facts(match, "stones") == [(10, 0)]
    match = series((0, AT_FOUR), (0, AT_FOUR), (0, AT_TWO), (0, AT_FOUR))
    assert facts(match, "stones", "games") == [(11, 0), (0, 0)]


def test_the_stake_of_the_game_wins_the_game_and_both_start_again() -> None:
    match = series((1, AT_NINE), (0, FOR_THE_GAME))
    assert facts(match, "stones", "games") == [(0, 0), (1, 0)]
    assert told(match, 2, "win-game") == [(0, 1, 0)]
    assert facts(match, "phase") == ["bidding"]


# Lying down ---------------------------------------------------------------------------------------


def test_a_team_that_is_lying_down_forfeits_or_stays_and_nobody_bids() -> None:
    match = series((1, AT_NINE), (1, AT_TWO))
    assert facts(match, "phase", "stones") == ["lying-down", (0, 11)]
    assert match.to_act == (1,)
    assert legal_now(match) == ["forfeit", "stay"]


def test_a_forfeit_gives_one_stone_and_the_hand_is_not_played() -> None:  # ruling 7
    match = series((1, AT_NINE), (1, AT_TWO), (0, "forfeit"))
    assert facts(match, "deal", "stones", "phase") == [4, (1, 11), "lying-down"]
    assert match.to_act == (1,)


def test_who_stays_and_loses_gives_three_stones() -> None:
    match = series((1, AT_NINE), (1, AT_TWO), (0, "stay"))
    assert facts(match, "stones", "games") == [(3, 11), (0, 0)]


def test_who_stays_and_wins_wins_the_game() -> None:
    match = series((1, AT_NINE), (1, AT_TWO), (1, "stay"))
    assert facts(match, "stones", "games") == [(0, 0), (0, 1)]


def test_a_forfeit_gives_a_team_with_ten_its_eleventh_and_not_the_game() -> None:  # ruling 7
    to_ten_all_but_one = [(0, AT_FOUR), (0, AT_FOUR), (0, AT_TWO), (1, AT_NINE), (1, AT_TWO)]
    match = series(*to_ten_all_but_one, (0, "forfeit"))
    assert facts(match, "stones", "games") == [(11, 11), (0, 0)]


def test_if_both_are_lying_down_the_hand_is_played_for_the_game() -> None:  # ruling 7
    both = [(0, AT_NINE), (0, AT_TWO), (1, "stay"), (1, "stay"), (1, "stay"), (1, "stay")]
    match = series(*both)
    assert facts(match, "stones", "phase", "stake") == [(11, 11), "play", "2"]
    assert facts(series(*both, (1, "")), "stones", "games") == [(0, 0), (0, 1)]
    assert facts(series(*both, (0, "")), "stones", "games") == [(0, 0), (1, 0)]


# The end ------------------------------------------------------------------------------------------


def test_the_first_team_with_two_games_wins_in_a_row_or_not() -> None:  # ruling 15
    match = series((0, FOR_THE_GAME), (1, FOR_THE_GAME))
    assert match.result is None
    assert facts(match, "games") == [(1, 1)]
    match = series((0, FOR_THE_GAME), (1, FOR_THE_GAME), (0, FOR_THE_GAME))
    assert scores(match) == ([2, 1, 2, 1], [1, 3, 1, 3], "games-won")


def test_the_deal_goes_on_around_the_table_over_games() -> None:  # ruling 15
    match = series((0, FOR_THE_GAME), (1, AT_TWO))
    assert told(match, 0, "deal") == [(3, 1), (0, 2), (1, 3)]


@pytest.mark.parametrize("games", [1, 2, 3])
def test_the_option_sets_how_many_games_win_the_match(games: int) -> None:
    match = series(*[(1, FOR_THE_GAME)] * (games - 1), games_to_win=games)
    assert match.result is None
    match = series(*[(1, FOR_THE_GAME)] * games, games_to_win=games)
    assert scores(match) == ([0, games, 0, games], [3, 1, 3, 1], "games-won")


def test_games_to_win_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="games_to_win must be an integer of at least 1, not 0"):
        start(games_to_win=0)


@pytest.mark.parametrize(("team", "ranks"), [(0, [1, 4, 1, 4, 1]), (1, [3, 1, 3, 1, 3])])
def test_teams_of_three_and_two_rank_by_seats(team: int, ranks: list[int]) -> None:
    match = series((team, FOR_THE_GAME), players=5, games_to_win=1)
    assert scores(match)[1] == ranks


# Hidden information -------------------------------------------------------------------------------


def cards_named(match: Match, viewer: int) -> set[object]:
    """Returns all cards whose codes the viewer receives."""
    zones = [card for zone in match.observe(viewer).zones for card in zone.cards]
    words = [word for event in match.events(viewer) for word in event.arguments]
    return {word for word in [*zones, *words] if word in DECK}


def test_a_seat_sees_its_own_hand_and_the_card_turned_up() -> None:
    match = start(deal())
    for seat in range(4):
        assert cards_named(match, seat) == {*seen(match, None, "hand", seat), "3S"}


def test_only_its_captain_sees_the_dummys_hand() -> None:
    match = start(deal(places=6), players=5)
    for seat in range(5):
        dummy = seen(match, None, "dummy") if seat == 1 else ()
        assert match.observe(seat).zone("dummy")[2:] == (dummy, 3 - len(dummy))
        assert told(match, seat, "dummy") == ([(None, *dummy)] if dummy else [])
        assert cards_named(match, seat) == {*seen(match, None, "hand", seat), *dummy, "3S"}


@pytest.mark.parametrize("calls", ["challenge decline", AT_TWO])
def test_cards_not_played_are_never_shown(calls: str) -> None:
    match = start(won_by(0, 0, 4), deal(first=1))
    own = [set(seen(match, seat, "hand", seat)) for seat in range(4)]
    play_hand(match, calls)
    assert facts(match, "deal") == [2]
    for seat in range(4):
        played = {card for _, card in told(match, seat, "play")}
        now = {*seen(match, seat, "hand", seat), "3S"}
        assert cards_named(match, seat) == own[seat] | played | now


def test_cards_not_played_stay_hidden_when_the_match_is_over() -> None:
    match = series((0, FOR_THE_GAME), games_to_win=1)
    assert match.result is not None
    for seat in range(4):
        hidden = [
            match.observe(seat).zone("hand", other)[2:] for other in range(4) if other != seat
        ]
        assert hidden == [((), 1)] * 3


def test_everybody_is_told_the_course_of_a_hand() -> None:
    match = series((0, AT_FOUR))
    for seat in range(4):
        assert told(match, seat, "deal", "turn-up")[:2] == [(3, 1), (None, "3S")]
        assert told(match, seat, "challenge", "accept") == [(0,), (1,)]
        assert told(match, seat, "take-trick") == [(0,), (0,)]
        assert len(told(match, seat, "play")) == 8
        assert told(match, seat, "win-stones", "score") == [(0, 4), (None, 4, 0)]


# Random play --------------------------------------------------------------------------------------


def random_match(rng: Random, games_to_win: int = 1, players: int = 0) -> Iterator[Match]:
    """Plays a match at any table; yields before each choice and at the end. Stakes rarely
    rise far."""
    match = ENVITE.start(
        players=players or rng.choice(PLAYERS),
        options={"games_to_win": games_to_win, "signals": rng.random() < 0.8},
        deals=SeededDeals(rng.randbytes(8)),
    )
    yield match
    while match.to_act:
        seat = rng.choice(match.to_act)
        may = legal(match, seat)
        if "raise" in may and rng.random() < 0.5:
            may.remove("raise")
        match.apply(seat, rng.choice(may))
        yield match


def hands_told(match: Match) -> Iterator[list[Any]]:
    """Yields the public events of each hand."""
    hand: list[Any] = []
    for event in match.events(match.players - 1):
        if event.verb == "deal" and hand:
            yield hand
            hand = []
        hand.append(event)
    yield hand


def test_the_stones_of_every_hand_follow_from_what_all_are_told(seed: int) -> None:
    """Every hand is scored a second time."""
    rng = Random(seed)
    endings: Counter[str] = Counter()
    for _ in range(60):
        *_, match = random_match(rng, games_to_win=2)
        stones = [0, 0]
        for hand in hands_told(match):
            verbs = [event.verb for event in hand]
            level = verbs.count("challenge") + verbs.count("raise")
            at = {event.verb: event for event in hand}
            tricks = Counter(
                match.players % 2 if event.actor is None else event.actor % 2
                for event in hand
                if event.verb == "take-trick"
            )
            if "decline" in at or "forfeit" in at:
                ending = "decline" if "decline" in at else "forfeit"
                winner = 1 - at[ending].actor % 2
                won = (2, 4, 7, 9)[level - 1] if level else 1
            else:
                ending = "trawl" if "trawl" in at else "tricks"
                [winner] = [team for team in (0, 1) if tricks[team] == 2] or [None]
                if ending == "trawl":
                    assert winner is None
                    caught = match.players if at["trawl"].actor is None else at["trawl"].actor
                    winner = 1 - caught % 2
                won = 3 if stones[1 - winner] == 11 else (2, 4, 7, 9, 0)[level]
                won += 2 * (ending == "trawl")
                if level == 4 or stones[winner] == 11:
                    ending = "game"
            endings[ending] += 1
            if ending == "game":
                stones = [0, 0]
                assert at["win-game"].actor == winner
            else:
                stones[winner] = min(11, stones[winner] + won)
                assert (at["win-stones"].actor, at["win-stones"].arguments) == (winner, (won,))
                assert at["score"].arguments == tuple(stones)
    assert set(endings) == {"decline", "forfeit", "tricks", "trawl", "game"}


def test_a_game_has_at_most_eighteen_hands(seed: int) -> None:
    """Stones are given as sparingly as possible, and forfeits never end."""
    rng = Random(seed)
    for games_to_win in (1, 2):
        match = ENVITE.start(
            options={"games_to_win": games_to_win, "signals": False},
            deals=SeededDeals(rng.randbytes(8)),
        )
        while match.to_act:
            may = legal_now(match)
            sparing = [text for text in ("pass", "forfeit") if text in may]
            choose(match, sparing[0] if sparing else rng.choice(may))
        assert facts(match, "deal")[0] <= 18 * (2 * games_to_win - 1)


# Redealing ----------------------------------------------------------------------------------------


def dealt_again(match: Match, twin: Match) -> Match:
    """Returns a match that deals the first hand of `twin`, with the signals of `twin` and all other
    choices of `match`."""
    truth = twin.observe(None)
    by_place = [
        " ".join([*seen(twin, None, "hand", seat), *seen(twin, None, "played", seat)])
        for seat in range(match.players)
    ]
    if match.players % 2:
        by_place.append(" ".join([*seen(twin, None, "dummy"), *seen(twin, None, "dummy-played")]))
    order = [*hands(*by_place, each=3), *seen(twin, None, "turned-up"), *seen(twin, None, "rest")]
    again = ENVITE.start(
        players=match.players, options=match.options, deals=StackedDeals([order, DECK])
    )
    signs: Any = truth.facts["signs"]
    if any(signs):
        watched: Any = truth.facts["watched"]
        for seat in again.to_act:
            rival = watched[seat]
            again.apply(seat, f"signal {signs[seat]}" if rival == -1 else f"watch {rival}")
    for event in match.events(None):
        if event.verb in ("challenge", "pass", "accept", "raise", "play"):
            choose(again, " ".join([event.verb, *map(str, event.arguments)]))
    return again


def test_a_redealt_match_could_have_come_from_the_shuffle_by_the_same_choices(seed: int) -> None:
    rng = Random(seed)
    phases: Counter[object] = Counter()
    for _ in range(150):
        for match in random_match(rng):
            spectators = match.observe(None).facts
            if spectators["deal"] != 1:
                break
            if "chosen" in spectators or match.result is not None:
                continue
            viewer = rng.randrange(match.players)
            twin = match.redeal(viewer, rng)
            assert_looks_equal(match, twin, viewer)
            again = dealt_again(match, twin)
            assert_looks_equal(match, again, viewer)
            assert again.observe(None) == twin.observe(None)
            phases[spectators["phase"]] += twin.observe(None) != match.observe(None)
    assert min(phases[phase] for phase in ("signals", "bidding", "play")) > 0


def test_who_did_not_follow_a_printed_suit_may_hold_its_specials() -> None:
    shuffle = deal("KC KD 3D", "4C 4D 5D", "5H 6H 7S", turned_up="3H", places=6)
    match = unbid(shuffle, players=6)
    play(match, "KC 4C 5H")
    held = possible(redealt(match, 0, 500), "hand", 2)
    assert held >= {"3C", "QC", "JD"}
    assert not held & {"AC", "2C", "5C", "6C", "7C", "JC"}


def test_who_was_caught_by_a_trawl_has_no_trump() -> None:
    match = start(deal("2H", "4H", "5C 5D 5S", turned_up="3H"), games_to_win=1)
    choose(match, *FOR_THE_GAME.split())
    play(match, "2H 4H")
    assert match.result is not None
    unseen = set(DECK) - set(seen(match, 0, "hand", 0)) - {"2H", "4H", "3H"}
    hearts = {card for card in unseen if card[1] == "H"}
    twins = redealt(match, 0, 500)
    assert possible(twins, "hand", 2) == unseen - hearts
    assert possible(twins, "hand", 1) == possible(twins, "hand", 3) == unseen


def signals_come_up(match: Match, viewer: int, seat: int, rng: Random) -> set[tuple[Any, Any]]:
    """Returns the signs and watched rivals of a seat that come up in redealt matches."""
    truths = [match.redeal(viewer, rng).observe(None).facts for _ in range(500)]
    return {(truth["signs"][seat], truth["watched"][seat]) for truth in truths}  # type: ignore[index]


def test_signals_that_a_seat_has_not_learnt_may_have_been_any(seed: int) -> None:
    rng = Random(seed)
    match = start(deal(turned_up="3H"), players=7, signals=True)
    signed(match, seat2="low", seat3="watch 2", seat4="watch 3", seat5="JD", seat6="2H")
    signs = [*cards("5D 3C QC JD 2H KH QH JH AH"), "low", "blank"]
    any_sign = {(sign, -1) for sign in signs}
    assert signals_come_up(match, 2, 3, rng) == any_sign | {("none", r) for r in (2, 4, 6)}
    assert signals_come_up(match, 2, 4, rng) == any_sign | {("none", r) for r in (3, 5)}
    assert signals_come_up(match, 2, 2, rng) == {("low", -1)}
    # Seat 3 has seen the sign of seat 2, seat 4 that seat 3 made none, and captains know of it.
    assert signals_come_up(match, 3, 2, rng) == signals_come_up(match, 1, 2, rng) == {("low", -1)}
    for viewer in (0, 4):
        assert signals_come_up(match, viewer, 3, rng) == {("none", r) for r in (2, 4, 6)}
    assert signals_come_up(match, 0, 4, rng) == {("none", 3)}
    assert signals_come_up(match, 0, 6, rng) == {("2H", -1)}
    assert signals_come_up(match, 0, 5, rng) == any_sign | {("none", r) for r in (2, 4, 6)}
