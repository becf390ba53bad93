"""Xeri: a Greek fishing game for two. The card that matches the top of the pile takes the pile.

Source: the article "Xeri" by Denexa Games. `docs/games/xeri.md` explains the game to bot authors.
What the article leaves open is ruled as follows:

1. A capture cannot be declined: a matching card captures when it is played.
2. A jack on an empty pile captures nothing and stays there like any card.
3. A xeri needs a pile of one card, which exists only right after a capture.
4. A xeri with a jack on a jack scores 10 like any other.
5. For a new first pile the four cards and the stock are shuffled; the hands stay. Only the two top
   cards matter, and there is no limit on new piles.
6. All four cards of a first pile, even of a rejected one, are public.
7. There is always a capture: four jacks are never accepted as the first pile, so a jack is played
   from a hand.
8. The three points need more cards than the opponent.
9. If the hands won are equal, the points of all hands decide, and equal points tie.
10. The won cards are not secret: all past plays are public.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sevens_games.cards import DECK, PLACE, RANK, dealt, in_order, replaced, without
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    Seen,
    State,
    Turn,
    Zone,
    at_seat,
    at_table,
    by_seat,
    integer,
    ranks_by,
)

HAND = 6
FIRST_PILE = 4

POINTS_FOR_A_XERI = 10
POINTS_FOR_MOST_CARDS = 3
CARD_POINTS = {card: (RANK[card] in "AKQJT") + (card in ("TD", "2C")) for card in DECK}

PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    deals: int = integer(5, "The number of deals played.", minimum=1, maximum=100)


@dataclass(slots=True, kw_only=True)
class Xeri(State):
    """By seat: `hands` (in canonical order), `played`, `won` and `xeris` of this deal; `hands_won`
    and `points` of the match.

    The last card of `pile` is its top, the first of `stock` the next to be dealt. `rejected`: the
    first piles of this deal that were rejected. `captured_last`: a seat; -1 before the first.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    won: tuple[tuple[str, ...], ...] = ()
    xeris: tuple[int, ...] = ()
    captured_last: int = -1
    turn: int = 0
    hands_won: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)


# Dealing ------------------------------------------------------------------------------------------


def begin_deal(s: Xeri) -> str:
    """The deal passes to the other seat, to seat 1 for the first hand."""
    s.deal += 1
    s.dealer = opponent(s.dealer)
    s.played = s.won = ((), ())
    s.xeris = (0, 0)
    s.captured_last = -1
    s.deals.begin_deal()  # new first piles belong to it
    s.stock = s.deals.shuffle(DECK)
    s.tell("deal", s.dealer, s.deal)
    deal_hands(s)
    turn_up_first_pile(s)
    return "play"


def opponent(seat: int) -> int:
    return 1 - seat


def deal_hands(s: Xeri) -> None:
    """Six cards each from the stock; the non-dealer gets the first one, and plays first."""
    s.turn = opponent(s.dealer)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(s.stock, HAND, s.players, s.turn))
    s.stock = s.stock[HAND * s.players :]
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)


def turn_up_first_pile(s: Xeri) -> None:
    """Turns up four cards of the stock, each time from a new shuffle, until they are accepted."""
    s.rejected = ()
    while True:
        s.pile, rest = s.stock[:FIRST_PILE], s.stock[FIRST_PILE:]
        s.tell("first-pile", None, *s.pile)
        if may_stand(s.pile):
            s.stock = rest
            return
        s.rejected += s.pile
        s.stock = s.deals.shuffle(in_order(s.stock, PLACE))


def may_stand(first_pile: tuple[str, ...]) -> bool:
    """Not with a jack on top, nor with a pair on top."""
    below, top = first_pile[-2:]
    return RANK[top] != "J" and RANK[top] != RANK[below]


# Play ---------------------------------------------------------------------------------------------


def seat_to_play(s: Xeri) -> int:
    return s.turn


def any_card(s: Xeri, seat: int) -> list[Action[str]]:
    return [PLAY[card] for card in s.hands[seat]]


def play_card(s: Xeri, seat: int, play: Action[str]) -> str | None:
    card = play.value
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.played = replaced(s.played, seat, (*s.played[seat], card))
    if captures(card, s.pile):
        capture(s, seat, card)
    else:
        s.pile += (card,)
    s.turn = opponent(seat)
    return "play" if any(s.hands) else replenish(s)


def captures(card: str, pile: tuple[str, ...]) -> bool:
    """A card of the rank of the pile's top card captures the pile, and so does a jack."""
    return bool(pile) and (RANK[card] == RANK[pile[-1]] or RANK[card] == "J")


def capture(s: Xeri, seat: int, card: str) -> None:
    """The pile and the card played are won; a xeri if the pile was one card of the same rank."""
    if len(s.pile) == 1 and RANK[card] == RANK[s.pile[0]]:
        s.xeris = replaced(s.xeris, seat, s.xeris[seat] + 1)
        s.tell("xeri", seat, len(s.pile) + 1)
    else:
        s.tell("capture", seat, len(s.pile) + 1)
    s.won = replaced(s.won, seat, (*s.won[seat], *s.pile, card))
    s.pile = ()
    s.captured_last = seat


def replenish(s: Xeri) -> str | None:
    """New hands while the stock lasts."""
    if s.stock:
        deal_hands(s)
        return "play"
    return finish_hand(s)


def finish_hand(s: Xeri) -> str | None:
    """The cards left go to the seat that captured last: no capture, and never a xeri."""
    taker = s.captured_last
    if s.pile:
        s.tell("take-rest", taker, len(s.pile))
    s.won = replaced(s.won, taker, s.won[taker] + s.pile)
    s.pile = ()
    return score_hand(s)


# Scoring ------------------------------------------------------------------------------------------


def hand_points(s: Xeri, seat: int) -> int:
    won = s.won[seat]
    most_cards = len(won) > len(s.won[opponent(seat)])
    return (
        POINTS_FOR_A_XERI * s.xeris[seat]
        + POINTS_FOR_MOST_CARDS * most_cards
        + sum([CARD_POINTS[card] for card in won])
    )


def score_hand(s: Xeri) -> str | None:
    """More points win the hand; with equal points neither seat wins it."""
    a, b = hand_points(s, 0), hand_points(s, 1)
    s.points = (s.points[0] + a, s.points[1] + b)
    s.hands_won = (s.hands_won[0] + (a > b), s.hands_won[1] + (b > a))
    s.tell("score", None, a, b)
    return begin_deal(s) if s.deal < s.options.deals else None


def result(s: Xeri) -> Result:
    merits = list(zip(s.hands_won, s.points, strict=True))
    return Result(list(s.hands_won), ranks_by(merits), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def view(s: Xeri, viewer: int | None) -> Observation:
    zones = [Zone("pile", None, s.pile)]
    for seat, hand in enumerate(s.hands):
        seen = viewer is None or viewer == seat
        zones.append(Zone("hand", seat, hand) if seen else Zone("hand", seat, (), len(hand)))
        zones.append(Zone("won", seat, s.won[seat]))
        zones.append(Zone("played", seat, s.played[seat]))
    seen_stock = s.stock if viewer is None else ()
    zones.append(Zone("stock", None, seen_stock, len(s.stock) - len(seen_stock)))
    zones.append(Zone("rejected", None, s.rejected))
    return Observation(tuple(zones), facts(s))


def facts(s: Xeri) -> Facts:
    return Facts(
        {
            "captured_last": s.captured_last,
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "hands_won": s.hands_won,
            "phase": s.phase or "over",
            "points": s.points,
            "xeris": s.xeris,
        }
    )


def recall(s: Xeri, seen: Seen) -> None:
    """Each seat plays as many cards of six as the other, the non-dealer first."""
    s.turn = (s.dealer + 1 + len(s.played[0]) + len(s.played[1])) % s.players


def redeal(s: Xeri, viewer: int, rng: Random) -> None:
    """The opponent's hand and the stock are dealt again. A first hand holds no card of a
    rejected first pile: those cards went back into the stock after the hands had been dealt."""
    other = opponent(viewer)
    unseen = in_order(s.hands[other] + s.stock, PLACE)
    excluded = s.rejected if holds_first_hand(s, other) else ()
    hand = rng.sample([card for card in unseen if card not in excluded], len(s.hands[other]))
    rest = [card for card in unseen if card not in hand]
    s.hands = replaced(s.hands, other, in_order(hand, PLACE))
    s.stock = tuple(rng.sample(rest, len(rest)))


def holds_first_hand(s: Xeri, seat: int) -> bool:
    return len(s.played[seat]) < HAND


GAME = Game(
    slug="xeri",
    title="Xeri",
    summary="Fishing for two: match the top card to take the pile; 10 points for a lone card.",
    how_to_play=(
        "Each player has six cards, and one pile is face up between them.",
        "In turn, play a card onto the pile: a card of the same rank as the top card takes the "
        "whole pile, and a jack takes any pile.",
        "Taking a single card with a card of its rank is a xeri, worth ten points.",
        "The most cards are worth three points; aces, tens, jacks, queens and kings one each; the "
        "ten of diamonds and the two of clubs one more.",
        "The most points win the deal, and the most deals won win the match.",
    ),
    rules_version=1,
    players=(2,),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=Xeri,
    begin=begin_deal,
    phases={
        "play": Turn(
            rule="The seat whose turn it is plays a card of its hand.",
            who=seat_to_play,
            may=any_card,
            then=play_card,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("played", "rejected"),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "pile": "The pile; its last card is the top.",
        "hand": "A seat's hand: your cards; for the other seat, only their number.",
        "won": "The cards a seat has won in this deal, in the order won.",
        "played": "The cards a seat has played in this deal, in order; each is also in the pile "
        "or among the won cards.",
        "stock": "The cards still to be dealt in this deal: only their number.",
        "rejected": "The rejected first piles of this deal, four cards each, in order; a record, "
        "as these cards are back in play.",
    },
    facts={
        "captured_last": "The seat that captured last in this deal, which would get the cards "
        "left over; -1 before the first capture.",
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the other leads, here and after each six cards.",
        "deals": "The number of deals in the match.",
        "hands_won": "By seat, the hands won in the deals before; at the end, in all.",
        "phase": "The phase: play, or over at the end.",
        "points": "By seat, the points of the deals before; at the end, of all.",
        "xeris": "By seat, the xeris in this deal.",
    },
    actions={
        "play CARD": "Play a card of your hand onto the pile.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards, each time six are dealt.",
        "first-pile": "Its four cards; all but the last first pile of a deal were rejected.",
        "capture": "The seat; the number of cards it won, the one played included.",
        "xeri": "The seat; the number of cards it won, which is 2.",
        "take-rest": "The seat that captured last; the number of cards left over.",
        "score": "By seat, the points of the deal.",
    },
    reasons={"played-out": "All deals were played."},
    layout=Layout(
        score="hand|hands",
        piles=("pile", "won"),
        records=("played", "rejected"),
        facts={
            "points": by_seat("points"),
            "hands_won": by_seat("hands won"),
            "xeris": by_seat("xeris", zeros=False),
            "captured_last": at_seat("captured last"),
            "deal": at_table("deal", "{0} of {deals}"),
            "deals": UNSAID,
        },
        says={
            "play": "{actor:plays|play} {0}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "first-pile": "The first pile is {all}",
            "capture": "{actor:captures|capture} {0:card|cards}",
            "xeri": "{actor:makes|make} a xeri",
            "take-rest": "{actor:takes|take} the last {0:card|cards}",
            "score": "The deal scores {all:seats}",
        },
    ),
)
