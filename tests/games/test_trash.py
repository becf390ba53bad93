"""Trash: each ruling and each example, and the invariants of every match."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import possible_at, redealt
from tests.support.game_tables import (
    ANY,
    cards,
    check_one_shuffle_a_deal,
    choose,
    decisions,
    legal,
    seen,
    stack,
    told,
)

TRASH = load("trash")

NUMBER = {rank: spot for spot, rank in enumerate("A23456789T", start=1)}


def decks(players: int) -> list[str]:
    """Returns the cards in canonical order, the copies of a card side by side."""
    return [card for card in DECK for _ in range((players + 1) // 2)]


def layouts(*by_seat: str, first: int = 0) -> list[str]:
    """Returns these layouts as they are dealt: one card at a time, from the seat `first`, without
    the seats that already have their number."""
    in_turn = [cards(layout) for layout in (*by_seat[first:], *by_seat[:first])]
    most = max(map(len, in_turn))
    return [layout[spot] for spot in range(most) for layout in in_turn if spot < len(layout)]


def deal(*by_seat: str, stock: str = "", first: int = 0) -> list[str]:
    """Returns a shuffle that deals these layouts and has these cards on top of the stock."""
    return stack(decks(len(by_seat)), layouts(*by_seat, first=first), cards(stock))


def start(players: int, spots: int, *shuffles: Sequence[str]) -> Match:
    return TRASH.start(players=players, options={"start": spots}, deals=StackedDeals(shuffles))


def position(*by_seat: str, stock: str = "", later: Sequence[list[str]] = ()) -> Match:
    """The first turn of a match with these layouts and this stock."""
    spots = len(cards(by_seat[0]))
    return start(len(by_seat), spots, deal(*by_seat, stock=stock), *later)


def draw(match: Match, count: int) -> None:
    choose(match, *["draw"] * count)


def layout(match: Match, seat: int, viewer: int | None = 0) -> str:
    """Returns a seat's layout as it is shown, spot by spot."""
    shown = match.observe(viewer).facts["layouts"]
    assert isinstance(shown, tuple)
    return str(shown[seat])


def phase(match: Match) -> object:
    return match.observe(None).facts["phase"]


def won(match: Match) -> object:
    return match.observe(None).facts["won"]


def won_at_once(*sizes: int, winner: int, first: int = 0) -> list[str]:
    """A deal that the winner wins in its first turn: it draws an ace, under which lies a two, under
    which lies a three… The seats before it draw queens."""
    row = [*[f"{rank}D" for rank in "23456789T"[: sizes[winner] - 1]], "KD"]
    by_seat = [" ".join(row if s == winner else [ANY] * size) for s, size in enumerate(sizes)]
    queens = cards("QC QD QH QS")[: (winner - first) % len(sizes)]
    return deal(*by_seat, stock=" ".join([*queens, "AD"]), first=first)


# A deal of three seats and three spots that nobody wins, as nobody takes or replaces what it need
# not. Each seat lacks one number, and only the seat after it draws that number; the next covers it.
LACKED = "A23"  # by place in the turn order of the deal
JACKS = (("place 2", "place 3"), ("place 1", "place 3"), ("place 2",))  # where each seat puts its


def stalemate(first: int = 0) -> list[str]:
    """Returns a first shuffle that leads to the stalemate; all jacks then lie in the layouts."""
    in_turn = ["JC JD KC", "JH JS KD", "JC KH JD"]
    by_seat = [in_turn[(seat - first) % 3] for seat in range(3)]
    top = [*layouts(*by_seat, first=first), *cards("JH JS AC")]
    rest = list((Counter(decks(3)) - Counter(top)).elements())
    return [*top, *harmless(rest, 0)]


def harmless(stock: Sequence[str], place: int) -> list[str]:
    """Returns an order that helps nobody if the seat with this place in the turn order
    draws first."""
    lacked = {rank: [card for card in stock if card[0] == rank] for rank in LACKED}
    others = [card for card in stock if card[0] not in LACKED]
    seat_before = [LACKED[(place + turn - 1) % 3] for turn in range(len(stock))]
    return [(lacked[rank] or others).pop() for rank in seat_before]


def renewed(first_shuffle: list[str]) -> list[list[str]]:
    """Returns the five renewals of a stalemate."""
    discards = [*cards("KC KD KH"), *first_shuffle[12:]]
    shuffles = []
    for renewal in range(5):
        stock = sorted(discards[:-1], key=DECK.index)
        draws = len(first_shuffle) - 12 + renewal * len(stock)
        shuffles.append(harmless(stock, draws % 3))
        discards = [discards[-1], *shuffles[-1]]
    return shuffles


def with_last(shuffle: list[str], card: str) -> list[str]:
    """Returns the same shuffle with this card and the last one swapped."""
    swap = {shuffle.index(card): shuffle[-1], len(shuffle) - 1: card}
    return [swap.get(at, other) for at, other in enumerate(shuffle)]


def play_stalemate(match: Match) -> None:
    """Plays until a turn starts and the stock is used up, or until the deal is over."""
    number, dealer = match.observe(None).facts["deal"], match.observe(None).facts["dealer"]
    while match.to_act and match.observe(None).facts["deal"] == number:
        if phase(match) == "turn" and not seen(match, None, "stock"):
            return
        [seat] = match.to_act
        wanted = ("draw", "discard", *JACKS[(seat - dealer - 1) % 3])  # type: ignore[operator]
        choose(match, next(text for text in wanted if text in legal(match, seat)))


# Setup and dealing --------------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_to_the_spots_from_the_first_on() -> None:
    match = start(2, 3, stack(DECK, cards("KC KD QC QD TC TD 9H 9S")))
    assert seen(match, None, "layout", 0) == cards("KC QC TC")
    assert seen(match, None, "layout", 1) == cards("KD QD TD")
    assert seen(match, None, "stock")[:2] == cards("9H 9S")
    assert seen(match, None, "discards") == ()
    assert match.observe(0).facts["dealer"] == 1
    assert match.to_act == (0,)


def test_the_deal_passes_to_the_next_seat_and_the_next_deal_follows_at_once() -> None:
    second = won_at_once(3, 3, 2, winner=2, first=1)
    match = start(3, 3, won_at_once(3, 3, 3, winner=2), second)
    draw(match, 3)
    assert len(match.deals.shuffles) == 2
    assert (match.observe(0).facts["deal"], match.observe(0).facts["dealer"]) == (2, 0)
    assert match.to_act == (1,)
    assert phase(match) == "turn"


def test_a_new_deal_starts_with_no_discards_and_all_cards_face_down() -> None:
    match = start(2, 2, won_at_once(2, 2, winner=1), deal("KC KH", "KD", first=1))
    draw(match, 2)
    view = match.observe(0)
    assert view.facts["layouts"] == ("? ?", "?")
    assert view.zone("discards").cards == view.zone("held").cards == ()
    assert view.facts["renewals"] == 0
    assert view.zone("stock").hidden == 52 - 3


def test_each_deal_has_its_own_chance(seed: int) -> None:
    match = check_one_shuffle_a_deal(TRASH, DECK, seed, options={"start": 3})
    assert len(match.deals.shuffles) == match.observe(None).facts["deal"]


# Flow ---------------------------------------------------------------------------------------------


def test_a_queen_or_a_king_ends_the_turn() -> None:
    match = position("AC 2C 3C", "AD 2D 3D", stock="QH KH")
    draw(match, 1)
    assert seen(match, 0, "discards") == ("QH",)
    assert match.to_act == (1,)
    draw(match, 1)
    assert seen(match, 0, "discards") == cards("QH KH")
    assert layout(match, 0) == layout(match, 1) == "? ? ?"


def test_a_natural_whose_spot_holds_a_natural_is_discarded() -> None:
    match = position("KC KD KH", "QC QD QH", stock="2C QS 2D")
    draw(match, 3)
    assert layout(match, 0) == "? 2C ?"
    assert seen(match, 0, "discards") == cards("KD QS 2D")
    assert match.to_act == (1,)


def test_a_jack_turned_up_is_placed_by_the_seats_choice() -> None:
    match = position("JC KC KD", "QC QD QH", stock="AC")
    draw(match, 1)
    assert match.to_act == (0,)
    assert seen(match, 1, "held") == ("JC",)
    assert legal(match, 0) == ["place 2", "place 3"]
    choose(match, "place 3")
    assert layout(match, 0) == "AC ? JC"
    assert seen(match, 0, "discards") == ("KD",)


def test_spots_are_written_in_decimal() -> None:
    match = position("-- " * 10, "-- " * 10, stock="JC")
    draw(match, 1)
    assert legal(match, 0) == [f"place {spot}" for spot in range(1, 11)]
    choose(match, "place 10")
    assert layout(match, 0).endswith("? JC")


def test_the_discard_taken_is_placed_and_what_it_turns_up_is_played() -> None:
    match = position("KC 3C KD", "2S QD QH", stock="QS AC 2D")
    draw(match, 2)  # the ace turns up the 2S, which goes to spot 2 and turns up QD
    assert layout(match, 1) == "AC 2S ?"
    draw(match, 1)  # the 2D turns up the 3C, which turns up KD
    assert layout(match, 0) == "? 2D 3C"
    assert seen(match, 0, "discards") == cards("QS QD KD")


# Rulings ------------------------------------------------------------------------------------------


def after_discard(card: str, jack_on: int = 0) -> Match:
    """Seat 0 is to play on this discard; on one of its spots it may have a jack."""
    number = NUMBER[card[0]]
    same = [f"{card[0]}{suit}" for suit in "CDHS" if f"{card[0]}{suit}" != card]
    first = "JC" if jack_on else "QH"
    match = position("KC QC KD QD KH", "KS QS TC TD TH", stock=f"{first} {same[0]} TS {card}")
    draw(match, 1)
    if jack_on:
        choose(match, f"place {jack_on}")
    draw(match, 3)
    assert seen(match, 0, "discards")[-1] == card
    assert layout(match, 1).split()[number - 1] == same[0]
    return match


def test_ruling_1_a_discard_that_fits_a_spot_face_down_must_be_taken() -> None:
    match = after_discard("3H")
    assert legal(match, 0) == ["take"]
    with pytest.raises(IllegalAction, match="must take the top discard"):
        match.apply(0, "draw")
    stock = len(seen(match, None, "stock"))
    choose(match, "take")
    assert layout(match, 0) == "? ? 3H ? ?"
    assert "3H" not in seen(match, 0, "discards")
    assert len(seen(match, None, "stock")) == stock


def test_ruling_2_a_discard_whose_spot_holds_a_jack_may_be_taken() -> None:
    match = after_discard("3H", jack_on=3)
    assert legal(match, 0) == ["draw", "take"]
    choose(match, "take")  # and is placed without asking
    assert layout(match, 0) == "? ? 3H ? ?"
    assert seen(match, 0, "held") == ("JC",)
    assert legal(match, 0) == ["place 1", "place 2", "place 4", "place 5"]


def test_ruling_2_a_discard_without_such_a_spot_cannot_be_taken() -> None:
    match = after_discard("3H", jack_on=2)
    assert legal(match, 0) == ["take"]
    choose(match, "take")
    match = position("KC QC", "KD QD", stock="AC KS AH")  # the natural is there already
    draw(match, 3)
    assert seen(match, 0, "discards")[-1] == "AH"
    choose(match, "take")
    assert legal(match, 0) == ["draw"]


def test_ruling_3_a_natural_drawn_may_replace_a_jack_or_be_discarded() -> None:
    match = position("KC QC KD", "KS QS TC", stock="JC TD 2H")
    choose(match, "draw", "place 2", "draw", "draw")
    assert seen(match, 1, "held") == ("2H",)
    assert legal(match, 0) == ["place 2", "discard"]
    declining = match.clone()
    choose(declining, "discard")
    assert layout(declining, 0) == "? JC ?"
    assert seen(declining, 0, "discards")[-1] == "2H"
    assert declining.to_act == (1,)
    choose(match, "place 2")
    assert layout(match, 0) == "? 2H ?"
    assert legal(match, 0) == ["place 1", "place 3"]


def test_ruling_3_a_natural_turned_up_may_replace_a_jack_too() -> None:
    match = position("2H QC KD", "KS QS TC", stock="JC TD AC")
    choose(match, "draw", "place 2", "draw", "draw")
    assert seen(match, 1, "held") == ("2H",)
    assert legal(match, 0) == ["place 2", "discard"]


def test_ruling_3_the_jack_set_free_never_replaces_another_jack() -> None:
    match = position("JD KC 9C QC", "KS QS TC TH", stock="JC TD 2H")
    choose(match, "draw", "place 1", "place 2", "draw", "draw")
    choose(match, "place 2")
    assert seen(match, 0, "held") == ("JD",)
    assert legal(match, 0) == ["place 3", "place 4"]


def test_ruling_4_a_jack_goes_on_any_spot_face_down_and_is_never_discarded() -> None:
    match = position("AC 2C 3C", "KS QS TC", stock="JC")
    draw(match, 1)
    assert legal(match, 0) == ["place 1", "place 2", "place 3"]
    with pytest.raises(IllegalAction, match="any spot of the layout that is face down"):
        match.apply(0, "discard")


def test_ruling_5_placing_without_a_choice_is_no_decision_but_the_start_of_a_turn_is_one() -> None:
    match = position("2C 3C KC 4C", "KS QS TC TD", stock="AC KD")
    draw(match, 1)
    assert layout(match, 0) == "AC 2C 3C ?"
    assert match.to_act == (1,)


def test_ruling_6_a_number_beyond_the_layout_has_no_spot() -> None:
    match = position("2D KD", "KC KH", stock="TC TD")
    draw(match, 1)
    assert seen(match, 0, "discards") == ("TC",)
    assert legal(match, 1) == ["draw"], "it cannot be taken either"


def test_ruling_6_a_ten_has_no_spot_on_a_layout_of_nine() -> None:
    second = stack(DECK, [ANY] * (10 + 9), cards("KH TH"))
    match = start(2, 10, won_at_once(10, 10, winner=0), second)
    draw(match, 1)
    assert won(match) == (1, 0)
    assert len(seen(match, None, "layout", 0)) == 9
    draw(match, 2)
    assert seen(match, 0, "discards") == cards("KH TH")
    assert layout(match, 0) == " ".join(["?"] * 9)


def test_ruling_7_the_card_turned_up_from_the_last_spot_is_not_played() -> None:
    match = position("2D JD", "KC KH", stock="AD", later=[won_at_once(1, 2, winner=1, first=1)])
    draw(match, 1)
    assert won(match) == (1, 0)
    assert told(match, 1, "placed")[-1] == (0, "2D", 2, "JD")
    assert told(match, 1, "discarded") == []


@pytest.mark.parametrize(("players", "count"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_ruling_8_there_are_half_as_many_decks_as_players_rounded_up(
    players: int, count: int, seed: int
) -> None:
    match = TRASH.start(players=players, deals=SeededDeals(f"{seed}"))
    assert Counter(match.deals.shuffles[0]) == Counter(dict.fromkeys(DECK, count))
    assert len(seen(match, None, "stock")) == 52 * count - 10 * players


def test_ruling_8_the_decks_are_shuffled_in_canonical_order_with_copies_side_by_side() -> None:
    for players in range(2, 7):
        deals = SeededDeals("decks")
        match = TRASH.start(players=players, deals=deals)
        deals.begin_deal()
        assert match.deals.shuffles[0] == list(deals.shuffle(decks(players)))


def test_ruling_9_the_stock_is_renewed_when_a_card_must_be_drawn_from_it() -> None:
    first = stalemate()
    renewals = renewed(first)
    match = start(3, 3, first, *renewals)
    play_stalemate(match)
    assert seen(match, None, "stock") == ()
    assert len(match.deals.shuffles) == 1, "not yet"
    top = seen(match, 0, "discards")[-1]
    choose(match, "draw")
    assert match.deals.shuffles[1] == renewals[0]
    assert seen(match, 0, "discards")[0] == top, "it stays as the whole discard pile"
    assert told(match, 0, "renew") == [(None, 94)]
    assert match.observe(0).facts["renewals"] == 1


def test_ruling_9_a_take_needs_no_stock() -> None:
    first = with_last(stalemate(), "3S")  # drawn by the second seat; the third one lacks a three
    match = start(3, 3, first, deal("-- -- --", "-- -- --", "-- --"))
    play_stalemate(match)
    assert seen(match, None, "stock") == ()
    assert legal(match, 2) == ["take"]
    choose(match, "take")
    assert told(match, 0, "renew") == []
    assert won(match) == (0, 0, 1)


def test_a_renewal_asks_for_the_discards_in_canonical_order_in_the_same_deal() -> None:
    class Stacked(SeededDeals):
        """The stalemate's first shuffle, and then seeded ones."""

        def copy(self) -> "Stacked":
            other = Stacked("renewals")
            for name in SeededDeals.__slots__:
                setattr(other, name, getattr(self, name))
            return other.with_past_of(self)

        def _order(self, deck: Sequence[str]) -> tuple[str, ...]:
            return tuple(stalemate()) if len(deck) == 104 else super()._order(deck)

    match = TRASH.start(players=3, options={"start": 3}, deals=Stacked("renewals"))
    play_stalemate(match)
    discards = seen(match, None, "discards")
    choose(match, "draw")
    deals = SeededDeals("renewals")
    deals.begin_deal()
    expected = deals.shuffle(sorted(discards[:-1], key=DECK.index))
    assert match.deals.shuffles[1] == list(expected)


def test_ruling_10_a_deal_ends_without_a_winner_when_the_stock_is_used_up_after_five_renewals() -> (
    None
):
    first = stalemate()
    match = start(3, 3, first, *renewed(first), stalemate(first=1))
    for renewal in range(5):
        play_stalemate(match)
        assert match.observe(0).facts["renewals"] == renewal
        choose(match, "draw")
    play_stalemate(match)
    assert told(match, 1, "no-winner") == [(None,)]
    facts = match.observe(0).facts
    assert (facts["deal"], facts["dealer"], facts["won"]) == (2, 0, (0, 0, 0))
    assert facts["layouts"] == ("? ? ?",) * 3
    assert match.to_act == (1,)


def test_ruling_10_it_ends_even_if_the_top_discard_could_be_taken() -> None:
    first = stalemate()
    renewals = renewed(first)
    last = with_last(renewals[4], "2S")  # drawn by the first seat; the second one lacks a two
    match = start(3, 3, first, *renewals[:4], last, stalemate(first=1))
    for _ in range(5):
        play_stalemate(match)
        choose(match, "draw")
    play_stalemate(match)
    assert told(match, 0, "discarded")[-1] == (0, "2S")
    assert match.observe(0).facts["deal"] == 2
    assert won(match) == (0, 0, 0)


def test_ruling_10_a_match_has_no_more_deals_than_players_times_spots() -> None:
    shuffles = []
    for number in range(9):
        first = stalemate(first=number % 3)
        shuffles += [first, *renewed(first)]
    match = start(3, 3, *shuffles)
    for number in range(9):
        assert match.observe(0).facts["deal"] == number + 1
        assert match.result is None
        for _ in range(5):
            play_stalemate(match)
            choose(match, "draw")
        play_stalemate(match)
    assert match.result is not None
    assert match.result.reason == "limit"
    assert (match.result.scores, match.result.ranks) == ([0, 0, 0], [1, 1, 1])


def test_ruling_11_the_spots_are_shown_in_one_row() -> None:
    match = position("KC QC KD QD KH", "KS QS TC TD TH", stock="4C")
    draw(match, 1)
    assert layout(match, 0) == "? ? ? 4C ?"
    assert seen(match, None, "layout", 0) == cards("KC QC KD 4C KH")


# Examples -----------------------------------------------------------------------------------------


def test_example_1_a_chain_of_four_cards_without_a_choice_after_the_draw() -> None:
    match = position("KC QC 5D JC AD", "KS QS TC TD TH", stock="3D")
    draw(match, 1)
    assert layout(match, 0) == "AD ? 3D ? 5D"
    assert seen(match, 0, "discards") == ("KC",)
    assert match.to_act == (1,)
    assert told(match, 1, "drawn") == [(0, "3D")]
    assert told(match, 1, "placed") == [
        (0, "3D", 3, "5D"),
        (0, "5D", 5, "AD"),
        (0, "AD", 1, "KC"),
    ]
    assert told(match, 1, "discarded") == [(0, "KC")]


def test_example_2_a_jack_is_freed_by_the_natural_of_its_spot() -> None:
    match = position("KC QC 9D 8C AD", "KS QS TC TD TH", stock="JS 9S 5D")
    choose(match, "draw", "place 5")
    assert layout(match, 0) == "AD ? ? ? JS"
    draw(match, 2)
    assert legal(match, 0) == ["place 5", "discard"]
    choose(match, "place 5")
    assert layout(match, 0) == "AD ? ? ? 5D"
    assert seen(match, 0, "held") == ("JS",)
    assert legal(match, 0) == ["place 2", "place 3", "place 4"]


def test_example_3_what_the_previous_seat_discarded() -> None:
    assert legal(after_discard("AH"), 0) == ["take"]
    assert legal(after_discard("5S", jack_on=5), 0) == ["draw", "take"]


def test_example_4_a_nine_has_no_spot_on_a_layout_of_five() -> None:
    match = position("KC QC KD QD KH", "KS QS TC TD TH", stock="9H")
    draw(match, 1)
    assert seen(match, 0, "discards") == ("9H",)


def test_example_4_a_layout_of_one_card_needs_an_ace_or_a_jack() -> None:
    match = position("5C", "6C", stock="2C AC")
    draw(match, 1)
    assert seen(match, 0, "discards") == ("2C",)
    draw(match, 1)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 1], [2, 1])
    assert match.result.reason == "won"
    match = position("5C", "6C", stock="JC")
    draw(match, 1)
    assert legal(match, 0) == ["place 1"]
    choose(match, "place 1")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 0], [1, 2])


def test_example_5_the_winner_of_a_deal_gets_one_spot_less() -> None:
    first = won_at_once(5, 5, 5, winner=1)
    second = stack(decks(3), cards("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"))
    match = start(3, 5, first, second)
    assert len(match.deals.shuffles[0]) == 104
    draw(match, 2)
    assert won(match) == (0, 1, 0)
    assert match.observe(0).facts["dealer"] == 0
    assert match.to_act == (1,)
    assert seen(match, None, "layout", 1) == cards("AC 4C 7C TC")
    assert seen(match, None, "layout", 2) == cards("2C 5C 8C JC KC")
    assert seen(match, None, "layout", 0) == cards("3C 6C 9C QC AD")


# Scoring ------------------------------------------------------------------------------------------


def test_the_score_is_the_number_of_deals_won_and_the_winner_comes_first_alone(seed: int) -> None:
    rng = Random(seed)
    for number in range(20):
        players, spots = rng.randint(2, 6), rng.randint(1, 4)
        deals = SeededDeals(f"{seed}/{number}")
        match = TRASH.start(players=players, options={"start": spots}, deals=deals)
        for _ in decisions(match, rng):
            pass
        assert match.result is not None
        winners = [seat for seat, *_ in told(match, None, "win")]
        assert match.result.scores == [winners.count(seat) for seat in range(players)]
        assert match.result.scores.count(spots) == 1
        assert match.result.ranks == [
            1 + sum(other > score for other in match.result.scores) for score in match.result.scores
        ]


def test_seats_that_have_won_equally_often_tie() -> None:
    match = start(3, 1, deal("5C", "6C", "7C", stock="AC"))
    draw(match, 1)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 0, 0], [1, 2, 2])


# Options, information -----------------------------------------------------------------------------


@pytest.mark.parametrize("spots", [0, 11, True, "10"])
def test_the_first_layouts_have_from_1_to_10_spots(spots: object) -> None:
    with pytest.raises(ValueError, match="start must be an integer from 1 to 10"):
        TRASH.start(options={"start": spots})  # type: ignore[dict-item]


@pytest.mark.parametrize("spots", range(1, 11))
def test_the_option_is_the_size_of_every_layout_in_the_first_deal(spots: int) -> None:
    match = TRASH.start(players=4, options={"start": spots})
    assert [len(seen(match, None, "layout", seat)) for seat in range(4)] == [spots] * 4


def test_the_ladder_format_is_two_players_and_ten_spots() -> None:
    match = TRASH.start()
    assert (match.players, match.options) == (2, {"start": 10})


@pytest.mark.parametrize("players", [1, 7])
def test_there_are_two_to_six_players(players: int) -> None:
    with pytest.raises(ValueError, match="2, 3, 4, 5, 6"):
        TRASH.start(players=players)


def test_what_lies_face_down_is_hidden_from_its_owner_too() -> None:
    match = position("KC QC 5D JC AD", "KS QS TC TD TH", stock="3D")
    draw(match, 1)
    for seat in (0, 1):
        view = match.observe(seat)
        assert view.zone("layout", 0) == ("layout", 0, cards("AD 3D 5D"), 2)
        assert view.zone("layout", 1) == ("layout", 1, (), 5)
        assert view.zone("stock") == ("stock", None, (), 41)
    assert match.observe(0) == match.observe(1)
    assert seen(match, None, "layout", 0) == cards("AD QC 3D JC 5D")
    assert seen(match, None, "layout", 1) == cards("KS QS TC TD TH")


def test_the_cards_still_face_down_at_the_end_of_a_deal_are_not_shown() -> None:
    match = position("2D KD", "8C 9C", stock="AD", later=[deal("TD", "TH TS", first=1)])
    draw(match, 1)
    assert won(match) == (1, 0)
    for seat in (0, 1):
        words = {word for event in match.events(seat) for word in event.arguments}
        assert not {"8C", "9C"} & words


def test_at_the_end_of_the_match_too() -> None:
    match = position("5C", "6C", stock="AC")
    draw(match, 1)
    for seat in (0, 1):
        assert match.observe(seat).zone("layout", 1) == ("layout", 1, (), 1)
        assert match.observe(seat).zone("stock").cards == ()
        assert seen(match, seat, "held") == ("5C",), "the card turned up last"


def test_past_plays_stay_public() -> None:
    match = after_discard("3H", jack_on=3)
    for viewer in (0, 1, None):
        assert told(match, viewer, "discarded") == [(0, "KD"), (1, "TC"), (0, "TS"), (1, "3H")]
        assert told(match, viewer, "drawn") == [(0, "JC"), (1, "3C"), (0, "TS"), (1, "3H")]


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_after_a_renewal_the_cards_of_the_stock_are_known_but_not_their_order() -> None:
    first = stalemate()
    match = start(3, 3, first, *renewed(first))
    play_stalemate(match)
    choose(match, "draw")
    stock = seen(match, None, "stock")
    for seat in range(3):
        shown = match.observe(seat).zone("stock")
        assert shown.cards == tuple(sorted(stock, key=DECK.index))
        assert shown.cards != stock
        assert shown.hidden == 0
    assert possible_at(redealt(match, 1, 800), 0, "stock", None) == set(stock)
    # Face down are these three, but nobody knows which lies where.
    assert possible_at(redealt(match, 1, 800), 1, "layout", 1) == set(cards("JC JD JS"))


# In every match -----------------------------------------------------------------------------------
