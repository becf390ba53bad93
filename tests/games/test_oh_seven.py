"""Oh 7 ?: each ruling and each published example, and the invariants of every match."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from sevens_games import Event, IllegalAction, Match, Observation, SeededDeals, StackedDeals, load
from sevens_games.oh_seven import dummys_choice
from tests.support.game_redeals import possible, redealt
from tests.support.game_tables import (
    Announced,
    cards,
    choose,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

OH_SEVEN = load("oh-seven")
SUITS = "SHCD"  # from the highest priority down
DECKS = {
    players: [f"{rank}{suit}" for suit in suits for rank in range(8)]
    for players, suits in ((2, "SHC"), (3, "SHC"), (4, "SHCD"))
}

# The published example: Alice, Bob, Carole and David are the seats 0 to 3. The sheet names two
# cards of each; the others are such that the published tricks can be taken.
EXAMPLE = (
    "2C 3C 7C 6C 7S 7D 0C",
    "3S 3H 7H 6H 5H 6S 6D",
    "2S 2H 1H 1S 1C 1D 2D",
    "0H 0S 4S 4C 4D 3D 0D",
)

# Two similar hands, for rounds in which each seat can do what the test requires.
ALIKE = ("0S 1H 2C 3S 6H 7C 5S", "0H 1S 2H 3C 6S 7H 5C")

# Hands that can bet a sum of 7 three times; two players' sums include the Dummy's 2.
STALLING = {
    2: ("0S 1S 2S 3S 4S 5S 6S", "5H 4H 3H 2H 1H 0H 6H"),
    3: ("0S 1S 2S", "1H 2H 3H", "6C 4C 2C"),
    4: ("0S 1S 2S", "1H 2H 3H", "2C 1C 0C", "4D 3D 2D"),
}

# The events that end a trick: a seat took it, or the Dummy.
TAKES = ("take-trick", "dummy-takes-trick")


def shuffle(*by_seat: str, rest: str = "", first: int = 0) -> list[str]:
    """An order of the deck that gives the seats these cards, and any others."""
    return stack(DECKS[len(by_seat)], hands(*by_seat, each=7, first=first), cards(rest))


def start(*by_seat: str, rest: str = "", **options: Any) -> Match:
    """Round 1 with these hands; the later rounds are dealt from the deck in its order."""
    players = len(by_seat)
    deals = StackedDeals([shuffle(*by_seat, rest=rest), *[DECKS[players]] * 200])
    return OH_SEVEN.start(players=players, options=options, deals=deals)


def start_alike(**options: Any) -> Match:
    """Two players who have the same hands in each round, whoever deals."""
    shuffles = [shuffle(*ALIKE, first=number % 2) for number in range(30)]
    return OH_SEVEN.start(players=2, options=options, deals=StackedDeals(shuffles))


def start_stalling(players: int, **options: Any) -> Match:
    """Starts a match in which the stalling hands are dealt over and over."""
    return OH_SEVEN.start(players=players, options=options, deals=stalling_deals(players))


def stalling_deals(players: int) -> StackedDeals:
    """Seven deals of the stalling hands in each of many rounds."""
    shuffles = [
        shuffle(*STALLING[players], first=number % players)
        for number in range(30)
        for _ in range(7)
    ]
    return StackedDeals(shuffles)


def fact(match: Match, name: str) -> Any:
    return match.observe(None).facts[name]


def bet(match: Match, text: str) -> None:
    choose(match, *[f"bet {card}" for card in cards(text)])


def play(match: Match, text: str) -> None:
    choose(match, *[f"play {card}" for card in cards(text)])


def stall(match: Match, times: int = 1) -> None:
    """Plays `times` deals in which three bettings sum to 7."""
    for _ in range(times):
        for betting in list(zip(*map(cards, STALLING[match.players]), strict=True))[:3]:
            bet(match, " ".join(betting))


def play_tricks(match: Match, taken: Sequence[int]) -> Match:
    """Returns the match after seven tricks of which each seat took this number, found by playing at
    random."""
    for number in range(20_000):
        other, rng = match.clone(), Random(number)
        for _ in range(7 * match.players):
            other.apply(other.to_act[0], rng.choice(other.legal_actions(other.to_act[0])))
        winners = [winner for (winner,) in told(other, None, *TAKES)[-7:]]
        if [winners.count(seat) for seat in range(match.players)] == list(taken):
            return other
    raise AssertionError(f"Tricks never fell as {taken}.")


def play_rounds(match: Match, *rounds: tuple[Sequence[int], Sequence[int]]) -> Match:
    """Returns the match after rounds in which the seats made these bets and took these numbers of
    tricks."""
    for bets, taken in rounds:
        for seat, rank in enumerate(bets):
            choose(match, next(a for a in legal(match, seat) if a.startswith(f"bet {rank}")))
        match = play_tricks(match, taken)
    return match


# Setup and dealing --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seven_cards_each_beginning_with_the_seat_after_the_dealer(players: int) -> None:
    match = start(*[""] * players)
    deck = DECKS[players]
    for number in range(1, 6):
        dealer = (players - 2 + number) % players
        assert (fact(match, "round"), fact(match, "dealer")) == (number, dealer)
        for seat in range(players):
            place = (seat - dealer - 1) % players
            dealt = deck[place : 7 * players : players]
            assert seen(match, seat, "hand", seat) == tuple(dealt)
        while fact(match, "round") == number:
            choose(match, max(legal(match, match.to_act[0]), key=lambda text: text[-2:]))


def test_a_hand_is_listed_in_canonical_order() -> None:
    match = start("7D 0C 1S 7S 3H 0S 2H", "", "", "")
    assert seen(match, 0, "hand", 0) == cards("0S 1S 7S 2H 3H 0C 7D")
    assert legal(match, 0) == [f"bet {card}" for card in cards("0S 1S 7S 2H 3H 0C 7D")]


@pytest.mark.parametrize(("players", "left"), [(3, 3), (4, 4)])
def test_the_discard_has_as_many_cards_as_there_are_players_and_is_hidden(
    players: int, left: int
) -> None:
    match = start(*[""] * players)
    for seat in range(players):
        discard = match.observe(seat).zone("discard")
        assert (discard.cards, discard.hidden) == ((), left)
    assert seen(match, None, "discard") == tuple(DECKS[players][-left:])


def test_with_two_players_the_rest_is_the_dummys_pile() -> None:
    match = start("", "")
    for seat in (0, 1):
        pile = match.observe(seat).zone("dummy_pile")
        assert (pile.cards, pile.hidden) == ((), 10)
    assert seen(match, None, "dummy_pile") == tuple(DECKS[2][14:])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_asks_for_one_shuffle_of_the_cards_in_use(players: int) -> None:
    match = start_stalling(players)
    assert match.deals.shuffles == [shuffle(*STALLING[players])]
    asked: list[list[str]] = []

    class Noting(StackedDeals):
        def shuffle(self, cards: Sequence[str]) -> tuple[str, ...]:
            asked.append(list(cards))
            return super().shuffle(cards)

        def copy(self) -> StackedDeals:
            return self

    deals = Noting([shuffle(*STALLING[players])] * 2)
    match = OH_SEVEN.start(players=players, deals=deals)
    stall(match)
    assert asked == [DECKS[players]] * 2
    assert match.deals.picks == []


def test_a_hand_is_told_to_its_seat_only() -> None:
    match = start(*EXAMPLE)
    for seat in range(4):
        assert told(match, seat, "hand") == [(seat, *seen(match, seat, "hand", seat))]


# Bets ---------------------------------------------------------------------------------------------


def test_example_the_bets_sum_to_7_and_all_bet_again() -> None:
    match = start(*EXAMPLE)
    bet(match, "2C 3S 2S 0H")
    assert fact(match, "phase") == "betting"
    assert match.to_act == (0, 1, 2, 3)
    assert told(match, 0, "sum-of-seven") == [(None,)]
    assert [len(legal(match, seat)) for seat in range(4)] == [6, 6, 6, 6]
    bet(match, "3C 3H 2H 0S")
    assert fact(match, "bets") == (3, 3, 2, 0)
    assert fact(match, "trump") == "H"
    assert fact(match, "first_leader") == 1
    assert match.to_act == (1,)
    assert [len(seen(match, None, "hand", seat)) for seat in range(4)] == [7, 7, 7, 7]
    assert [seen(match, 3, "bet", seat) for seat in range(4)] == [
        ("2C", "3C"), ("3S", "3H"), ("2S", "2H"), ("0H", "0S")
    ]  # fmt: skip


def test_bets_are_hidden_until_the_last_seat_has_bet() -> None:
    match = start(*EXAMPLE)
    before = match.observe(3)
    bet(match, "3C 3H 2H")
    assert match.to_act == (3,)
    assert match.observe(3) == before
    assert told(match, 3, "bet") == []
    bet(match, "0S")
    for viewer in range(4):
        assert told(match, viewer, "bet") == [(0, "3C"), (1, "3H"), (2, "2H"), (3, "0S")]


def test_a_card_bet_in_this_deal_may_not_be_bet_again() -> None:
    match = start(*EXAMPLE)
    bet(match, "2C 3S 2S 0H")
    with pytest.raises(IllegalAction, match="has not bet in this deal"):
        match.apply(0, "bet 2C")
    assert "bet 2D" in legal(match, 2)  # another card of the same rank


@pytest.mark.parametrize(
    ("bets", "again"),
    [
        ("3S 4H 0C 0D", True),
        ("3S 3H 0C 0D", False),
        ("3S 4H 1C 0D", False),
        ("3S 2H 2C", True),
        ("3S 2H 3C", False),
        ("7S 0H 0C", True),
        ("3S 2H", True),  # the Dummy's bet is 2
        ("0S 5H", True),
        ("3S 4H", False),
        ("3S 1H", False),
        ("5S 2H", False),
    ],
)
def test_only_a_sum_of_7_is_bet_again(bets: str, again: bool) -> None:
    match = start(*cards(bets))
    bet(match, bets)
    assert fact(match, "phase") == ("betting" if again else "play")
    assert bool(told(match, 0, "sum-of-seven")) == again


@pytest.mark.parametrize(
    ("bets", "leader"),
    [
        ("4S 3H 3C 3D", 0),
        ("3D 3C 3H 3S", 3),
        ("3D 3C 3H 1S", 2),
        ("3D 3C 0H 0S", 1),
        ("2S 3H 3C 4D", 3),
        ("0S 0H 0C", 0),
        ("0C 1H", 1),  # the Dummy's 2 is higher, but never leads
        ("1C 1H", 1),
    ],
)
def test_the_highest_bet_card_leads_and_names_trump(bets: str, leader: int) -> None:
    match = start(*cards(bets))
    bet(match, bets)
    assert match.to_act == (leader,)
    assert fact(match, "first_leader") == leader
    assert fact(match, "trump") == cards(bets)[leader][1]
    assert told(match, 0, "trump") == [(leader, cards(bets)[leader][1])]
    assert len(legal(match, leader)) == 7


def test_a_card_that_was_bet_is_known_to_be_in_the_hand_until_it_is_played() -> None:
    match = start(*EXAMPLE)
    bet(match, "2C 3S 2S 0H")
    bet(match, "3C 3H 2H 0S")
    assert seen(match, 0, "hand", 1) == ("3S", "3H")
    assert match.observe(0).zone("hand", 1).hidden == 5
    play(match, "3H")
    assert seen(match, 0, "hand", 1) == ("3S",)
    assert match.observe(0).zone("hand", 1).hidden == 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_2_after_the_third_sum_of_7_the_same_dealer_deals_again(players: int) -> None:
    match = start_stalling(players)
    for count, betting in enumerate(zip(*map(cards, STALLING[players]), strict=True), start=1):
        assert [len(legal(match, seat)) for seat in range(players)] == [8 - count] * players
        bet(match, " ".join(betting))
        if count == 3:
            break
        assert fact(match, "deal") == 1
    assert len(match.deals.shuffles) == 2
    assert (fact(match, "round"), fact(match, "deal")) == (1, 2)
    assert fact(match, "dealer") == players - 1
    assert fact(match, "bets") == ()
    assert [len(legal(match, seat)) for seat in range(players)] == [7] * players
    assert told(match, 0, "round") == [(players - 1, 1, 1), (players - 1, 1, 2)]
    for seat in range(players):
        for other in range(players):
            assert seen(match, seat, "bet", other) == ()
            assert other == seat or seen(match, seat, "hand", other) == ()


def test_a_redeal_belongs_to_the_chance_of_its_round() -> None:
    announced: list[int] = []
    stall(OH_SEVEN.start(players=3, deals=Announced(stalling_deals(3), announced)), 7)
    assert announced == [0, 7]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_2_after_seven_deals_the_round_is_void(players: int) -> None:
    match = start_stalling(players)
    for number in range(1, 8):
        assert (fact(match, "round"), fact(match, "deal")) == (1, number)
        stall(match)
    assert (fact(match, "round"), fact(match, "deal"), fact(match, "dealer")) == (2, 1, 0)
    assert len(match.deals.shuffles) == 8
    assert fact(match, "scores") == fact(match, "bets_made") == (0,) * players
    assert told(match, 0, "void-round") == [(None,)]
    assert told(match, 0, "play", "trump", "turn-up", "score") == []


def test_ruling_2_a_void_round_counts_but_nobody_made_its_bet_in_it() -> None:
    shuffles = [
        *[shuffle(*ALIKE, first=number % 2) for number in range(6)],
        *[shuffle(*STALLING[2])] * 7,
        *[shuffle(*ALIKE, first=number % 2) for number in range(7, 20)],
    ]
    match = OH_SEVEN.start(players=2, deals=StackedDeals(shuffles))
    match = play_rounds(match, *[((3, 3), (3, 2))] * 6)
    stall(match, 7)
    assert fact(match, "round") == 8
    assert match.result is None
    match = play_rounds(match, ((3, 3), (3, 2)))
    assert match.result is not None
    assert match.result.reason == "played-out"
    assert match.result.ranks == [1, 2]


# Tricks -------------------------------------------------------------------------------------------


def trick(trump: str, *plays: str) -> Match:
    """A match in which four seats play these cards to the first trick; trump is this suit."""
    led = plays[0][1]
    first_bet = f"7{trump}"
    # The other seats hold no card of the suit led but that which they play.
    others = [card for card in DECKS[4] if card[1] != led and card not in (first_bet, *plays)]
    rest = [others[6 * seat :][:6] for seat in range(3)]
    by_seat = [" ".join({first_bet, plays[0]})]
    by_seat += [f"{card} {' '.join(six)}" for card, six in zip(plays[1:], rest, strict=True)]
    match = start(*by_seat)
    bet(match, " ".join([first_bet, *[next(c for c in six if c[0] in "123456") for six in rest]]))
    play(match, " ".join(plays))
    return match


@pytest.mark.parametrize(
    ("trump", "plays", "winner"),
    [
        ("S", "5H 6H 4H 3H", 1),  # the highest of the suit led
        ("S", "5H 4H 7C 7D", 0),  # higher cards of other suits
        ("S", "5H 6H 0S 7H", 2),  # a trump
        ("S", "5H 1S 0S 6S", 3),  # the highest trump
        ("S", "2S 7H 1S 7C", 0),  # a trump led
        ("D", "3C 3S 3H 2C", 0),  # the priority of suits plays no part
        ("D", "3C 3S 3H 0D", 3),  # nor for trump
    ],
)
def test_who_wins_a_trick_leads_the_next(trump: str, plays: str, winner: int) -> None:
    match = trick(trump, *cards(plays))
    assert fact(match, "trump") == trump
    assert told(match, 0, "take-trick") == [(winner,)]
    assert fact(match, "taken") == tuple(int(seat == winner) for seat in range(4))
    assert match.to_act == (winner,)
    assert fact(match, "order") == tuple((winner + place) % 4 for place in range(4))
    assert len(legal(match, winner)) == 6


def test_a_seat_that_holds_the_suit_led_must_follow() -> None:
    match = start("7S 5H", "1S 4H 6H 7C 2D 1D 1C", "1H", "2C")
    bet(match, "7S 1S 1H 2C")
    play(match, "5H")
    assert legal(match, 1) == ["play 4H", "play 6H"]
    with pytest.raises(IllegalAction, match="suit led"):
        match.apply(1, "play 1S")


def test_a_seat_without_the_suit_led_may_play_any_card() -> None:
    match = start("7S 5H", "1S 2S 7C 2D 1D 1C 0D", "1H", "2C")
    bet(match, "7S 1S 1H 2C")
    play(match, "5H")
    assert len(legal(match, 1)) == 7


@pytest.mark.parametrize("players", [3, 4])
def test_seven_tricks_are_played_in_turn_order(players: int, seed: int) -> None:
    match = OH_SEVEN.start(players=players, deals=SeededDeals(f"{seed}"))
    leader = 0
    for seat in decisions(match, Random(seed)):
        if fact(match, "phase") == "play":
            place = len(seen(match, None, "trick"))
            taken = sum(fact(match, "taken"))
            if place == 0:
                winner = told(match, None, "take-trick")[-1:] if taken else []
                leader = int(str(winner[0][0])) if winner else fact(match, "first_leader")
            assert match.to_act == ((leader + place) % players,) == (seat,)
            assert len(seen(match, seat, "hand", seat)) == 7 - taken


# The Dummy ----------------------------------------------------------------------------------------

# Seat 0 leads first with spades as trump. Seat 1 can take its heart, and the Dummy the club that
# seat 1 leads then.
DUMMY_HANDS = ("3S 0H 2H 3H 4H 5H 6H", "7H 1H 0C 0S 1S 2S 4S")
DUMMY_PILE = "1C 2C 3C 4C 5C 6C 7C 5S 6S 7S"


def start_with_dummy() -> Match:
    match = start(*DUMMY_HANDS, rest=DUMMY_PILE)
    bet(match, "3S 1H")
    return match


def dummy_zones(match: Match, viewer: int) -> list[Any]:
    pile = match.observe(viewer).zone("dummy_pile")
    assert pile.cards == ()
    return [
        pile.hidden,
        seen(match, viewer, "dummy_shown"),
        seen(match, viewer, "dummy_played"),
    ]


def test_the_dummy_shows_two_cards_when_the_bets_are_settled() -> None:
    match = start("2S 1S", "3H 5H", rest=DUMMY_PILE.replace("1C", "0C"))
    bet(match, "2S 3H")  # a sum of 7 with the Dummy's 2
    assert dummy_zones(match, 0) == [10, (), ()]
    bet(match, "1S 5H")
    for viewer in (0, 1):
        assert dummy_zones(match, viewer) == [8, ("0C", "2C"), ()]
        assert told(match, viewer, "turn-up") == [(None, "0C", "2C")]


def test_ruling_6_the_third_card_is_turned_up_after_both_players_have_played() -> None:
    match = start_with_dummy()
    assert fact(match, "order") == (0, 1, 2)
    play(match, "0H")
    assert dummy_zones(match, 1) == [8, ("1C", "2C"), ()]
    play(match, "7H")
    assert dummy_zones(match, 1) == [7, ("2C", "3C"), ("1C",)]
    assert [event.verb for event in match.events(1)][-5:] == [
        "play", "play", "turn-up", "dummy-plays", "take-trick"
    ]  # fmt: skip
    assert told(match, 1, "turn-up", "dummy-plays")[1:] == [(None, "3C"), (None, "1C")]


def test_ruling_7_after_the_dummys_lead_the_first_leader_plays() -> None:
    match = start_with_dummy()
    play(match, "0H 7H")
    assert match.to_act == (1,)
    play(match, "0C 2H")
    # The Dummy took it with the lowest club that wins, and leads the top card of its pile at once.
    assert told(match, 0, *TAKES) == [(1,), (None,)]
    assert told(match, 0, "take-trick") == [(1,)]
    assert fact(match, "taken") == (0, 1, 1)
    assert seen(match, 0, "trick") == ("5C",)
    assert dummy_zones(match, 0) == [5, ("3C", "4C"), ("1C", "2C", "5C")]
    assert fact(match, "order") == (2, 0, 1)
    assert match.to_act == (0,)
    play(match, "3H")
    assert match.to_act == (1,)
    play(match, "1S")
    assert told(match, 0, *TAKES)[2:] == [(1,)]
    assert fact(match, "order") == (1, 0, 2)


def test_players_must_follow_the_dummys_lead() -> None:
    match = start(*DUMMY_HANDS, rest="1C 2C 3C 4C 5S 6C 7C 5C 6S 7S")
    bet(match, "3S 1H")
    play(match, "0H 7H 0C 2H")
    assert seen(match, 0, "trick") == ("5S",)
    assert legal(match, 0) == ["play 3S"]


# Constructed examples: trump is clubs.
@pytest.mark.parametrize(
    ("shown", "lies", "taken", "plays"),
    [
        ("6S 5S 2S", "3S 4S", 0, "5S"),  # its first trick: the lowest that wins
        ("6S 5S 2S", "3S 4S", 1, "6S"),  # its second: the highest
        ("6S 5S 2S", "3S 4S", 2, "2S"),  # no third: the highest that loses
        ("6S 5S 2S", "7S 4S", 0, "2S"),  # it cannot win: the lowest
        ("6S 5S 2S", "7S 4S", 1, "2S"),
        ("6S 5S 2S", "7S 4S", 2, "6S"),  # it must lose: the highest
        ("6S 5S 7H", "3S 4S", 2, "6S"),  # all that may be played win: the highest
    ],
)
def test_how_the_dummy_tries_to_take_two_tricks(
    shown: str, lies: str, taken: int, plays: str
) -> None:
    assert dummys_choice(cards(shown), cards(lies), "C", taken) == plays


def test_ruling_3_the_dummy_follows_suit() -> None:
    assert dummys_choice(cards("6S 5S 0C"), cards("7S 1C"), "C", 0) == "5S"
    assert dummys_choice(cards("6S 5S 0C"), cards("7S 1S"), "C", 0) == "5S"
    assert dummys_choice(cards("6S 5S 0C"), cards("7H 1H"), "C", 0) == "0C"


def test_ruling_4_a_trump_is_high_for_the_dummy() -> None:
    assert dummys_choice(cards("6S 0C 3C"), cards("7H 1C"), "C", 0) == "3C"
    assert dummys_choice(cards("6S 0C 3C"), cards("7H 1C"), "C", 2) == "0C"
    assert dummys_choice(cards("6S 0C 7S"), cards("7H 1C"), "C", 0) == "6S"


def test_ruling_5_between_equal_ranks_the_suit_of_higher_priority_is_higher() -> None:
    assert dummys_choice(cards("6S 6H 2S"), cards("7C 1C"), "C", 2) == "6S"
    assert dummys_choice(cards("6H 6S 2S"), cards("7C 1C"), "C", 2) == "6S"
    assert dummys_choice(cards("6S 6H 7S"), cards("7C 1C"), "C", 0) == "6H"


def test_ruling_9_a_dummy_with_more_than_two_tricks_wants_no_other() -> None:
    for taken in (2, 3, 4, 6):
        assert dummys_choice(cards("6S 5S 2S"), cards("3S 4S"), "C", taken) == "2S"


def dummy_rank(card: str, trump: str) -> tuple[bool, int, int]:
    return card[1] == trump, int(card[0]), -SUITS.index(card[1])


def takes(card: str, lies: Sequence[str], trump: str) -> bool:
    """True if a card played last takes the trick."""
    return all(
        (card[1] == trump, card[1] == lies[0][1], int(card[0]))
        > (other[1] == trump, other[1] == lies[0][1], int(other[0]))
        for other in lies
    )


def expected(shown: Sequence[str], lies: Sequence[str], trump: str, taken: int) -> str:
    """Returns the Dummy's card of these, by the table of the rules."""
    following = [card for card in shown if card[1] == lies[0][1]] or list(shown)
    following.sort(key=lambda card: dummy_rank(card, trump))
    winners = [card for card in following if takes(card, lies, trump)]
    if taken >= 2 and winners:
        return ([card for card in following if card not in winners] or following)[-1]
    if taken >= 2:
        return following[-1]
    return (winners[0] if taken == 0 else winners[-1]) if winners else following[0]


def check_the_dummys_part(before: Observation, card: str, after: Match, new: list[Event]) -> bool:
    """Checks the Dummy's part, and returns whether it now leads; `new`: the events after a player's
    card."""
    pile = list(before.zone("dummy_pile").cards)
    shown = [*before.zone("dummy_shown").cards]
    trick = [*before.zone("trick").cards, card]
    facts: Any = before.facts
    new.pop(0)
    if facts["order"][len(trick) :] == (2,):
        assert new.pop(0) == ("turn-up", None, (pile[0],))
        shown.append(pile.pop(0))
        plays = expected(shown, trick, facts["trump"], facts["taken"][2])
        assert new.pop(0) == ("dummy-plays", None, (plays,))
        shown.remove(plays)
        trick.append(plays)
    if len(trick) < 3:
        assert new == []
        return False
    takes, winner, _ = new.pop(0)
    assert takes == TAKES[winner is None]
    if sum(facts["taken"]) == 6:  # that was the last trick
        return False
    first = facts["first_leader"]
    if winner is None:
        assert new.pop(0) == ("dummy-plays", None, (pile.pop(0),))
        assert fact(after, "order") == (2, first, 1 - first)
    else:
        assert fact(after, "order") == (winner, 1 - winner, 2)
    assert new == []
    assert seen(after, None, "dummy_shown") == tuple(shown)
    assert seen(after, None, "dummy_pile") == tuple(pile)
    return winner is None


def test_the_dummy_plays_by_its_rules_in_every_match(seed: int) -> None:
    led = 0
    for number in range(20):
        match = OH_SEVEN.start(players=2, deals=SeededDeals(f"{seed}/{number}"))
        rng = Random(f"{seed}/{number}")
        while match.to_act:
            before, told_before = match.observe(None), len(match.events(None))
            action = rng.choice(match.legal_actions(match.to_act[0]))
            match.apply(match.to_act[0], action)
            if action.startswith("play"):
                new = list(match.events(None, since=told_before))
                led += check_the_dummys_part(before, action.value, match, new)
    assert led > 100


def test_one_card_of_the_dummys_pile_is_never_seen(seed: int) -> None:
    match = OH_SEVEN.start(players=2, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    pile, shown, played = dummy_zones(match, 0)
    assert (pile, len(shown), len(played)) == (1, 2, 7)


# Scoring ------------------------------------------------------------------------------------------


def test_example_the_scores_of_the_round() -> None:
    match = start(*EXAMPLE)
    bet(match, "2C 3S 2S 0H")
    bet(match, "3C 3H 2H 0S")
    match = play_tricks(match, (3, 4, 0, 0))
    assert told(match, 0, "score") == [(None, 8, -1, -2, 5)]
    assert fact(match, "scores") == (8, -1, -2, 5)
    assert fact(match, "bets_made") == (1, 0, 0, 1)


def test_ruling_8_the_dummy_adds_nothing_to_the_basket() -> None:
    match = play_rounds(start_alike(), ((3, 3), (3, 3)))  # the Dummy has 1
    assert fact(match, "scores") == (5, 5)
    match = play_rounds(match, ((3, 3), (3, 2)))  # the Dummy has its 2
    assert fact(match, "scores") == (5 + 6, 5 - 1)
    match = play_rounds(match, ((3, 3), (2, 2)))  # and here 3
    assert fact(match, "scores") == (11 - 1, 4 - 1)
    assert fact(match, "bets_made") == (2, 1)


Round = tuple[list[int], list[int]]  # bets and tricks by seat; no bets if it was void


def rounds_of(match: Match) -> Iterator[Round]:
    bets: dict[int, int] = {}
    taken: list[int] = []
    for event in match.events(None):
        if event.verb == "round":
            bets, taken = {}, [0] * match.players
        elif event.verb == "bet" and event.actor is not None:
            bets[event.actor] = int(str(event.arguments[0])[0])
        elif event.verb == "take-trick" and event.actor is not None:
            taken[event.actor] += 1
        elif event.verb == "score":
            yield [bets[seat] for seat in range(match.players)], taken
        elif event.verb == "void-round":
            yield [], taken


@pytest.mark.parametrize("ties_play_on", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_scores_and_the_end_follow_from_bets_and_tricks(
    players: int, ties_play_on: bool, seed: int
) -> None:
    met = set()
    for number in range(60):
        match = OH_SEVEN.start(
            players=players,
            options={"ties_play_on": ties_play_on, "max_rounds": 15},
            deals=SeededDeals(f"{seed}/{number}"),
        )
        for _ in decisions(match, Random(f"{seed}/{number}")):
            pass
        scores, made, told_scores = [0] * players, [0] * players, told(match, None, "score")
        rounds = list(rounds_of(match))
        for count, (bets, taken) in enumerate(rounds, start=1):
            assert bets, "by chance no round is void"
            missed = [abs(want - got) for want, got in zip(bets, taken, strict=True)]
            for seat in range(players):
                scores[seat] += -missed[seat] if missed[seat] else 2 + sum(missed) + taken[seat]
                made[seat] += not missed[seat]
            assert told_scores[count - 1][1:] == tuple(scores)
            top = [seat for seat in range(players) if scores[seat] == max(scores)]
            decided = count >= 7 and not any(missed[seat] for seat in top)
            if ties_play_on and len(top) > 1:
                decided = False
            assert (decided or count == 15) == (count == len(rounds))
            met.add((count >= 7, decided))
        assert match.result is not None
        assert match.result.scores == scores
        merits = list(zip(scores, made, strict=True))
        assert match.result.ranks == [1 + sum(o > mine for o in merits) for mine in merits]
        assert match.result.reason == ("played-out" if decided else "limit")
        assert fact(match, "bets_made") == tuple(made)
    assert met == {(False, False), (True, False), (True, True)}


# The end ------------------------------------------------------------------------------------------

BOTH_MAKE = ((3, 3), (3, 3))  # 5 points each
FIRST_MAKES = ((3, 3), (3, 2))  # 6 points, and -1
SECOND_MAKES = ((3, 3), (2, 3))  # -1 point, and 6
SECOND_MAKES_ONE = ((3, 1), (4, 1))  # -1 point, and 4
FIRST_MAKES_TWO = ((2, 0), (2, 3))  # 7 points, and -3


def ended(match: Match) -> tuple[int, tuple[int, ...], list[int], str]:
    """Returns the rounds played, and the scores, ranks and reason of a match that is over."""
    assert match.result is not None
    return (
        fact(match, "round"),
        tuple(match.result.scores),
        match.result.ranks,
        match.result.reason,
    )


def test_a_match_has_at_least_seven_rounds_and_its_leader_made_the_last_bet() -> None:
    match = play_rounds(start_alike(), *[FIRST_MAKES] * 6)
    assert match.result is None
    match = play_rounds(match, FIRST_MAKES)
    assert ended(match) == (7, (42, -7), [1, 2], "played-out")


def test_ruling_11_with_two_players_too_nobody_wins_with_the_last_bet_failed() -> None:
    match = play_rounds(start_alike(), *[FIRST_MAKES] * 6, SECOND_MAKES)
    assert fact(match, "scores") == (35, 0)
    assert match.result is None
    match = play_rounds(match, SECOND_MAKES)
    assert fact(match, "round") == 9
    match = play_rounds(match, BOTH_MAKE)
    assert ended(match) == (9, (39, 11), [1, 2], "played-out")


def test_ruling_1_after_the_last_round_a_leader_wins_that_failed_its_last_bet() -> None:
    match = play_rounds(start_alike(max_rounds=7), *[FIRST_MAKES] * 6, SECOND_MAKES)
    assert ended(match) == (7, (35, 0), [1, 2], "limit")
    match = play_rounds(start_alike(max_rounds=8), *[FIRST_MAKES] * 6, *[SECOND_MAKES] * 2)
    assert ended(match) == (8, (34, 6), [1, 2], "limit")


def test_of_tied_leaders_that_made_the_last_bet_the_one_with_most_bets_made_wins() -> None:
    rounds = [FIRST_MAKES_TWO, *[SECOND_MAKES_ONE] * 2, *[BOTH_MAKE] * 4]
    match = play_rounds(start_alike(), *rounds)
    assert fact(match, "bets_made") == (5, 6)
    assert ended(match) == (7, (25, 25), [2, 1], "played-out")


def test_ruling_10_tied_leaders_play_on_if_one_of_them_failed_the_last_bet() -> None:
    match = play_rounds(start_alike(), SECOND_MAKES, *[BOTH_MAKE] * 5, FIRST_MAKES)
    assert fact(match, "scores") == (30, 30)
    assert match.result is None
    match = play_rounds(match, BOTH_MAKE)
    assert ended(match) == (8, (35, 35), [1, 1], "played-out")


def test_leaders_equal_in_bets_made_too_share_the_victory() -> None:
    match = play_rounds(start_alike(), *[BOTH_MAKE] * 7)
    assert ended(match) == (7, (35, 35), [1, 1], "played-out")


def test_with_ties_play_on_a_tie_means_another_round() -> None:
    match = play_rounds(start_alike(ties_play_on=True), *[BOTH_MAKE] * 7)
    assert match.result is None
    assert fact(match, "ties_play_on") == 1
    match = play_rounds(match, FIRST_MAKES)
    assert ended(match) == (8, (41, 34), [1, 2], "played-out")


def test_with_ties_play_on_the_last_round_ends_a_tie() -> None:
    rounds = [FIRST_MAKES_TWO, *[SECOND_MAKES_ONE] * 2, *[BOTH_MAKE] * 4]
    match = play_rounds(start_alike(ties_play_on=True, max_rounds=7), *rounds)
    assert ended(match) == (7, (25, 25), [2, 1], "limit")


def test_void_rounds_alone_end_at_the_limit_with_all_tied() -> None:
    for players in (2, 3, 4):
        match = start_stalling(players, max_rounds=8)
        stall(match, 7 * 8)
        assert ended(match) == (8, (0,) * players, [1] * players, "limit")


def test_the_last_round_is_the_21st_unless_the_option_says_otherwise() -> None:
    match = start_stalling(2)
    assert fact(match, "max_rounds") == 21
    stall(match, 7 * 21)
    assert ended(match)[0] == 21


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_of_the_deals_before_nothing_is_known() -> None:
    match = start_stalling(2)
    stall(match)
    assert possible(redealt(match, 0, 200), "hand", 1) == set(DECKS[2]) - set(cards(STALLING[2][0]))


Deal = tuple[tuple[str, ...], ...]


def consistent_deals(match: Match, viewer: int) -> set[Deal]:
    """Returns all hands of the others, with the pile or the discard, that agree with the viewer's
    events of this deal; the events show the suits that they lack."""
    others = [seat for seat in range(match.players) if seat != viewer]
    lacking: dict[int | None, set[str]] = {seat: set() for seat in others}
    trick: list[str] = []
    for event in match.events(viewer):
        if event.verb == "round":
            lacking = {seat: set() for seat in others}
        if event.verb in ("play", "dummy-plays"):
            trick.append(str(event.arguments[0]))
            if event.actor in lacking and trick[-1][1] != trick[0][1]:
                lacking[event.actor].add(trick[0][1])
        if event.verb in TAKES:
            trick = []
    zones = match.observe(viewer).zones
    known = {seat: seen(match, viewer, "hand", seat) for seat in others}
    sizes = [zone.hidden for zone in zones if zone.name == "hand" and zone.owner != viewer]
    visible = {card for zone in zones for card in zone.cards if zone.name != "bet"}
    hidden = [card for card in DECKS[match.players] if card not in visible]
    deals = set()
    for order in permutations(hidden):
        rest = iter(order)
        dealt = [[next(rest) for _ in range(size)] for size in sizes]
        held = [(*known[seat], *some) for seat, some in zip(others, dealt, strict=True)]
        if not any(c[1] in lacking[s] for s, hand in zip(others, held, strict=True) for c in hand):
            deals.add((*[tuple(sorted(hand)) for hand in held], in_their_order(match, tuple(rest))))
    return deals


def in_their_order(match: Match, rest: tuple[str, ...]) -> tuple[str, ...]:
    """A pile's order matters, a discard's does not."""
    return rest if match.players == 2 else tuple(sorted(rest))


def dealt(match: Match, viewer: int) -> Deal:
    others = [seat for seat in range(match.players) if seat != viewer]
    rest = seen(match, None, "dummy_pile" if match.players == 2 else "discard")
    held = [tuple(sorted(seen(match, None, "hand", seat))) for seat in others]
    return (*held, in_their_order(match, rest))


@pytest.mark.parametrize(("players", "most"), [(2, 4), (3, 5)])
def test_every_consistent_deal_comes_up_and_no_other(players: int, most: int, seed: int) -> None:
    rng = Random(seed)
    match = OH_SEVEN.start(players=players, deals=SeededDeals(f"{seed}"))
    checked = 0
    for viewer in decisions(match, rng):
        if sum(zone.hidden for zone in match.observe(viewer).zones) > most:
            continue
        deals = consistent_deals(match, viewer)
        twins = [match.redeal(viewer, rng) for _ in range(25 * len(deals))]
        found = {dealt(twin, viewer) for twin in twins}
        assert found == deals
        checked += 1
    assert checked >= 7


# In every match -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_has_8_decisions_a_seat_and_one_more_for_each_repeated_betting(
    players: int, seed: int
) -> None:
    for number in range(10):
        match = OH_SEVEN.start(players=players, deals=SeededDeals(f"{seed}/{number}"))
        count = 0
        for _ in decisions(match, Random(f"{seed}/{number}")):
            count += 1
        # After a third sum of 7 too, there is one more betting.
        again = len(told(match, None, "sum-of-seven"))
        assert count == players * (8 * fact(match, "round") + again)


def test_what_is_not_allowed_is_refused() -> None:
    with pytest.raises(ValueError, match="max_rounds must be an integer of at least 7, not 6"):
        OH_SEVEN.start(options={"max_rounds": 6})
    match = OH_SEVEN.start()
    assert (match.players, match.options) == (4, {"max_rounds": 21, "ties_play_on": False})
