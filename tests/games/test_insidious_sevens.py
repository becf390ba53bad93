"""Insidious Sevens: each ruling and each published example, and the invariants of every match."""

from itertools import combinations, permutations
from math import comb
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from tests.support.game_redeals import always, possible, redealt
from tests.support.game_tables import (
    Announced,
    cards,
    check_one_shuffle_a_deal,
    choose,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

SEVENS = load("insidious-sevens")
DECK = [f"{number}{colour}" for colour in "RYGBP" for number in range(8)]
CARDS_TO_PASS = {1: 0, 2: 1, 3: 2, 4: 3, 5: 2, 6: 1, 7: 0}
# The seats that cards are passed to: to the left is the next seat.
STEP = {2: 1, 3: -1, 4: 1, 5: -1, 6: 1}

# The published example: Arthur, Beatrice, Charles and Dorothy are the seats 0 to 3.
EXAMPLE = (
    "3R 2Y 6R 5R 6Y 5B 5P",
    "0G 1G 1R 0B 1B 0P 1P",
    "3Y 4Y 3G 7G 2B 3B 4B",
    "2G 4G 5G 6P 7P 4P 2P",
)
EXAMPLE_BIDS = ("bid 3R", "bid 0G", "bid 3Y", "bid 2G")

# Two hands that can bid seven Piikos: in pairs they add up to 7, in this order.
PIIKO_HANDS = ("0R 1R 2R 3R 4R 5R 6R", "7Y 6Y 5Y 4Y 3Y 2Y 1Y")


def height(card: str) -> tuple[int, int]:
    return int(card[0]), "RYGBP".index(card[1])


def matches(card: str, lead: str) -> bool:
    return card[0] == lead[0] or card[1] == lead[1]


def start(*by_seat: str, piiko: bool = False) -> Match:
    """Round 1 with these hands; the later rounds are dealt from the deck in its order."""
    first = stack(DECK, hands(*by_seat, each=7))
    deals = StackedDeals([first, *[DECK] * 60])
    return SEVENS.start(players=len(by_seat), options={"piiko": piiko}, deals=deals)


def fact(match: Match, name: str) -> object:
    return match.observe(None).facts[name]


def bid(match: Match, text: str) -> None:
    choose(match, *[f"bid {card}" for card in cards(text)])


def play(match: Match, text: str) -> None:
    choose(match, *[f"play {card}" for card in cards(text)])


def highest(match: Match) -> str:
    """Returns a choice that continues without Piikos: pass low cards, bid high ones."""
    options = match.legal_actions(match.to_act[0])
    return options[0] if options[0].startswith("pass") else max(options, key=lambda a: a[-2:])


def play_to_round(match: Match, number: int) -> None:
    while fact(match, "round") != number:
        choose(match, highest(match))


def seven_piikos(match: Match) -> None:
    for pair in zip(*map(cards, PIIKO_HANDS), strict=True):
        bid(match, " ".join(pair))


def trick(winning_bid: str, *plays: str) -> Match:
    """Returns a match in which seat 0 won the bidding with this card, and led the first trick;
    these are its cards."""
    # No other card of a hand matches the lead, so that each seat may play what it likes.
    named = (winning_bid, *plays)
    rest = [card for card in DECK if not matches(card, plays[0]) and card not in named]
    zeros = [card for card in rest if card[0] == "0"]
    bids = [winning_bid, *zeros[: len(plays) - 1]]
    others = [card for card in rest if card not in bids]
    by_seat = [
        [*pair, *others[5 * seat :][:5]] for seat, pair in enumerate(zip(bids, plays, strict=True))
    ]
    match = start(*map(" ".join, by_seat))
    bid(match, " ".join(bids))
    play(match, " ".join(plays))
    return match


def seven_times_dealt(before: int = 0) -> StackedDeals:
    """Chance for rounds without Piikos, then seven deals of the Piiko hands, then more rounds."""
    piikos = stack(DECK, hands(*PIIKO_HANDS, each=7, first=before % 2))
    return StackedDeals([*[DECK] * before, *[piikos] * 7, *[DECK] * 20])


def consistent_deals(match: Match, viewer: int) -> set[tuple[tuple[str, ...], ...]]:
    """Returns all hands of the others that agree with the viewer's events of this deal, and uses
    nothing but these events."""
    past = match.events(viewer)
    begun = max(place for place, event in enumerate(past) if event.verb == "round")
    others = [seat for seat in range(match.players) if seat != viewer]
    held: dict[int, set[str]] = {seat: set() for seat in others}
    leads: dict[int, set[str]] = {seat: set() for seat in others}  # that the seat did not match
    out: set[str] = set(seen(match, viewer, "hand", viewer))
    trick: list[str] = []
    left = dict.fromkeys(others, 7)
    for event in past[begun:]:
        actor, card = event.actor, str(event.arguments[0]) if event.arguments else ""
        if event.verb == "pass" and actor == viewer:
            step = STEP[int(match.observe(viewer).facts["round"])]  # type: ignore[call-overload]
            held[(viewer + step) % match.players] |= {str(given) for given in event.arguments}
        if event.verb == "bid" and actor in held:
            held[actor].add(card)
        if event.verb == "play":
            trick.append(card)
            out.add(card)
            if actor in held:
                left[actor] -= 1
                held[actor].discard(card)
                if not matches(card, trick[0]):
                    leads[actor].add(trick[0])
        if event.verb == "take-trick":
            trick = []
    hidden = [card for card in DECK if card not in out]
    deals = set()
    slots = [seat for seat in others for _ in range(left[seat])]
    for order in permutations(hidden, len(slots)):
        given_to = {
            seat: [c for c, s in zip(order, slots, strict=True) if s == seat] for seat in others
        }
        if all(
            held[seat] <= set(given_to[seat])
            and not any(matches(card, lead) for card in given_to[seat] for lead in leads[seat])
            for seat in others
        ):
            deals.add(tuple(tuple(sorted(given_to[seat], key=DECK.index)) for seat in others))
    return deals


# Setup and dealing --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seven_cards_each_beginning_with_the_seat_after_the_dealer(players: int) -> None:
    match = SEVENS.start(players=players, deals=StackedDeals([DECK] * 60))
    assert fact(match, "dealer") == players - 1
    for seat in range(players):
        assert seen(match, seat, "hand", seat) == tuple(DECK[seat : 7 * players : players])
    play_to_round(match, 2)
    assert fact(match, "dealer") == 0
    for seat in range(players):
        place = (seat - 1) % players
        assert seen(match, seat, "hand", seat) == tuple(DECK[place : 7 * players : players])


def test_a_hand_is_listed_in_canonical_order() -> None:
    match = start("7P 0P 1B 7R 0R 3Y 2Y", "", "")
    assert seen(match, 0, "hand", 0) == cards("0R 7R 2Y 3Y 1B 0P 7P")
    assert legal(match, 0) == [f"bid {card}" for card in cards("0R 7R 2Y 3Y 1B 0P 7P")]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_cards_not_dealt_are_set_aside_unseen(players: int) -> None:
    match = SEVENS.start(players=players, deals=StackedDeals([DECK] * 60))
    for seat in range(players):
        aside = match.observe(seat).zone("aside")
        assert (aside.cards, aside.hidden) == ((), 40 - 7 * players)
    assert seen(match, None, "aside") == tuple(DECK[7 * players :])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_round_asks_for_one_shuffle_of_the_deck_in_canonical_order(
    players: int, seed: int
) -> None:
    match = check_one_shuffle_a_deal(SEVENS, DECK, seed, players=players)
    assert len(match.deals.shuffles) == 7


def test_ruling_1_the_deal_rotates() -> None:
    for players in (2, 3, 4, 5):
        match = SEVENS.start(players=players, deals=StackedDeals([DECK] * 60))
        for number in range(1, 8):
            play_to_round(match, number)
            assert fact(match, "dealer") == (players - 2 + number) % players


def test_a_hand_is_told_to_its_seat_only() -> None:
    match = start(*EXAMPLE)
    for seat in range(4):
        assert told(match, seat, "hand") == [(seat, *seen(match, seat, "hand", seat))]


# Passing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("number", range(1, 8))
def test_cards_are_passed_as_the_table_says(number: int, players: int) -> None:
    match = SEVENS.start(players=players, deals=StackedDeals([DECK] * 60))
    play_to_round(match, number)
    count = CARDS_TO_PASS[number]
    assert fact(match, "cards_to_pass") == count
    if not count:
        assert fact(match, "phase") == "bidding"
        assert fact(match, "pass_to") == ""
        return
    assert fact(match, "pass_to") == {1: "left", -1: "right"}[STEP[number]]
    assert match.to_act == tuple(range(players))
    before = [seen(match, seat, "hand", seat) for seat in range(players)]
    given = [Random(f"{number} {seat}").sample(before[seat], count) for seat in range(players)]
    for seat in range(players):
        assert legal(match, seat) == [
            "pass " + " ".join(some) for some in combinations(before[seat], count)
        ]
        given[seat].sort(key=DECK.index)
        match.apply(seat, "pass " + " ".join(given[seat]))
    for seat in range(players):
        giver = (seat - STEP[number]) % players
        assert seen(match, seat, "received", seat) == tuple(given[giver])
        assert set(seen(match, seat, "hand", seat)) == (
            set(before[seat]) - set(given[seat]) | set(given[giver])
        )
        assert told(match, seat, "receive") == [
            *told(match, seat, "receive")[:-1],
            (giver, *given[giver]),
        ]


def test_no_seat_sees_what_it_gets_before_it_has_chosen_what_to_give() -> None:
    match = start("", "", "", "")
    play_to_round(match, 4)
    before, offered = match.observe(2), legal(match, 2)
    for seat in (1, 3, 0):
        choice = match.legal_actions(seat)[-1]
        match.apply(seat, choice)
        assert match.observe(2) == before
        assert legal(match, 2) == offered
        assert match.observe(seat).facts["chosen"] == choice
        assert legal(match, seat) == []
    assert match.to_act == (2,)
    assert len(offered) == comb(7, 3) == 35
    choose(match, offered[0])
    assert match.to_act == (0, 1, 2, 3)
    assert fact(match, "phase") == "bidding"


def test_ruling_7_with_two_players_the_other_seat_is_both_neighbours() -> None:
    match = start("", "")
    for number in (2, 3):
        play_to_round(match, number)
        choices = [match.legal_actions(seat)[0] for seat in (0, 1)]
        choose(match, *choices)
        for seat in (0, 1):
            assert seen(match, seat, "received", seat) == choices[1 - seat].value


def test_what_is_passed_is_known_to_giver_and_receiver_only() -> None:
    match = start("", "", "", "")
    play_to_round(match, 4)
    choose(match, *[match.legal_actions(seat)[seat] for seat in range(4)])
    given = seen(match, 1, "passed", 1)
    assert seen(match, 2, "received", 2) == given
    assert seen(match, 1, "hand", 2) == given
    for stranger in (0, 3):
        assert seen(match, stranger, "hand", 2) == ()
        zones = {(zone.name, zone.owner) for zone in match.observe(stranger).zones}
        assert not {("passed", 1), ("received", 2)} & zones
        assert (1, "3") in told(match, stranger, "pass")
        assert (1, *given) not in told(match, stranger, "pass", "receive")
    assert ("passed", 2) not in {(zone.name, zone.owner) for zone in match.observe(1).zones}


# Bidding ------------------------------------------------------------------------------------------


def test_bids_are_hidden_until_the_last_seat_has_bid() -> None:
    match = start(*EXAMPLE)
    before = match.observe(3)
    bid(match, "3R 0G 3Y")
    assert match.to_act == (3,)
    assert match.observe(3) == before
    assert told(match, 3, "bid") == []
    bid(match, "2G")
    for viewer in range(4):
        assert told(match, viewer, "bid") == [(0, "3R"), (1, "0G"), (2, "3Y"), (3, "2G")]
        assert [seen(match, viewer, "bid", seat) for seat in range(4)] == [
            ("3R",), ("0G",), ("3Y",), ("2G",)
        ]  # fmt: skip
        assert match.observe(viewer).facts["bids"] == (3, 0, 3, 2)


def test_a_card_that_was_bid_is_known_to_be_in_the_hand_until_it_is_played() -> None:
    match = start(*EXAMPLE)
    choose(match, *EXAMPLE_BIDS)
    assert seen(match, 0, "hand", 2) == ("3Y",)
    assert match.observe(0).zone("hand", 2).hidden == 6
    play(match, "3Y")
    assert seen(match, 0, "hand", 2) == ()
    assert match.observe(0).zone("hand", 2).hidden == 6


@pytest.mark.parametrize(
    ("bids", "winner"),
    [("4R 3P 2P", 0), ("4R 4G 3P", 1), ("0R 0Y 0B", 2), ("5P 6R 6G", 2), ("1P 1B 0P", 0)],
)
def test_the_highest_bid_card_names_trump_and_its_seat_leads(bids: str, winner: int) -> None:
    match = start(*cards(bids))
    bid(match, bids)
    assert match.to_act == (winner,)
    assert match.observe(0).facts["trump"] == cards(bids)[winner][1]
    assert match.observe(0).facts["leader"] == winner
    assert len(legal(match, winner)) == 7


# Piiko --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bids", ["3R 2R 2Y", "3R 0R 3Y 1Y", "3R 0R 3Y 1Y 0G"])
@pytest.mark.parametrize("piiko", [False, True])
def test_bids_that_sum_to_7_are_a_piiko_only_with_the_option(bids: str, piiko: bool) -> None:
    match = start(*cards(bids), piiko=piiko)
    bid(match, bids)
    assert fact(match, "piiko") == piiko
    assert fact(match, "phase") == ("bidding" if piiko else "play")
    winner = cards(bids).index(max(cards(bids), key=height))
    assert fact(match, "scores") == tuple(
        int(piiko and seat == winner) for seat in range(match.players)
    )
    assert bool(told(match, 0, "piiko")) == piiko


@pytest.mark.parametrize("bids", ["3R 2R 1Y", "3R 2R 3Y"])
def test_bids_that_sum_to_6_or_8_are_no_piiko(bids: str) -> None:
    match = start(*cards(bids), piiko=True)
    bid(match, bids)
    assert fact(match, "phase") == "play"
    assert fact(match, "scores") == (0, 0, 0)


def test_after_a_piiko_all_bid_again_with_other_cards_and_this_bid_counts() -> None:
    match = start("3R 1R 2R", "2Y 5Y 7Y", "2G 0G 6G", piiko=True)
    bid(match, "3R 2Y 2G")
    assert match.to_act == (0, 1, 2)
    assert [len(legal(match, seat)) for seat in range(3)] == [6, 6, 6]
    with pytest.raises(IllegalAction, match="has not bid in this deal"):
        match.apply(1, "bid 2Y")
    bid(match, "1R 5Y 0G")
    assert fact(match, "bids") == (1, 5, 0)
    assert fact(match, "trump") == "Y"
    assert match.to_act == (1,)
    assert [seen(match, 2, "bid", seat) for seat in range(3)] == [
        ("3R", "1R"), ("2Y", "5Y"), ("2G", "0G")
    ]  # fmt: skip


def test_ruling_4_every_piiko_of_a_row_pays_its_own_highest_card() -> None:
    match = start("3R 1R 2R", "2Y 5Y 0Y", "2G 1G 5G", piiko=True)
    bid(match, "3R 2Y 2G")
    assert told(match, 0, "piiko") == [(0, 1, 0, 0)]
    bid(match, "1R 5Y 1G")
    assert told(match, 0, "piiko") == [(0, 1, 0, 0), (1, 1, 1, 0)]
    bid(match, "2R 0Y 5G")
    assert fact(match, "scores") == (1, 1, 1)
    assert [len(legal(match, seat)) for seat in range(3)] == [4, 4, 4]


def test_ruling_6_cards_of_a_piiko_are_played_like_the_others() -> None:
    match = start("3R 1R 2R", "2Y 5Y 7Y", "2G 0G 6G", piiko=True)
    bid(match, "3R 2Y 2G")
    bid(match, "1R 5Y 0G")
    assert len(seen(match, 0, "hand", 0)) == 7
    assert "play 2Y" in legal(match, 1)
    play(match, "2Y 2G 2R")
    assert seen(match, 1, "played", 0) == ("2R",)


def test_ruling_5_with_two_players_the_rule_is_in_force_whatever_the_option_says() -> None:
    for piiko in (False, True):
        match = start("3R", "4Y", piiko=piiko)
        assert fact(match, "piiko") == 1
        bid(match, "3R 4Y")
        assert fact(match, "phase") == "bidding"
        assert fact(match, "scores") == (0, 1)


def test_ruling_4_the_seventh_piiko_pays_too() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt())
    seven_piikos(match)
    # 7Y, 6Y, 5Y and 4Y are the highest of their biddings, then 4R, 5R and 6R.
    assert fact(match, "scores") == (3, 4)


def test_ruling_2_after_seven_piikos_the_round_is_redealt() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt())
    seven_piikos(match)
    assert len(match.deals.shuffles) == 2
    assert fact(match, "round") == 1
    assert fact(match, "dealer") == 1
    assert fact(match, "deal") == 2
    assert match.to_act == (0, 1)
    assert [len(legal(match, seat)) for seat in (0, 1)] == [7, 7]
    assert seen(match, 0, "bid", 1) == ()
    assert seen(match, 0, "hand", 1) == ()
    assert told(match, 0, "round") == [(1, 1, 1), (1, 1, 2)]


def test_a_redeal_belongs_to_the_chance_of_its_round() -> None:
    announced: list[int] = []
    match = SEVENS.start(players=2, deals=Announced(seven_times_dealt(), announced))
    for _ in range(7):
        seven_piikos(match)
    assert announced == [0, 7]


def test_ruling_2_a_redeal_repeats_the_passing() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt(before=1))
    play_to_round(match, 2)
    scores = told(match, 0, "score")[-1][1:]
    choose(match, "pass 0R", "pass 7Y")
    for pair in zip(cards("7Y 1R 2R 3R 4R 5R 6R"), cards("0R 6Y 5Y 4Y 3Y 2Y 1Y"), strict=True):
        bid(match, " ".join(pair))
    assert fact(match, "deal") == 2
    assert fact(match, "round") == 2
    assert fact(match, "phase") == "passing"
    assert fact(match, "dealer") == 0
    assert [len(legal(match, seat)) for seat in (0, 1)] == [7, 7]
    assert seen(match, 0, "hand", 0) == cards(PIIKO_HANDS[0])
    assert ("received", 0) in {(zone.name, zone.owner) for zone in match.observe(0).zones}
    assert seen(match, 0, "received", 0) == seen(match, 0, "passed", 0) == ()
    # Now the seven belongs to seat 0, and pays it.
    assert fact(match, "scores") == (scores[0] + 4, scores[1] + 3)


def test_ruling_3_after_seven_deals_the_round_is_void() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt())
    for number in range(1, 8):
        assert (fact(match, "round"), fact(match, "deal")) == (1, number)
        seven_piikos(match)
    assert len(match.deals.shuffles) == 8
    assert fact(match, "round") == 2
    assert fact(match, "deal") == 1
    assert fact(match, "dealer") == 0
    assert fact(match, "scores") == (21, 28)
    assert told(match, 0, "void-round") == [(None,)]
    assert told(match, 0, "play", "trump", "score") == []


def test_ruling_3_a_void_seventh_round_ends_the_match() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt(before=6))
    play_to_round(match, 7)
    before = fact(match, "scores")
    for _ in range(7):
        assert match.result is None
        seven_piikos(match)
    assert match.to_act == ()
    assert match.result is not None
    assert match.result.scores == [before[0] + 21, before[1] + 28]  # type: ignore[index]
    assert match.result.reason == "played-out"


# Play ---------------------------------------------------------------------------------------------


def test_a_seat_must_match_the_colour_or_the_number_of_the_lead() -> None:
    match = start("7P 5G", "0R 5R 5B 1G 4G 7R 6Y", "")
    bid(match, "7P 0R 2R")
    play(match, "5G")
    assert legal(match, 1) == ["play 5R", "play 1G", "play 4G", "play 5B"]
    with pytest.raises(IllegalAction, match="colour or number"):
        match.apply(1, "play 6Y")


def test_a_trump_that_does_not_match_may_not_be_played_by_a_seat_that_can_match() -> None:
    match = start("7P 5G", "0R 1G 6P 5P 4P 0P 1P", "")
    bid(match, "7P 0R 2R")
    play(match, "5G")
    assert legal(match, 1) == ["play 1G", "play 5P"]


def test_a_seat_that_cannot_match_may_play_any_card() -> None:
    match = start("7P 5G", "0R 1R 2Y 3B 6P 0P 1P", "")
    bid(match, "7P 0R 2R")
    play(match, "5G")
    assert len(legal(match, 1)) == 7


def test_the_lead_to_be_matched_is_the_first_card_of_the_trick() -> None:
    match = start("7P 5G", "0R 5R", "2R 2Y 3G 3B 3P 3Y 6R")
    bid(match, "7P 0R 2R")
    play(match, "5G 5R")
    assert legal(match, 2) == ["play 3G"]


@pytest.mark.parametrize(
    ("trump", "plays", "winner"),
    [
        ("6R", "5G 6G 4G", 1),  # the highest of the colour led
        ("6R", "5G 5B 4G", 1),  # the number led: equal numbers by colour
        ("6R", "5G 5Y 4G", 0),
        ("6R", "5G 7B 7P", 0),  # higher cards that do not match
        ("6R", "5G 6G 5P", 1),  # the number counts before the colour
        ("6R", "5G 1R 7G", 1),  # a trump that does not match
        ("6R", "5G 1R 3R", 2),  # the highest trump
        ("6R", "5G 5R 1R", 1),  # a trump that matches
        ("6R", "5G 0R 5P 7G", 1),
        ("6R", "2R 7Y 7P 2P", 0),  # a trump led
    ],
)
def test_who_wins_a_trick(trump: str, plays: str, winner: int) -> None:
    match = trick(trump, *cards(plays))
    assert match.observe(0).facts["trump"] == "R"
    assert told(match, 0, "take-trick") == [(winner,)]
    assert match.to_act == (winner,)
    assert match.observe(0).facts["taken"] == tuple(
        int(seat == winner) for seat in range(len(cards(plays)))
    )


def test_seven_tricks_are_played_in_turn_order(seed: int) -> None:
    match = SEVENS.start(players=5, deals=SeededDeals(f"{seed}"))
    leader, count = None, 0
    for seat in decisions(match, Random(seed)):
        if fact(match, "phase") == "play":
            trick_so_far = len(seen(match, None, "trick"))
            if trick_so_far == 0:
                leader = fact(match, "leader")
            assert match.to_act == ((leader + trick_so_far) % 5,) == (seat,)  # type: ignore[operator]
            count += 1
    assert count == 7 * 7 * 5


# Scoring ------------------------------------------------------------------------------------------


def test_the_scores_of_a_round_follow_bids_and_tricks(seed: int) -> None:
    rng = Random(seed)
    met = set()
    for number in range(40):
        match = SEVENS.start(players=3 + number % 3, deals=SeededDeals(f"{seed}/{number}"))
        scores, bids, taken = [0] * match.players, (), [0] * match.players
        for _ in decisions(match, rng):
            pass
        for event in match.events(None):
            if event.verb == "round":
                bids, taken = (), [0] * match.players
            elif event.verb == "bid":
                bids = (*bids, int(str(event.arguments[0])[0]))
            elif event.verb == "take-trick":
                taken[event.actor or 0] += 1
            elif event.verb == "score":
                assert sum(taken) == 7
                for seat, (want, got) in enumerate(zip(bids, taken, strict=True)):
                    scores[seat] += 2 + want if want == got else -abs(want - got)
                    met.add((want > got) - (want < got))
                assert list(event.arguments) == scores
        assert match.result is not None
        assert match.result.scores == scores
        assert match.result.ranks == [1 + sum(o > mine for o in scores) for mine in scores]
    assert met == {-1, 0, 1}


def test_ruling_8_equal_scores_share_a_rank() -> None:
    tied = 0
    for number in range(60):
        match = SEVENS.start(players=4, deals=SeededDeals(f"tie {number}"))
        for _ in decisions(match, Random(number)):
            pass
        assert match.result is not None
        scores, ranks = match.result.scores, match.result.ranks
        if scores.count(max(scores)) == 2:
            assert sorted(ranks)[:3] == [1, 1, 3]
            tied += 1
    assert tied


# Examples -----------------------------------------------------------------------------------------


def test_example_charles_wins_the_bidding_and_leads() -> None:
    match = start(*EXAMPLE)
    choose(match, *EXAMPLE_BIDS)
    assert match.to_act == (2,)
    assert match.observe(0).facts["trump"] == "Y"


def test_example_arthur_wins_the_first_trick_with_a_trump_that_does_not_match() -> None:
    match = start(*EXAMPLE)
    choose(match, *EXAMPLE_BIDS)
    play(match, "7G 4G")
    assert len(legal(match, 0)) == 7
    play(match, "2Y 0G")
    assert told(match, 0, "take-trick") == [(0,)]


def test_example_dorothys_six_is_higher_than_the_six_led() -> None:
    match = start(*EXAMPLE)
    choose(match, *EXAMPLE_BIDS)
    play(match, "7G 4G 2Y 0G 6R")
    assert legal(match, 1) == ["play 1R"]
    play(match, "1R")
    assert len(legal(match, 2)) == 6
    play(match, "3G 6P")
    assert told(match, 0, "take-trick") == [(0,), (3,)]


def test_example_the_scores_of_the_round() -> None:
    match = start(*EXAMPLE)
    choose(match, *EXAMPLE_BIDS)
    play(match, "7G 4G 2Y 0G  6R 1R 3G 6P  5G 5P 1G 2B  6Y 1P 4Y 7P")
    play(match, "5B 1B 3B 2G  3R 0P 3Y 2P  4B 4P 5R 0B")
    takers = [seat for seat, *_ in told(match, 0, "take-trick")]
    assert [takers.count(seat) for seat in range(4)] == [4, 0, 1, 2]
    assert told(match, 0, "score") == [(None, -1, 2, -2, 4)]
    assert fact(match, "round") == 2


# Redealing what a seat cannot see -----------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 4])
def test_cards_that_the_viewer_passed_stay_with_the_neighbour(number: int) -> None:
    match = start("", "", "", "")
    play_to_round(match, number)
    choose(match, *[match.legal_actions(seat)[3] for seat in range(4)])
    twins = redealt(match, 1, 100)
    neighbour = (1 + STEP[number]) % 4
    for seat in (0, 2, 3):
        given = set(seen(match, 1, "passed", 1)) if seat == neighbour else set()
        assert always(twins, "hand", seat) == given


def test_a_pass_not_yet_made_binds_nothing() -> None:
    match = start("", "", "", "")
    play_to_round(match, 4)
    for seat in (1, 2):
        match.apply(seat, match.legal_actions(seat)[0])
    twins = redealt(match, 1, 200)
    hidden = set(DECK) - set(seen(match, 1, "hand", 1))
    for seat in (0, 2, 3):
        assert possible(twins, "hand", seat) == hidden
    kept = {twin.observe(None).facts["chosen"] for twin in twins}
    assert len(kept) > 100
    for twin in twins:
        own, other = twin.observe(None).facts["chosen"][1:3]  # type: ignore[index]
        assert own == match.observe(1).facts["chosen"]
        assert set(cards(other)[1:]) <= set(seen(twin, None, "hand", 2))


def test_after_seven_piikos_of_a_deal_nothing_is_known_of_the_next() -> None:
    match = SEVENS.start(players=2, deals=seven_times_dealt())
    seven_piikos(match)
    assert possible(redealt(match, 0, 200), "hand", 1) == set(DECK) - set(cards(PIIKO_HANDS[0]))


@pytest.mark.parametrize("number", range(3))
def test_every_consistent_deal_comes_up_and_no_other(number: int, seed: int) -> None:
    rng = Random(f"{seed} {number}")
    match = SEVENS.start(players=5, options={"piiko": True}, deals=SeededDeals(f"{seed} {number}"))
    checked = 0
    for viewer in decisions(match, rng):
        # Late in a deal, when the viewer plays its last card and two others wait.
        if len(seen(match, None, "hand", viewer)) > 1 or len(seen(match, None, "trick")) != 2:
            continue
        others = [seat for seat in range(5) if seat != viewer]
        deals = consistent_deals(match, viewer)
        found = {
            tuple(seen(twin, None, "hand", seat) for seat in others)
            for twin in redealt(match, viewer, 25 * len(deals))
        }
        assert found == deals
        checked += 1
    assert checked == 7


# In every match -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_match_without_piiko_has_61_decisions_a_seat(players: int, seed: int) -> None:
    for number in range(5):
        match = SEVENS.start(players=players, deals=SeededDeals(f"{seed}/{number}"))
        count = 0
        for _ in decisions(match, Random(f"{seed}/{number}")):
            count += 1
        assert count == 61 * players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_repeated_bidding_adds_a_decision_for_each_seat(players: int, seed: int) -> None:
    for number in range(10):
        match = SEVENS.start(
            players=players, options={"piiko": True}, deals=SeededDeals(f"{seed}/{number}")
        )
        count = sum(1 for _ in decisions(match, Random(f"{seed}/{number}")))
        assert count == players * (61 + len(told(match, None, "piiko")))


def test_the_ladder_format() -> None:
    match = SEVENS.start()
    assert (match.players, match.options) == (4, {"piiko": False})
