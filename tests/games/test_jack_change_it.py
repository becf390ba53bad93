"""Jack Change It: each ruling and each published example, and the invariants of every match."""

from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import always, possible, redealt, unseen
from tests.support.game_tables import (
    ANY,
    cards,
    choose,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

JACK = load("jack-change-it")
HEARTS = "3H 4H 6H 7H TH 9H"  # played in this order by a seat that runs out of cards
LONG_MATCH = 786  # by random play from this number two seats reach the limit of turns


def start(*texts: str, upcard: str = "9H", stock: str = "", **options: bool | int) -> Match:
    """A match of one deal in which seat 0 has the first turn, and the hands begin like this."""
    dealt = [*hands(*texts, each=7), upcard, *cards(stock)]
    shuffles = [stack(DECK, dealt)]
    return JACK.start(
        players=len(texts), options={"deals": 1, **options}, deals=StackedDeals(shuffles)
    )


def down_to(
    left: str, *, players: int = 2, drawn: str = "3C 4C 6C 7C TC 9C", **options: bool
) -> Match:
    """Seat 0 plays hearts, 9H last, until it holds these cards; the others draw, each its part of
    each card's turn. It is the turn of seat 0."""
    hearts = cards(HEARTS)[len(cards(left)) - 1 :]
    upcard = next(card for card in cards("KH QH 5H") if card not in cards(left))
    idle = ["KC KD KS QC QD QS AC", "AD AS 8C 8D 8S 5C 5D"][: players - 1]
    match = start(
        f"{' '.join(hearts)} {left}",
        *idle,
        upcard=upcard,
        stock=" ".join(cards(drawn)[-len(hearts) * (players - 1) :]),
        **options,
    )
    for heart in hearts:
        choose(match, f"play {heart}", *["draw"] * (players - 1))
    return match


def fact(match: Match, name: str) -> object:
    return match.observe(0).facts[name]


def points_told(match: Match) -> list[object]:
    return list(told(match, None, "score")[-1][1:])


# Setup and dealing --------------------------------------------------------------------------------


def test_seven_cards_go_to_each_seat_and_the_next_one_is_the_upcard() -> None:
    order = stack(DECK, cards("2C 3D 4C 5D 6C 7D 8C 9D TC JD QC KD AC AS 7H 9H"))
    match = JACK.start(players=2, deals=StackedDeals([order]))
    assert seen(match, 0, "hand", 0) == cards("AC 2C 4C 6C 8C TC QC")
    assert seen(match, 1, "hand", 1) == cards("3D 5D 7D 9D JD KD AS")
    assert seen(match, 0, "discards") == cards("7H")
    assert seen(match, None, "stock")[0] == "9H"
    assert match.observe(0).zone("stock").hidden == 37
    assert match.to_act == (0,)


def test_the_deal_passes_to_the_left_and_the_seat_after_the_dealer_begins(seed: int) -> None:
    match = JACK.start(players=3, options={"deals": 4}, deals=SeededDeals(f"{seed}"))
    turns = ((fact(match, "turns"), seat) for seat in decisions(match, Random(seed)))
    begun = [(fact(match, "dealer"), seat) for number, seat in turns if number == 0]
    assert begun == [(2, 0), (0, 1), (1, 2), (2, 0)]


def test_each_deal_has_its_own_chance_and_renewals_belong_to_it(seed: int) -> None:
    match = JACK.start(players=2, options={"deals": 6}, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    deals = SeededDeals(f"{seed}")
    for order in match.deals.shuffles:
        if len(order) == len(DECK):
            deals.begin_deal()
        assert list(deals.shuffle(sorted(order, key=DECK.index))) == order
    assert match.deals.picks == []


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_a_card_follows_suit_or_rank() -> None:
    match = start("9C 3H KD 4S 5C 6D TS", "AC", upcard="9H")
    assert legal(match, 0) == ["play 9C", "play 3H"]


def test_ruling_2_a_seat_that_can_play_cannot_draw() -> None:
    match = start("3H KC KD KS 4C 4D 4S", "5H 6C 6D 6S 7C 7D 7S")
    with pytest.raises(IllegalAction, match="draws only if it can play nothing"):
        match.apply(0, "draw")
    choose(match, "play 3H", "play 5H")
    assert legal(match, 0) == ["draw"]


def test_ruling_2_cards_that_are_due_may_be_drawn_by_a_seat_that_could_answer() -> None:
    match = start("2H KC KD KS 4C 4D 4S", "2C 6C 6D 6S 7C 7D 7S")
    choose(match, "play 2H")
    assert legal(match, 1) == ["draw", "play 2C"]
    choose(match, "draw")
    assert len(seen(match, 1, "hand", 1)) == 9


def test_ruling_3_a_drawn_card_is_not_played_in_the_same_turn() -> None:
    match = start("KC KD KS 4C 4D 4S 5C", "2C 6C 6D 6S 7C 7D 7S", stock="3H")
    choose(match, "draw")
    assert match.to_act == (1,)
    assert told(match, 0, "drawn") == [(0, "3H")]
    choose(match, "draw")
    assert legal(match, 0) == ["play 3H"]


def test_ruling_3_drawing_the_cards_due_is_a_whole_turn() -> None:
    match = start("2H KC KD KS 4C 4D 4S", "3H 6C 6D 6S 7C 7D 7S")
    choose(match, "play 2H", "draw")
    assert match.to_act == (0,)
    assert (fact(match, "due"), fact(match, "due_to"), fact(match, "suit")) == (0, "", "H")


def test_ruling_4_a_jack_follows_suit_or_rank_and_names_another_suit() -> None:
    match = start("JH JC 3C KD 4S 5C 6D", "AC", upcard="9H")
    assert legal(match, 0) == ["play JH C", "play JH D", "play JH S"]


def test_ruling_5_the_named_suit_or_another_jack_goes_on_a_jack() -> None:
    match = start("JH KC KD KS 4C 4D 4S", "3C 5H JD 6D 7S 8S 9S")
    choose(match, "play JH C")
    assert fact(match, "suit") == "C"
    assert legal(match, 1) == ["play 3C", "play JD C", "play JD H", "play JD S"]


def test_ruling_5_the_named_suit_stays_while_seats_draw() -> None:
    match = start("JH KC KD KS 4C 4D 4S", "3H 5H 6D 6H 7S 8S 9S", stock="3S")
    choose(match, "play JH C", "draw")
    assert legal(match, 0) == ["play 4C", "play KC"]


@pytest.mark.parametrize("upcard", ["2H", "8H", "AH", "QH"])
def test_ruling_6_a_trick_card_turned_up_first_has_no_effect(upcard: str) -> None:
    match = start("3H KC KD KS 4C 4D 4S", "5C", "6C", upcard=upcard)
    assert match.to_act == (0,)
    assert (fact(match, "due"), fact(match, "direction")) == (0, "left")
    assert legal(match, 0) == ["play 3H"]


def test_ruling_6_a_jack_turned_up_first_is_followed_by_its_suit_or_a_jack() -> None:
    match = start("3H JD KC KD 4C 4D 4S", "5C", upcard="JH")
    assert legal(match, 0) == ["play JD C", "play JD H", "play JD S", "play 3H"]


def test_ruling_7_the_ace_of_hearts_makes_five_cards_due_and_no_two_answers_it() -> None:
    match = start("AH KC KD KS 4C 4D 4S", "2C 2H 5H 6C 6D 7C 7D")
    choose(match, "play AH")
    assert (fact(match, "due"), fact(match, "due_to")) == (5, "A")
    assert legal(match, 1) == ["draw", "play 5H"]
    choose(match, "draw")
    assert len(seen(match, 1, "hand", 1)) == 12


def test_ruling_7_the_five_of_hearts_ends_what_the_ace_made_due() -> None:
    match = start("AH KC KD KS 4C 4D 4S", "2C 2H 5H 6C 6D 7C 7D")
    choose(match, "play AH", "play 5H")
    assert (fact(match, "due"), fact(match, "phase"), fact(match, "suit")) == (0, "play", "H")


def test_ruling_7_the_five_of_hearts_does_not_answer_a_two() -> None:
    match = start("2H KC KD KS 4C 4D 4S", "AH 5H 6C 6D 7C 7D 8C")
    choose(match, "play 2H")
    assert legal(match, 1) == ["draw"]


def test_ruling_7_without_the_option_nothing_answers_the_ace() -> None:
    match = start("AH KC KD KS 4C 4D 4S", "2C 2H 5H 6C 6D 7C 7D", block=False)
    choose(match, "play AH")
    assert legal(match, 1) == ["draw"]


def test_ruling_7_twos_of_hearts_after_the_ace_make_seven_cards_due() -> None:
    match = start("AH 2H KC KD KS 4C 4D", "2C 3C 6C 6D 7C 7D 7S")
    choose(match, "play AH 2H")
    assert (fact(match, "due"), seen(match, 0, "discards")) == (7, cards("9H AH 2H"))
    assert legal(match, 1) == ["draw"]
    choose(match, "draw")
    assert told(match, 0, "take-due") == [(1, 7)]


@pytest.mark.parametrize("card", ["2H", "8H", "AH", "JH"])
def test_ruling_8_no_trick_card_is_a_hands_last_card(card: str) -> None:
    assert legal(down_to(card), 0) == ["draw"]


def test_ruling_8_a_queen_goes_out_only_if_two_play() -> None:
    assert legal(down_to("QH"), 0) == ["play QH"]
    drawn = "3C 3D 4C 4D 6C 6D 7C 7D TC TD 9C 9D"
    assert legal(down_to("QH", players=3, drawn=drawn), 0) == ["draw"]


def test_ruling_8_the_five_of_hearts_goes_out_as_an_answer_too() -> None:
    match = down_to_due_ace()
    assert legal(match, 0) == ["draw", "play 5H"]
    choose(match, "play 5H")
    assert match.result is not None
    assert points_told(match)[0] == 0


def down_to_due_ace() -> Match:
    """Seat 0 holds 5H alone, and seat 1 has just played the ace of hearts, drawn a turn before."""
    hearts = cards(HEARTS)
    match = start(f"{HEARTS} 5H", "KC KD KS QC QD QS AC", upcard="KH", stock="3C 4C 6C 7C AH")
    for heart in hearts[:-1]:
        choose(match, f"play {heart}", "draw")
    choose(match, "play 9H", "play AH")
    return match


def test_ruling_8_a_two_as_the_last_card_does_not_answer_a_two() -> None:
    hearts = cards(HEARTS)
    match = start(f"{HEARTS} 2C", "KC KD KS QC QD QS AC", upcard="KH", stock="3C 4C 6C 7C 2H")
    for heart in hearts[:-1]:
        choose(match, f"play {heart}", "draw")
    choose(match, "play 9H", "play 2H")
    assert legal(match, 0) == ["draw"]


def test_ruling_8_the_two_of_hearts_goes_along_only_if_a_card_stays() -> None:
    assert legal(down_to("AH 2H"), 0) == ["play AH", "play 2H"]
    assert legal(down_to("AH 2H 8S"), 0) == ["play AH", "play AH 2H", "play 2H"]


def six_seats(twos: tuple[str, str, str] = ("", "", "")) -> Match:
    """Seat 0 plays AH 2H, and seat 1 draws seven of the nine cards of the stock. None of seats 2 to
    5 has a heart or a two, but perhaps seats 4, 5 and 0 these."""
    plain = iter([c for c in DECK if c[1] != "H" and c[0] != "2"])
    sizes = (5, 0, 7, 7, 7, 7)
    held = [[next(plain) for _ in range(size)] for size in sizes]
    for seat, two in zip((4, 5, 0), twos, strict=True):
        held[seat][-1:] = [two] if two else held[seat][-1:]
    texts = [" ".join(hand) for hand in held]
    texts[0] += " AH 2H"
    named = {card for text in texts for card in cards(text)} | {"5H"}
    rest = [card for card in DECK if card not in named]
    texts[1] = " ".join(rest[:7])
    first = stack(DECK, [*hands(*texts, each=7), "5H"])
    pile = cards("5H AH") if not any(twos) else cards("5H AH 2H 2C 2D")
    second = [card for card in DECK if card in pile]
    deals = StackedDeals([first, second])
    match = JACK.start(players=6, options={"deals": 1}, deals=deals)
    choose(match, "play AH 2H", "draw", "draw", "draw")
    assert match.observe(0).zone("stock").hidden == 0
    return match


def test_ruling_9_play_goes_on_without_drawing_if_nothing_is_left() -> None:
    match = six_seats()
    choose(match, "draw", "draw")  # the two cards below the upcard
    assert told(match, 0, "renew") == [(None, "AH", "5H")]
    before = seen(match, 0, "hand", 0)
    choose(match, "draw")
    assert seen(match, 0, "hand", 0) == before
    assert told(match, 3, "nothing-left") == [(None,)]
    assert match.to_act == (1,)


def test_ruling_9_the_rest_of_the_cards_due_is_dropped_if_nothing_is_left() -> None:
    match = six_seats(("2C", "2D", "2S"))
    choose(match, "play 2C", "play 2D", "play 2S")
    assert fact(match, "due") == 6
    choose(match, "draw")
    assert told(match, 0, "take-due")[-1] == (1, 5)
    assert seen(match, 0, "discards") == ("2S",)
    assert (fact(match, "due"), match.to_act) == (0, (2,))


def test_ruling_10_a_deal_ends_without_a_winner_after_400_turns() -> None:
    match = JACK.start(players=2, options={"deals": 1}, deals=SeededDeals(f"long {LONG_MATCH}"))
    assert len([*decisions(match, Random(LONG_MATCH))]) == 400
    assert told(match, 0, "no-winner") == [(None,)]
    assert told(match, 0, "go-out") == []
    assert min(points_told(match)) > 0  # type: ignore[type-var]


def test_ruling_11_cards_left_in_hand_are_penalty_points() -> None:
    values = {"A": 1, "T": 10, "Q": 10, "K": 10, "J": 20} | {str(n): n for n in range(2, 10)}
    match = down_to("KH")
    choose(match, "play KH")
    for seat, *left in told(match, None, "show"):
        assert points_told(match)[int(str(seat))] == sum(values[str(card)[0]] for card in left)
    assert match.result is not None
    assert match.result.scores == [-points for points in points_told(match)]  # type: ignore[operator]


def test_ruling_11_the_points_of_all_deals_add_up_and_fewer_are_better(seed: int) -> None:
    match = JACK.start(deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    scores = told(match, None, "score")
    assert len(scores) == 12
    totals = [sum(deal) for deal in zip(*[deal[1:] for deal in scores], strict=True)]  # type: ignore[arg-type]
    assert match.result is not None
    assert match.result.scores == [-total for total in totals]
    assert match.observe(0).facts["points"] == tuple(totals)
    for total, rank in zip(totals, match.result.ranks, strict=True):
        assert rank == 1 + sum(other < total for other in totals)


def test_ruling_12_the_numbers_of_cards_are_public(seed: int) -> None:
    match = JACK.start(deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        for seat in range(4):
            size = len(seen(match, None, "hand", seat))
            assert match.observe(1).zone("hand", seat).hidden == (0 if seat == 1 else size)
        if fact(match, "deal") == 2:
            break


# Examples -----------------------------------------------------------------------------------------


def test_example_1_suit_rank_and_the_suit_that_a_jack_names() -> None:
    match = start("3C 9D JC QS 2S 8D KH", "7C 4H 2D TS 5H AD JH", upcard="3D")
    assert legal(match, 0) == ["play 3C", "play 8D", "play 9D"]
    choose(match, "play 3C", "play 7C")
    assert legal(match, 0) == ["play JC D", "play JC H", "play JC S"]
    choose(match, "play JC H")
    assert legal(match, 1) == ["play 4H", "play 5H", "play JH C", "play JH D", "play JH S"]


def test_example_2_a_two_answered_by_a_two_makes_four_cards_due() -> None:
    match = start("2S 3D 3C KC 2C 5C 6C", "2D 7C 7D 7S 8C 8D 8S", "KH KD AC", upcard="9S")
    choose(match, "play 2S", "play 2D")
    assert fact(match, "due") == 4
    choose(match, "draw")
    assert told(match, 0, "take-due") == [(2, 4)]
    assert legal(match, 0) == ["play 2C", "play 3D"]


def test_example_3_eights_skip_and_queens_reverse() -> None:
    two = start("8H QC QD KS 4C 4D 4S", "8D")
    choose(two, "play 8H")
    assert two.to_act == (0,)
    three = start("8H QC QD KS 4C 4D 4S", "3H", "QH 5C 5D 6C 6D 7C 7D")
    choose(three, "play 8H")
    assert three.to_act == (2,)
    choose(three, "play QH")
    assert (three.to_act, fact(three, "direction")) == ((1,), "right")
    choose(three, "play 3H")
    assert three.to_act == (0,)


def test_example_3_a_queen_of_two_players_is_plain() -> None:
    match = start("QH KC KD KS 4C 4D 4S", "3H")
    choose(match, "play QH")
    assert (match.to_act, fact(match, "direction")) == ((1,), "left")


@pytest.mark.parametrize(("block", "answers"), [(True, ["draw", "play 5H"]), (False, ["draw"])])
def test_example_4_the_ace_with_the_two_of_hearts(block: bool, answers: list[str]) -> None:
    match = start("AH 2H KH 3C 4D 5D 6S", "2D 5H 4C 8C TC TD TS", block=block)
    assert legal(match, 0) == ["play AH", "play AH 2H", "play 2H", "play KH"]
    choose(match, "play AH 2H")
    assert legal(match, 1) == answers


def test_example_5_a_plain_king_goes_out() -> None:
    match = down_to("KH")
    assert legal(match, 0) == ["play KH"]
    choose(match, "play KH")
    assert match.result is not None
    assert told(match, 1, "go-out") == [(0,)]


def test_example_7_drawing_goes_on_with_the_stock_that_was_shuffled(seed: int) -> None:
    rng = Random(seed)
    straddled = 0
    for number in range(1000):
        match = JACK.start(players=4, options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        for seat in decisions(match, rng):
            before = match.clone()
            if before.observe(None).facts["due"] and 0 < len(seen(before, None, "stock")) < 2:
                match.apply(seat, "draw")
                break
        else:
            continue
        order = match.deals.shuffles[-1]
        last, upcard = seen(before, None, "stock"), seen(before, None, "discards")[-1]
        due = before.observe(None).facts["due"]
        drawn = told(match, None, "drawn")[-1][1:]
        assert list(drawn) == [*last, *order[: int(str(due)) - 1]]
        assert seen(match, None, "discards") == (upcard,)
        straddled += 1
        if straddled == 3:
            return
    raise AssertionError("Cards due have never straddled a renewal.")


# The view of a seat -------------------------------------------------------------------------------


def test_hands_and_drawn_cards_are_private() -> None:
    match = start("KC KD KS 4C 4D 4S 5C", "2C 6C 6D 6S 7C 7D 7S", stock="3H")
    choose(match, "draw")
    assert told(match, 1, "drawn") == []
    assert [owner for owner, *_ in told(match, 1, "hand")] == [1]
    assert seen(match, 1, "hand", 0) == seen(match, 1, "stock") == ()


def test_all_hands_are_shown_when_the_deal_is_over() -> None:
    match = down_to("KH")
    choose(match, "play KH")
    for viewer in (0, 1):
        assert seen(match, viewer, "hand", 1) == seen(match, None, "hand", 1) != ()
        assert [seat for seat, *_ in told(match, viewer, "show")] == [0, 1]


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_a_seat_that_drew_had_no_card_that_fits() -> None:
    match = start("KC KD KS 4C 4D 4S 5C", "3H 6C 6D 6S 7C 7D 7S")
    choose(match, "draw")
    twins = redealt(match, 1)
    fits = {card for card in unseen(match, 1) if "H" in card or card[0] == "9"}
    for twin in twins:
        assert len(fits & set(seen(twin, None, "hand", 0))) <= 1  # the card drawn
    assert possible(twins, "hand", 0) == unseen(match, 1)


def test_a_card_played_later_may_be_the_one_drawn_or_an_older_one() -> None:
    match = start("KC KD KS 4C 4S 5C 6S", "9D 6C 6D 7S 7C 7D 8S", stock="5D")
    choose(match, "draw", "play 9D", "play 5D")
    twins = redealt(match, 1)
    fits = {card for card in unseen(match, 1) if "H" in card or card[0] == "9"}
    assert possible(twins, "hand", 0) == unseen(match, 1)
    assert all(len(fits & set(seen(twin, None, "hand", 0))) <= 1 for twin in twins)


def test_a_card_that_would_have_fitted_was_the_one_drawn() -> None:
    match = start("KC KD KS 4C 4S 5C 6S", "5H 6C 6D 7S 7C 7D 8S", stock="3H")
    choose(match, "draw", "play 5H", "play 3H")
    fits = {card for card in unseen(match, 1) if "H" in card or card[0] == "9"}
    assert possible(redealt(match, 1), "hand", 0) == unseen(match, 1) - fits


def test_cards_of_an_older_stock_are_in_hands(seed: int) -> None:
    rng = Random(seed)
    for number in range(200):
        match = JACK.start(players=3, options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng):
            if match.observe(0).facts["renewals"] == 1 and len(seen(match, None, "stock")) > 3:
                renewed = set(seen(match, 0, "renewed"))
                older = unseen(match, 0) - renewed
                twins = redealt(match, 0, times=60)
                assert possible(twins, "stock") <= renewed
                for seat in (1, 2):
                    held = set(seen(match, None, "hand", seat))
                    assert {len(older & {*seen(t, None, "hand", seat)}) for t in twins} == {
                        len(older & held)
                    }
                return
    raise AssertionError("No stock was renewed.")


def test_a_seat_with_a_trick_card_alone_had_to_draw_and_may_hold_it() -> None:
    match = down_to("2H")
    choose(match, "draw")
    twins = redealt(match, 1)
    assert possible(twins, "hand", 0) > set(cards("2H 8H AH JH"))
    known = {card for card in unseen(match, 1) if card[1] == "H" and card[0] not in "28AJ"}
    for twin in twins:
        assert len(known & set(seen(twin, None, "hand", 0))) <= 1  # the card just drawn


def test_at_the_end_nothing_is_redealt() -> None:
    match = down_to("KH")
    choose(match, "play KH")
    twins = redealt(match, 0, times=3)
    assert always(twins, "hand", 1) == set(seen(match, None, "hand", 1))


# In every match -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_turn_is_one_decision_and_a_deal_has_one_winner_or_400_turns(
    players: int, seed: int
) -> None:
    match = JACK.start(players=players, deals=SeededDeals(f"{seed}"))
    count = len([*decisions(match, Random(seed))])
    ends = told(match, None, "go-out", "no-winner")
    assert len(ends) == 12
    assert count <= 12 * 400
    winners = [seat for seat, *_ in told(match, None, "go-out")]
    for seat, (_, *points) in zip(winners, told(match, None, "score"), strict=False):
        if len(winners) == 12:
            assert points[int(str(seat))] == 0


def test_the_format_of_ladders_is_twelve_deals_for_four() -> None:
    match = JACK.start()
    assert (match.players, match.options) == (4, {"deals": 12, "block": True})
    assert ANY not in match.deals.shuffles[0]
