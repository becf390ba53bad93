"""Seven Rummy (Seven Bridge): go out first; a seven may be melded alone.

Source: the article "Seven Rummy (Seven Bridge)" by Denexa Games. `docs/games/seven-rummy.md`
explains the game to bot authors. What the article leaves open is ruled as follows:

1. A claim for a 7 needs only one 7 in hand: the waiver for sevens belongs to the meld.
2. A discarded 7 is never taken alone: `take` and `claim` use at least one card of the hand.
3. All other seats that have drawn are asked for claims, whether or not they can make one, so that
   being asked reveals nothing.
4. Of several claimants, the nearest after the discarder gets the card. A claim takes precedence
   over the next seat's `take`, whose turn starts later.
5. The next seat, too, gets a discard for a set only by a claim; `take` is for sequences.
6. A seat neither claims nor takes before it has drawn from the stock in that deal.
7. A seat may lay cards off on any meld, in any of its turns, with or without a meld of its own.
8. A 7 melded alone is neither set nor sequence: the first card laid off on it settles that.
9. Melds are never merged: a card that fits two of them goes on one.
10. The score is doubled only if the winner put nothing on the table in an earlier turn of the deal.
11. The card just drawn may be discarded at once.
12. An empty stock is renewed from the discards below the top one, three times a deal; a turn that
    would start without a stock, and with none to come, ends the deal without a winner.
13. A number of deals and a target are both options. Equal scores tie.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from sevens_games.cards import DECK, PLACE, RANK, RANKS, SUIT, SUITS, dealt, in_order, replaced
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Interned,
    Layout,
    Observation,
    Result,
    Seen,
    Simultaneous,
    State,
    Turn,
    Zone,
    at_table,
    by_seat,
    integer,
    ranks_by,
)

HAND = 7
RENEWALS = 3  # at most, in a deal

DEADWOOD_OF_RANK = {rank: min(1 + place, 10) for place, rank in enumerate(RANKS)} | {"7": 20}
DEADWOOD = {card: DEADWOOD_OF_RANK[RANK[card]] for card in DECK}

# Sets of cards ------------------------------------------------------------------------------------
# A hand or a meld is an integer with a bit for each of its cards, the canonical order from the
# lowest bit up: 13 bits a suit. Melds are found by looking up the few cards of one suit or rank.

BIT = {card: 1 << place for place, card in enumerate(DECK)}


def set_of(cards: Iterable[str]) -> int:
    return sum([BIT[card] for card in cards])


OF_SUIT = {suit: set_of(card for card in DECK if SUIT[card] == suit) for suit in SUITS}
OF_RANK = {rank: set_of(card for card in DECK if RANK[card] == rank) for rank in RANKS}
CLUBS, DIAMONDS, HEARTS, SPADES = OF_SUIT.values()
SEVENS = OF_RANK["7"]


@cache
def listed_suit(cards: int) -> tuple[str, ...]:
    return tuple([card for card in DECK if cards & BIT[card]])


def listed(cards: int) -> tuple[str, ...]:
    """The codes of a set of cards in canonical order."""
    return (
        listed_suit(cards & CLUBS)
        + listed_suit(cards & DIAMONDS)
        + listed_suit(cards & HEARTS)
        + listed_suit(cards & SPADES)
    )


# Melds --------------------------------------------------------------------------------------------


def is_long_enough(cards: int) -> bool:
    """A meld has three cards, or any number if there is a 7 among them."""
    return cards.bit_count() >= 3 or cards & SEVENS != 0


RUNS = [
    set_of(DECK[first:end])
    for first in range(len(DECK))
    for end in range(first + 2, len(DECK) + 1)
    if SUIT[DECK[first]] == SUIT[DECK[end - 1]]
]
GROUPS = [
    set_of(cards)
    for rank in RANKS
    for count in (2, 3, 4)
    for cards in combinations([rank + suit for suit in SUITS], count)
]
SEQUENCES = [run for run in RUNS if is_long_enough(run)]
SETS = [group for group in GROUPS if is_long_enough(group)]
LONE_SEVENS = [BIT[seven] for seven in listed(SEVENS)]
MELDS = frozenset(LONE_SEVENS + SEQUENCES + SETS)

# By meld, the cards that each turn it into another meld.
FITTING = {
    meld: set_of(card for card in DECK if not meld & BIT[card] and meld | BIT[card] in MELDS)
    for meld in MELDS
}


@cache
def sequences_in(cards_of_suit: int) -> tuple[int, ...]:
    return tuple([meld for meld in SEQUENCES if meld & cards_of_suit == meld])


@cache
def sets_in(cards_of_rank: int) -> tuple[int, ...]:
    return tuple([meld for meld in SETS if meld & cards_of_rank == meld])


def melds_in(hand: int) -> tuple[int, ...]:
    """All melds of cards of the hand."""
    melds = (
        sequences_in(hand & CLUBS)
        + sequences_in(hand & DIAMONDS)
        + sequences_in(hand & HEARTS)
        + sequences_in(hand & SPADES)
    )
    if hand & SEVENS:
        melds += sets_in(hand & SEVENS)
        melds += tuple([seven for seven in LONE_SEVENS if hand & seven])
    for club in listed_suit(held_thrice(hand & ~SEVENS)):
        melds += sets_in(hand & OF_RANK[RANK[club]])
    return melds


def held_thrice(hand: int) -> int:
    """The clubs of the ranks of which the hand has three or four cards."""
    clubs, diamonds = hand & CLUBS, hand >> 13 & CLUBS
    hearts, spades = hand >> 26 & CLUBS, hand >> 39
    return clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)


# Actions ------------------------------------------------------------------------------------------


class LayOff(NamedTuple):
    card: str
    number: int  # of the meld, from 1


DRAW = Action[int]("draw", 0)
TAKE = Interned[int](lambda cards: Action(f"take {' '.join(listed(cards))}", cards))
MELD = {meld: Action[int](f"meld {' '.join(listed(meld))}", meld) for meld in MELDS}
LAY_OFF = Interned[LayOff](lambda off: Action(f"layoff {off.card} {off.number}", off))
DISCARD = {card: Action[str](f"discard {card}", card) for card in DECK}
# Only the claim that prevails becomes public, when the window closes.
CLAIM = Interned[int](lambda cards: Action(f"claim {' '.join(listed(cards))}", cards, public=None))
PASS = Action[int]("pass", 0, public=None)

PlayAction: TypeAlias = Action[int] | Action[LayOff] | Action[str]


@dataclass(frozen=True)
class Options:
    deals: int = integer(6, "The maximum number of deals.", minimum=1, maximum=100)
    target: int = integer(
        0,
        "If above 0, the total that ends the match after the deal in which a seat reaches it.",
        minimum=0,
        maximum=100_000,
    )


@dataclass(slots=True, kw_only=True)
class Rummy(State):
    """By seat: `hands` (sets of cards), `draws` (cards drawn from the stock in this deal), `tabled`
    (1 if it put a card on the table in an earlier turn of this deal), `totals` of the match.

    `turn`: the seat that draws and plays; in a claim window, the discarder. `tabled_now`: whether
    it put a card on the table in this turn. The first card of `stock` is its top, the last one of
    `discards` too. `renewed`: by renewal of this deal, the cards shuffled back. `melds` (sets of
    cards) and `owners`: by number from 1.
    """

    deal: int = 0
    dealer: int = 0
    turn: int = 0
    hands: tuple[int, ...] = ()
    stock: tuple[str, ...] = ()
    renewed: tuple[tuple[str, ...], ...] = ()
    discards: tuple[str, ...] = ()
    melds: tuple[int, ...] = ()
    owners: tuple[int, ...] = ()
    draws: tuple[int, ...] = ()
    tabled: tuple[int, ...] = ()
    tabled_now: bool = False
    totals: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Rummy) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for the first deal
    s.totals = (0,) * s.players
    return begin_deal(s)


def begin_deal(s: Rummy) -> str:
    """Seven cards each, one face up to start the discard pile; the rest is the stock."""
    s.deal += 1
    s.dealer = next_seat(s, s.dealer)
    s.deals.begin_deal()  # renewals of the stock belong to it
    cards = s.deals.shuffle(DECK)
    hands = dealt(cards, HAND, s.players, next_seat(s, s.dealer))
    s.hands = tuple([set_of(hand) for hand in hands])
    in_hands = HAND * s.players
    s.discards, s.stock = cards[in_hands : in_hands + 1], cards[in_hands + 1 :]
    s.renewed = ()
    s.melds = s.owners = ()
    s.draws = s.tabled = (0,) * s.players
    s.tabled_now = False
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *listed(hand))
    s.tell("upcard", None, *s.discards)
    s.turn = next_seat(s, s.dealer)
    return "draw"


def next_seat(s: Rummy, seat: int) -> int:
    return (seat + 1) % s.players


# Drawing ------------------------------------------------------------------------------------------


def begin_turn(s: Rummy, seat: int) -> str | None:
    if not s.stock and not can_be_renewed(s):
        return end_deal_without_winner(s)
    s.turn = seat
    return "draw"


def can_be_renewed(s: Rummy) -> bool:
    """There are always discards to make a stock of, for each draw is followed by a discard."""
    return len(s.renewed) < RENEWALS


def seat_in_turn(s: Rummy) -> int:
    return s.turn


def draw_or_sequence_with_discard(s: Rummy, seat: int) -> list[Action[int]]:
    """A seat that has drawn before may take the top discard for a sequence with cards of its
    hand, but must keep one."""
    if not s.draws[seat]:
        return [DRAW]
    hand, top = s.hands[seat], s.discards[-1]
    discard = BIT[top]
    sequences = sequences_in(hand & OF_SUIT[SUIT[top]] | discard)
    return [DRAW] + [
        TAKE[meld ^ discard] for meld in sequences if meld & discard and meld ^ discard != hand
    ]


def draw_or_take(s: Rummy, seat: int, choice: Action[int]) -> str:
    if choice == DRAW:
        draw(s, seat)
    else:
        lay_with_discard(s, seat, choice.value)
    return "play"


def draw(s: Rummy, seat: int) -> None:
    if not s.stock:
        renew_stock(s)
    card, s.stock = s.stock[0], s.stock[1:]
    s.hands = replaced(s.hands, seat, s.hands[seat] | BIT[card])
    s.draws = replaced(s.draws, seat, s.draws[seat] + 1)
    s.tell_only((seat,), "drawn", seat, card)


def renew_stock(s: Rummy) -> None:
    """All discards but the top one are shuffled."""
    cards = in_order(s.discards[:-1], PLACE)
    s.renewed += (cards,)
    s.discards = s.discards[-1:]
    s.stock = s.deals.shuffle(cards)
    s.tell("renew", None, *cards)


# Play ---------------------------------------------------------------------------------------------


def meld_lay_off_or_discard(s: Rummy, seat: int) -> list[PlayAction]:
    """The last card of the hand can only be discarded."""
    hand = s.hands[seat]
    discards = [DISCARD[card] for card in listed(hand)]
    if len(discards) == 1:
        return discards
    melds = [MELD[meld] for meld in melds_in(hand) if meld != hand]
    lay_offs = [
        LAY_OFF[LayOff(card, number)]
        for number, meld in enumerate(s.melds, 1)
        if hand & FITTING[meld]
        for card in listed(hand & FITTING[meld])
    ]
    return [*melds, *lay_offs, *discards]


def play(s: Rummy, seat: int, choice: PlayAction) -> str | None:
    match choice.value:
        case str(card):
            return discard(s, seat, card)
        case LayOff(card, number):
            lay_off(s, seat, card, number)
        case int(cards):
            lay(s, seat, cards)
    return "play"


def lay(s: Rummy, seat: int, from_hand: int, from_pile: int = 0) -> None:
    """The cards become the next meld."""
    s.hands = replaced(s.hands, seat, s.hands[seat] ^ from_hand)
    s.melds += (from_hand | from_pile,)
    s.owners += (seat,)
    s.tabled_now = True
    s.tell("new-meld", seat, len(s.melds), *listed(s.melds[-1]))


def lay_with_discard(s: Rummy, seat: int, from_hand: int) -> None:
    top, s.discards = s.discards[-1], s.discards[:-1]
    lay(s, seat, from_hand, BIT[top])


def lay_off(s: Rummy, seat: int, card: str, number: int) -> None:
    s.hands = replaced(s.hands, seat, s.hands[seat] ^ BIT[card])
    s.melds = replaced(s.melds, number - 1, s.melds[number - 1] | BIT[card])
    s.tabled_now = True


def discard(s: Rummy, seat: int, card: str) -> str | None:
    hand = s.hands[seat] ^ BIT[card]
    s.hands = replaced(s.hands, seat, hand)
    s.discards += (card,)
    if not hand:
        return go_out(s, seat)
    if s.tabled_now:
        s.tabled = replaced(s.tabled, seat, 1)
        s.tabled_now = False
    return "claim" if others_that_have_drawn(s) else begin_turn(s, next_seat(s, seat))


# Claims -------------------------------------------------------------------------------------------


def others_that_have_drawn(s: Rummy) -> list[int]:
    return [seat for seat, draws in enumerate(s.draws) if draws and seat != s.turn]


def pass_or_set_with_discard(s: Rummy, seat: int) -> list[Action[int]]:
    """The discard makes a set with cards of the hand, one of which must stay."""
    hand, top = s.hands[seat], s.discards[-1]
    discard = BIT[top]
    sets = sets_in(hand & OF_RANK[RANK[top]] | discard)
    return [PASS] + [
        CLAIM[meld ^ discard] for meld in sets if meld & discard and meld ^ discard != hand
    ]


def settle_claims(s: Rummy, choices: dict[int, Action[int]]) -> str | None:
    """The nearest claimant after the discarder lays its meld and plays on; seats between them
    are skipped."""
    for distance in range(1, s.players):
        seat = (s.turn + distance) % s.players
        if choices.get(seat, PASS) != PASS:
            s.turn = seat
            s.tell("claimed", seat, s.discards[-1])
            lay_with_discard(s, seat, choices[seat].value)
            return "play"
    return begin_turn(s, next_seat(s, s.turn))


# Scoring ------------------------------------------------------------------------------------------


def go_out(s: Rummy, winner: int) -> str | None:
    """The winner scores all deadwood, doubled if it put nothing on the table in earlier turns."""
    deadwood = sum([DEADWOOD[card] for hand in s.hands for card in listed(hand)])
    points = deadwood if s.tabled[winner] else 2 * deadwood
    s.totals = replaced(s.totals, winner, s.totals[winner] + points)
    s.tell("go-out", winner, points)
    return end_deal(s)


def end_deal_without_winner(s: Rummy) -> str | None:
    s.tell("no-winner")
    return end_deal(s)


def end_deal(s: Rummy) -> str | None:
    """All hands are shown."""
    for seat, hand in enumerate(s.hands):
        s.tell("show", seat, *listed(hand))
    s.tell("score", None, *s.totals)
    return None if s.deal == s.options.deals or target_reached(s) else begin_deal(s)


def target_reached(s: Rummy) -> bool:
    return bool(0 < s.options.target <= max(s.totals))


def result(s: Rummy) -> Result:
    reason = "target" if target_reached(s) else "played-out"
    return Result(list(s.totals), ranks_by(s.totals), reason)


# The view of a seat -------------------------------------------------------------------------------


def sees_hand(s: Rummy, viewer: int | None, seat: int) -> bool:
    """At the end all hands have been shown."""
    return viewer is None or viewer == seat or s.phase is None


def view(s: Rummy, viewer: int | None) -> Observation:
    zones = [
        Zone("discards", None, s.discards),
        Zone("table", None, tuple([card for meld in s.melds for card in listed(meld)])),
    ]
    for seat, hand in enumerate(s.hands):
        if sees_hand(s, viewer, seat):
            zones.append(Zone("hand", seat, listed(hand)))
        else:
            zones.append(Zone("hand", seat, (), hand.bit_count()))
    seen_stock = s.stock if viewer is None else ()
    zones.append(Zone("stock", None, seen_stock, len(s.stock) - len(seen_stock)))
    zones.append(Zone("renewed", None, s.renewed[-1] if s.renewed else ()))
    return Observation(tuple(zones), facts(s))


def facts(s: Rummy) -> Facts:
    return Facts(
        {
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "draws": s.draws,
            "held": tuple(
                [" ".join(map(str, held_by_stock(s, seat))) for seat in range(s.players)]
            ),
            "meld_owners": s.owners,
            "melds": tuple([" ".join(listed(meld)) for meld in s.melds]),
            "phase": s.phase or "over",
            "renewals": len(s.renewed),
            "shuffled": tuple(map(" ".join, s.renewed)),
            "tabled": s.tabled,
            "tabled_now": int(s.tabled_now),
            "target": s.options.target,
            "totals": s.totals,
            "turn": s.turn,
        }
    )


def stocks_of_cards(s: Rummy) -> dict[str, int]:
    """By card, the number of the stock that it was last shuffled into: 0 is the first."""
    renewals = enumerate(s.renewed, 1)
    return dict.fromkeys(DECK, 0) | {card: n for n, cards in renewals for card in cards}


def held_by_stock(s: Rummy, seat: int) -> list[int]:
    """The number of cards from each stock in the seat's hand."""
    stock_of = stocks_of_cards(s)
    stocks = [stock_of[card] for card in listed(s.hands[seat])]
    return [stocks.count(number) for number in range(len(s.renewed) + 1)]


def recall(s: Rummy, seen: Seen) -> None:
    s.renewed = tuple([tuple(text.split()) for text in seen.fact("shuffled")])
    s.melds = tuple([set_of(text.split()) for text in seen.fact("melds")])
    s.owners = seen.fact("meld_owners")
    others = [seat for seat in range(s.players) if seat != seen.seat]
    stock_of = stocks_of_cards(s)
    hidden = [card for seat in others for card in seen.cards("hand", seat)] + [*s.stock]
    hands = [0] * s.players
    hands[seen.seat] = set_of(seen.cards("hand", seen.seat))
    for seat in others:
        for stock, count in enumerate(seen.fact("held")[seat].split()):
            cards = [card for card in hidden if stock_of[card] == stock][: int(count)]
            hands[seat] |= set_of(cards)
            hidden = [card for card in hidden if card not in cards]
    s.hands, s.stock = tuple(hands), tuple(hidden)


def redeal(s: Rummy, viewer: int, rng: Random) -> None:
    """Hidden cards change places with cards of the same stock only.

    The stock of a card is the one that it was last shuffled into, and is public. The number of
    cards that a seat drew from each stock is public, and so are the cards that it has put down
    since; therefore also the number of each stock's cards that it still holds. A stock is used up
    before the next one is made.
    """
    seats = [seat for seat in range(s.players) if not sees_hand(s, viewer, seat)]
    hidden = [card for seat in seats for card in listed(s.hands[seat])] + [*s.stock]
    stock_of = stocks_of_cards(s)
    swapped: dict[str, str] = {}
    for number in range(len(s.renewed) + 1):
        cards = [card for card in hidden if stock_of[card] == number]
        swapped |= zip(cards, rng.sample(cards, len(cards)), strict=True)
    for seat in seats:
        hand = set_of([swapped[card] for card in listed(s.hands[seat])])
        s.hands = replaced(s.hands, seat, hand)
    s.stock = tuple([swapped[card] for card in s.stock])


GAME = Game(
    slug="seven-rummy",
    title="Seven Rummy",
    summary="Rummy for two to five: a 7 may be melded alone, and discards for sets are claimed.",
    how_to_play=(
        "Each player gets seven cards, and the first without cards wins the deal; the last card "
        "has to be discarded.",
        "In your turn, draw a card, lay down melds if you can, add cards to any melds on the "
        "table, and discard one.",
        "A meld is three or four cards of a rank, or three or more of a suit in a row; with a 7 "
        "in it, one or two cards are enough.",
        "The top discard may be taken for a run that you lay down at once, and for cards of a "
        "rank any player may claim it out of turn.",
        "The winner scores all cards that the others still hold, and twice that after going out "
        "in a single turn.",
        "The most points over all deals win.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=Rummy,
    begin=begin,
    # A seat is asked even if it cannot take or claim the discard: its ability to do so is secret.
    phases={
        "draw": Turn(
            rule="A seat draws; if it has drawn before in this deal, it may take the top discard "
            "instead, for a sequence with cards of its hand, keeping one to discard.",
            who=seat_in_turn,
            may=draw_or_sequence_with_discard,
            then=draw_or_take,
            ask_forced=True,
        ),
        "play": Turn(
            rule="A seat lays melds, lays off single cards, and ends its turn with a discard, for "
            "which it must keep a card.",
            who=seat_in_turn,
            may=meld_lay_off_or_discard,
            then=play,
        ),
        "claim": Simultaneous(
            rule="A seat passes, or claims the discard for a set with cards of its hand, keeping "
            "one to discard.",
            who=others_that_have_drawn,
            may=pass_or_set_with_discard,
            then=settle_claims,
            ask_forced=True,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("renewed",),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "discards": "The discard pile; its last card is the top.",
        "table": "The cards of all melds, one meld after another; the fact `melds` tells them "
        "apart.",
        "hand": "A seat's hand: your cards; for other seats, only their number. At the end of the "
        "match, all cards.",
        "stock": "The stock: only the number of its cards.",
        "renewed": "The cards shuffled at this deal's last renewal of the stock; a record, as "
        "these cards are back in play.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one has the first turn.",
        "deals": "The maximum number of deals in the match.",
        "draws": "By seat, the number of cards it has drawn from the stock in this deal; a seat "
        "with none is not asked for claims.",
        "held": "By seat, how many cards it holds from each stock of this deal, the first stock "
        "first: a text with a number for each.",
        "meld_owners": "By meld, the seat that laid it.",
        "melds": "By meld, its cards, as in 6D 7D 8D; the first is number 1.",
        "phase": "The phase: draw, play, claim, or over at the end.",
        "renewals": "The number of times the stock was renewed in this deal.",
        "shuffled": "By renewal of this deal, the cards shuffled, with spaces.",
        "tabled_now": "1 if the seat whose turn it is put a card on the table in it, otherwise 0.",
        "tabled": "By seat, 1 if it put a card on the table in an earlier turn of this deal, and "
        "so cannot score double; otherwise 0.",
        "target": "The total that ends the match after a deal; 0 if there is none.",
        "totals": "By seat, the points of the deals before; at the end, of all.",
        "turn": "The seat whose turn it is; while claims are made, the seat that discarded.",
    },
    actions={
        "draw": "Draw the top card of the stock; always legal at the start of a turn.",
        "take CARD…": "Take the top discard and meld it in a sequence with these cards of your "
        "hand.",
        "meld CARD…": "Lay down these cards of your hand as a meld.",
        "layoff CARD MELD": "Add a card of your hand to the meld of that number.",
        "discard CARD": "Put any card of your hand on the discard pile, which ends your turn.",
        "pass": "Let the discard go; always legal in a claim window.",
        "claim CARD…": "Claim the discard for a set with these cards of your hand.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "upcard": "The first discard.",
        "drawn": "You; the card that you drew.",
        "renew": "The discards that were shuffled into a new stock.",
        "claimed": "The seat whose claim succeeds; the discard that it gets.",
        "new-meld": "The seat; the number of the meld, its cards.",
        "go-out": "The seat that has no card left; the points that it scores.",
        "no-winner": "The deal ends without a seat going out.",
        "show": "A seat; the cards left in its hand at the end of the deal.",
        "score": "By seat, the points so far.",
    },
    reasons={
        "played-out": "All deals were played.",
        "target": "A seat's total reached the target.",
    },
    layout=Layout(
        records=("renewed",),
        groups={"table": "melds"},
        clicks={"table": ("layoff * {part}",), "discards": ("take", "claim", "discard")},
        facts={
            "totals": by_seat("points"),
            "tabled": by_seat("may not score double", "", zeros=False),
            "draws": by_seat("cards drawn"),
            "deal": at_table("deal", "{0} of at most {deals}"),
            "target": at_table("target", "{0:point|points}"),
            "renewals": at_table("stock renewed", "{0:time|times}"),
            "deals": UNSAID,
            "meld_owners": UNSAID,
            "melds": UNSAID,
            "held": UNSAID,
            "shuffled": UNSAID,
            "tabled_now": UNSAID,
        },
        says={
            "draw": "{actor:draws|draw}",
            "take": "{actor:takes|take} the discard with {all}",
            "meld": "{actor:melds|meld} {all}",
            "layoff": "{actor:lays|lay} {0} off on meld {1}",
            "discard": "{actor:discards|discard} {0}",
            "pass": "{actor:lets|let} the discard go",
            "claim": (
                "{actor:claims|claim} the discard with {0} {rest}",
                "{actor:claims|claim} the discard",
            ),
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "upcard": "The first discard is {0}",
            "drawn": "{actor:draws|draw} {0}",
            "renew": "The stock is renewed with {all}",
            "claimed": "{actor:gets|get} {0} by a claim",
            "new-meld": "{actor:lays|lay} meld {0}: {rest}",
            "go-out": "{actor:goes out and scores|go out and score} {0:point|points}",
            "no-winner": "The deal ends without a winner",
            "show": "{actor:is|are} left with {all:held}",
            "score": "Totals: {all:seats}",
        },
    ),
)
