"""Kontsina: a Greek fishing game. A card captures one of its rank, or cards that add up to it.

Source: the article "Kontsina" by Denexa Games. `docs/games/kontsina.md` explains the game to bot
authors. What the article leaves open is ruled as follows:

1. Capturing is optional: any card may be laid, even one that matches or makes a sum.
2. A card captures one card of its rank or one combination: never two matches, two combinations or
   one of each.
3. A combination is two or more cards; one card of equal value is a match.
4. Tens are number cards of value 10, and aces are always 1. Face cards take part in no combination,
   neither as the card played nor among the captured.
5. The cards of a combination are named one by one, in canonical order: with many cards on the table
   there are thousands of combinations, but only a few possible next cards.
6. Clearing the table wins nothing but its cards.
7. If several seats tie for most clubs, nobody scores them, as with most cards.
8. If nobody captures in a deal, the cards left on the table are nobody's.
9. Points count at the end of a deal only, so reaching the target never ends one. If the best totals
   are equal, all seats play on, and all points count.
10. Seats that never capture would play for ever: a match has at most 40 deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from sevens_games.cards import DECK, PLACE, RANK, SUIT, dealt, in_order, replaced, without
from sevens_games.engine import (
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    State,
    Turn,
    Zone,
    at_seat,
    at_table,
    by_seat,
    integer,
    ranks_by,
)

HAND = 4
FIRST_TABLE = 4
MOST_DEALS = 40
NOBODY = -1

POINTS_FOR_MOST_CARDS = 2
POINTS_FOR_MOST_CLUBS = 1
CARD_POINTS = {"2C": 1, "TD": 1}

VALUE = {card: "A23456789T".find(RANK[card]) + 1 for card in DECK}  # a face card has none: 0


class Play(NamedTuple):
    """A card played, with the cards it captures. `combines`: whether these are yet to be named."""

    card: str
    captured: tuple[str, ...] = ()
    combines: bool = False


LAY = {card: Action[Play](f"lay {card}", Play(card)) for card in DECK}
COMBINE = {card: Action[Play](f"combine {card}", Play(card, combines=True)) for card in DECK}
# By card, and by the other cards of its rank.
MATCH = {
    card: {
        target: Action[Play](f"match {card} {target}", Play(card, (target,)))
        for target in DECK
        if RANK[target] == RANK[card] and target != card
    }
    for card in DECK
}
TAKE = {card: Action[str](f"take {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    target: int = integer(
        21,
        "The total that ends the match; 11 suits 3 or 4 players.",
        minimum=1,
        maximum=1000,
    )


@dataclass(slots=True, kw_only=True)
class Kontsina(State):
    """By seat: `hands` (in canonical order), `played` and `piles` of this deal (in order), `totals`
    of the deals before.

    `table` is in canonical order; the first card of `stock` is the next to be dealt. `combining`:
    the card shown by `combine`, still in the hand; `taken`: the cards named so far, still on the
    table. `captured_last`: a seat, or NOBODY before the first capture of the deal.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    piles: tuple[tuple[str, ...], ...] = ()
    captured_last: int = NOBODY
    turn: int = 0
    combining: str = ""
    taken: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Kontsina) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.totals = (0,) * s.players
    return deal(s)


def deal(s: Kontsina) -> str:
    """Four cards to each seat, then four face up to the table."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.played = s.piles = ((),) * s.players
    s.captured_last = NOBODY
    s.deals.begin_deal()
    s.stock = s.deals.shuffle(DECK)
    s.tell("deal", s.dealer, s.deal)
    deal_hands(s)
    s.table, s.stock = in_order(s.stock[:FIRST_TABLE], PLACE), s.stock[FIRST_TABLE:]
    s.tell("table", None, *s.table)
    return "play"


def deal_hands(s: Kontsina) -> None:
    """Four cards each from the stock; the seat after the dealer gets the first, and plays first."""
    s.turn = (s.dealer + 1) % s.players
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(s.stock, HAND, s.players, s.turn))
    s.stock = s.stock[HAND * s.players :]
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)


# Play ---------------------------------------------------------------------------------------------


def seat_to_play(s: Kontsina) -> int:
    return s.turn


def lay_or_capture(s: Kontsina, seat: int) -> list[Action[Play]]:
    hand = s.hands[seat]
    sums = sums_of_several(s.table)
    return [
        *[LAY[card] for card in hand],
        *[MATCH[card][other] for card in hand for other in s.table if other in MATCH[card]],
        *[COMBINE[card] for card in hand if sums >> VALUE[card] & 1],
    ]


def sums_of_several(table: Sequence[str]) -> int:
    """The sums of two or more number cards on the table, as a set of bits: bit 9 for a sum of 9."""
    values = several = 0
    for card in table:
        if value := VALUE[card]:
            several |= (several | values) << value
            values |= 1 << value
    return several


def play_card(s: Kontsina, seat: int, play: Action[Play]) -> str | None:
    card, captured, combines = play.value
    if combines:
        s.combining = card
        return "take"
    if captured:
        capture(s, seat, captured, card)
    else:
        s.table = in_order((*s.table, card), PLACE)
    return end_turn(s, seat, card)


def capture(s: Kontsina, seat: int, captured: tuple[str, ...], card: str) -> None:
    s.table = tuple([other for other in s.table if other not in captured])
    s.piles = replaced(s.piles, seat, (*s.piles[seat], *captured, card))
    s.captured_last = seat
    s.tell("capture", seat, *captured, card)


# Combinations -------------------------------------------------------------------------------------


def next_of_combination(s: Kontsina, seat: int) -> list[Action[str]]:
    """The cards after the last one taken that can complete the sum, alone or with cards after
    them."""
    missing = missing_value(s)
    after_last = s.table.index(s.taken[-1]) + 1 if s.taken else 0
    legal = []
    sums = 1  # of some of the cards after this one, or of none; a set of bits
    for card in reversed(s.table[after_last:]):
        value = VALUE[card]
        alone = value == missing and not s.taken
        if 0 < value <= missing and sums >> (missing - value) & 1 and not alone:
            legal.append(TAKE[card])
        sums |= sums << value
    return legal[::-1]


def missing_value(s: Kontsina) -> int:
    return VALUE[s.combining] - sum([VALUE[card] for card in s.taken])


def take(s: Kontsina, seat: int, taking: Action[str]) -> str | None:
    s.taken += (taking.value,)
    if missing_value(s):
        return "take"
    card, captured = s.combining, s.taken
    s.combining, s.taken = "", ()
    capture(s, seat, captured, card)
    return end_turn(s, seat, card)


# The end of a turn and of a deal ------------------------------------------------------------------


def end_turn(s: Kontsina, seat: int, card: str) -> str | None:
    """The card played leaves the hand. New hands are dealt while the stock lasts."""
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.played = replaced(s.played, seat, (*s.played[seat], card))
    s.turn = (seat + 1) % s.players
    if any(s.hands):
        return "play"
    if s.stock:
        deal_hands(s)
        return "play"
    return finish_deal(s)


def finish_deal(s: Kontsina) -> str | None:
    """The cards left go to the seat that captured last; after a deal without a capture they
    stay."""
    taker = s.captured_last
    if s.table and taker != NOBODY:
        s.tell("take-rest", taker, *s.table)
        s.piles = replaced(s.piles, taker, s.piles[taker] + s.table)
        s.table = ()
    return score_deal(s)


# Scoring ------------------------------------------------------------------------------------------


def score_deal(s: Kontsina) -> str | None:
    cards = [len(pile) for pile in s.piles]
    clubs = [sum(SUIT[card] == "C" for card in pile) for pile in s.piles]
    points = [
        POINTS_FOR_MOST_CARDS * alone_has_most(cards, seat)
        + POINTS_FOR_MOST_CLUBS * alone_has_most(clubs, seat)
        + sum(CARD_POINTS.get(card, 0) for card in pile)
        for seat, pile in enumerate(s.piles)
    ]
    s.totals = tuple(map(sum, zip(s.totals, points, strict=True)))
    s.tell("score", None, *points)
    return None if target_reached(s) or s.deal == MOST_DEALS else deal(s)


def alone_has_most(counts: list[int], seat: int) -> bool:
    return counts[seat] == max(counts) and counts.count(counts[seat]) == 1


def target_reached(s: Kontsina) -> bool:
    """By one seat that is ahead of all others."""
    best = max(s.totals)
    return best >= s.options.target and s.totals.count(best) == 1


def result(s: Kontsina) -> Result:
    reason = "target" if target_reached(s) else "limit"
    return Result(list(s.totals), ranks_by(s.totals), reason)


# The view of a seat -------------------------------------------------------------------------------


def shown_in_hand(s: Kontsina, seat: int) -> tuple[str, ...]:
    """A card that combines is shown, and stays in the hand until the combination is complete."""
    return (s.combining,) if s.combining and seat == s.turn else ()


def view(s: Kontsina, viewer: int | None) -> Observation:
    zones = [Zone("table", None, s.table)]
    for seat, hand in enumerate(s.hands):
        seen = hand if viewer in (seat, None) else shown_in_hand(s, seat)
        zones.append(Zone("hand", seat, seen, len(hand) - len(seen)))
        zones.append(Zone("pile", seat, s.piles[seat]))
        zones.append(Zone("played", seat, s.played[seat]))
    seen_stock = s.stock if viewer is None else ()
    zones.append(Zone("stock", None, seen_stock, len(s.stock) - len(seen_stock)))
    return Observation(tuple(zones), facts(s))


def facts(s: Kontsina) -> Facts:
    return Facts(
        {
            "captured_last": s.captured_last,
            "combining": s.combining,
            "deal": s.deal,
            "dealer": s.dealer,
            "phase": s.phase or "over",
            "taken": s.taken,
            "target": s.options.target,
            "totals": s.totals,
            "turn": s.turn if s.phase else NOBODY,
        }
    )


def redeal(s: Kontsina, viewer: int, rng: Random) -> None:
    """The other hands and the stock are dealt again. The only card of them that is known is the
    one being combined: laying a card reveals nothing about the rest of a hand."""
    others = [seat for seat in range(s.players) if seat != viewer]
    shown = {seat: shown_in_hand(s, seat) for seat in others}
    hidden = {seat: [c for c in s.hands[seat] if c not in shown[seat]] for seat in others}
    unseen = [*s.stock, *[card for seat in others for card in hidden[seat]]]
    rng.shuffle(unseen)
    for seat in others:
        hand, unseen = unseen[: len(hidden[seat])], unseen[len(hidden[seat]) :]
        s.hands = replaced(s.hands, seat, in_order([*shown[seat], *hand], PLACE))
    s.stock = tuple(unseen)


GAME = Game(
    slug="kontsina",
    title="Kontsina",
    summary="Fishing by sums: capture a card of equal rank, or cards that add up to yours.",
    how_to_play=(
        "Each player has four cards, and four more are face up on the table.",
        "In turn, play a card: it takes a card of its rank, or several number cards that add up "
        "to its number, or it stays on the table.",
        "Four new cards are dealt whenever the hands are empty; in the end, the player who took "
        "last gets the cards left on the table.",
        "The most cards are worth two points; the most clubs, the two of clubs and the ten of "
        "diamonds are worth one each.",
        "The match ends when the best player has reached the target and is alone in the lead.",
    ),
    rules_version=1,
    players=(2, 3, 4),
    ladder_players=2,
    option_fields=Options,
    state=Kontsina,
    begin=begin,
    phases={
        "play": Turn(
            rule="A card of the hand is laid, matches one card of the table, or combines several.",
            who=seat_to_play,
            may=lay_or_capture,
            then=play_card,
        ),
        "take": Turn(
            rule="The cards of a combination are taken in canonical order, up to the exact value.",
            who=seat_to_play,
            may=next_of_combination,
            then=take,
        ),
    },
    view=view,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("played",),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "table": "The cards face up on the table, in canonical order.",
        "hand": "A seat's hand: your cards; for other seats, only their number, and the card "
        "being combined.",
        "pile": "The cards a seat has captured in this deal, in order.",
        "played": "The cards a seat has played in this deal, in order; each is also on the table "
        "or in a pile.",
        "stock": "The cards still to be dealt in this deal: only their number.",
    },
    facts={
        "captured_last": "The seat that captured last in this deal, which would get the cards "
        "left over; -1 before the first capture.",
        "combining": "The card that is capturing a combination; empty if none is.",
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one plays first.",
        "phase": "The phase: play, take, or over at the end.",
        "taken": "The cards named so far for the combination; they are still on the table.",
        "target": "The total that ends the match if one seat alone has the highest.",
        "totals": "By seat, the points of the deals before; at the end, of all.",
        "turn": "The seat whose turn it is; -1 at the end.",
    },
    actions={
        "lay CARD": "Lay any card of your hand on the table.",
        "match CARD CARD": "Capture, with a card of your hand, one of its rank on the table.",
        "combine CARD": "Capture, with a number card of your hand, two or more on the table that "
        "add up to it.",
        "take CARD": "Name the next card of that combination: a number card on the table with "
        "which it can be completed.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards, each time four are dealt.",
        "table": "The first four cards.",
        "capture": "The seat; the cards captured, then the card that captured them.",
        "take-rest": "The seat that captured last; the cards left on the table.",
        "score": "By seat, the points of the deal.",
    },
    reasons={
        "target": "A seat reached the target and was ahead of all others.",
        "limit": f"All {MOST_DEALS} deals that a match may have were played.",
    },
    layout=Layout(
        facts={
            "combining": at_table("combining with"),
            "taken": at_table("named for the combination"),
            "totals": by_seat("points"),
            "target": at_table("target", "{0:point|points}"),
            "captured_last": at_seat("captured last"),
            "deal": at_table("deal"),
        },
        says={
            "lay": "{actor:lays|lay} {0}",
            "match": "{actor:captures|capture} {1} with {0}",
            "combine": "{actor:combines|combine} with {0}",
            "take": "{actor:takes|take} {0}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "table": "On the table: {all}",
            "capture": "{actor:captures|capture} {all}",
            "take-rest": "{actor:takes|take} the rest: {all}",
            "score": "The deal scores {all:seats}",
        },
    ),
)
