"""Jack Change It: follow suit or rank and go out first; trick cards turn the game around.

Source: the article "Jack Change It" by Denexa Games, whose text we have up to the ace of hearts.
`docs/games/jack-change-it.md` explains the game to bot authors. What the article leaves open is
ruled as follows, mostly like other descriptions of the game:

1. A card follows the suit or the rank of the upcard.
2. A seat draws only if it can play nothing; but cards that are due may be drawn in any case.
3. A drawn card is not played in the same turn, and drawing the cards due is a whole turn.
4. A jack follows suit or rank like any other card, and names one of the other suits.
5. On a jack that was played goes the suit named, or another jack.
6. A trick card that is turned up first has no effect: no seat has played it.
7. The ace of hearts makes five cards due, seven if the two of hearts is played with it. No two
   answers it; the five of hearts does, unless the option `block` is off.
8. No trick card is a hand's last card. The five of hearts is plain, and so are queens of two
   players.
9. If all other cards are in hands, nothing is drawn, and play goes on.
10. A deal ends without a winner after 400 turns, so that it ends.
11. The article names only a winner. Here cards left in hand are penalty points, as in Jacks, Twos
    and Eights, and a fixed number of deals adds up.
12. Calling the last card is left out: the numbers of cards are public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from sevens_games.cards import (
    DECK,
    PLACE,
    RANK,
    RANKS,
    SUIT,
    SUITS,
    dealt,
    in_order,
    redealt,
    replaced,
    without,
)
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
    at_table,
    by_seat,
    flag,
    integer,
    ranks_by,
)

HAND = 7
MOST_TURNS = 400  # in a deal; random play of two seats needs more in one deal of 450
LEFT = 1  # the first direction; RIGHT is -1

ACE, ACES_TWO, BLOCK = "AH", "2H", "5H"
DUE_BY_A_TWO = 2
DUE_BY_THE_ACE = 5

# By whether only two play, for whom queens have no effect.
TRICK_CARDS = {
    two_play: frozenset(c for c in DECK if c == ACE or RANK[c] in ("28J" if two_play else "28JQ"))
    for two_play in (True, False)
}
# By suit and rank to follow.
FITTING = {
    (suit, rank): frozenset(card for card in DECK if SUIT[card] == suit or RANK[card] == rank)
    for suit in SUITS
    for rank in RANKS
}
TWOS = frozenset(card for card in DECK if RANK[card] == "2")
NO_CARDS: frozenset[str] = frozenset()

PENALTY_OF_RANK = {rank: min(place, 10) for place, rank in enumerate(RANKS, 1)} | {"J": 20}
PENALTY = {card: PENALTY_OF_RANK[RANK[card]] for card in DECK}


class Play(NamedTuple):
    cards: tuple[str, ...]
    suit: str  # to follow


DRAW = Action[Play]("draw", Play((), ""))
PLAY_BOTH = Action[Play](f"play {ACE} {ACES_TWO}", Play((ACE, ACES_TWO), "H"))


def plays_of(card: str) -> tuple[Action[Play], ...]:
    """The ways to play a card: a jack has one for each suit that it may name."""
    if RANK[card] != "J":
        return (Action(f"play {card}", Play((card,), SUIT[card])),)
    named = [suit for suit in SUITS if suit != SUIT[card]]
    return tuple(Action(f"play {card} {suit}", Play((card,), suit)) for suit in named)


PLAYS = {card: plays_of(card) for card in DECK}


@dataclass(frozen=True)
class Options:
    deals: int = integer(12, "The number of deals played.", minimum=1, maximum=100)
    block: bool = flag(True, "The five of hearts answers the ace of hearts.")


class Drawn(NamedTuple):
    """A card that a seat got in this turn (0: when hands were dealt) from the stock of this
    number: 0 for the first, then by renewal."""

    seat: int
    turn: int
    stock: int


class Laid(NamedTuple):
    """A card that a seat played in this turn, and the number of the stock it had come from."""

    card: str
    seat: int
    turn: int
    stock: int


class Lack(NamedTuple):
    """A seat that drew in this turn because it could not play: it had no card that fits this suit
    and rank, or no plain one if its hand was a single card."""

    seat: int
    turn: int
    suit: str
    rank: str
    cards: int


@dataclass(slots=True, kw_only=True)
class JackChangeIt(State):
    """By seat: `hands` (in canonical order); `points`, the penalty points of the deals before.

    The last card of `discards` is the upcard, the first of `stock` the next to be drawn. `suit`:
    the suit to follow. `due`: the number of cards due, `due_to` the rank that made them so (2 or A;
    empty if none are). `turns`: the number of turns begun in this deal. `first`: its first upcard.
    `renewed`: by renewal of this deal, the cards shuffled. `drawn`, `laid` and `lacks` are in the
    order of play.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    first: str = ""
    renewed: tuple[tuple[str, ...], ...] = ()
    suit: str = ""
    direction: int = LEFT
    due: int = 0
    due_to: str = ""
    turn: int = 0
    turns: int = 0
    drawn: tuple[Drawn, ...] = ()
    laid: tuple[Laid, ...] = ()
    lacks: tuple[Lack, ...] = ()
    points: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: JackChangeIt) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.points = (0,) * s.players
    return begin_deal(s)


def begin_deal(s: JackChangeIt) -> str:
    """Seven cards each, and one turned up; the seat after the dealer has the first turn."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.turn = (s.dealer + 1) % s.players
    s.deals.begin_deal()  # renewals of the stock belong to it
    cards = s.deals.shuffle(DECK)
    s.hands = tuple([in_order(hand, PLACE) for hand in dealt(cards, HAND, s.players, s.turn)])
    in_hands = HAND * s.players
    s.discards, s.stock = cards[in_hands : in_hands + 1], cards[in_hands + 1 :]
    s.first = s.discards[0]
    s.suit = SUIT[s.first]
    s.direction = LEFT
    s.due, s.due_to = 0, ""
    s.turns = 0
    s.renewed = ()
    s.drawn, s.laid, s.lacks = (), (), ()
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    s.tell("upcard", None, s.first)
    return "play"


# Ordinary turns -----------------------------------------------------------------------------------


def seat_in_turn(s: JackChangeIt) -> int:
    return s.turn


def trick_cards(s: JackChangeIt) -> frozenset[str]:
    return TRICK_CARDS[s.players == 2]


def cards_that_fit(s: JackChangeIt, seat: int) -> frozenset[str]:
    """The cards that the seat could play now if it held them."""
    return fitting(s, s.suit, RANK[s.discards[-1]], len(s.hands[seat]))


def fitting(s: JackChangeIt, suit: str, rank: str, cards: int) -> frozenset[str]:
    """The cards that a hand of so many could play. The last one must not be a trick card."""
    cards_fitting = FITTING[suit, rank]
    return cards_fitting - trick_cards(s) if cards == 1 else cards_fitting


def fitting_card_or_draw(s: JackChangeIt, seat: int) -> list[Action[Play]]:
    fit = cards_that_fit(s, seat)
    plays: list[Action[Play]] = []
    for card in s.hands[seat]:
        if card in fit:
            plays += PLAYS[card]
            if card == ACE and may_play_both(s.hands[seat]):
                plays.append(PLAY_BOTH)
    return plays or [DRAW]


def may_play_both(hand: tuple[str, ...]) -> bool:
    """The two of hearts goes along with the ace if a third card stays."""
    return ACES_TWO in hand and len(hand) > 2


def play_or_draw(s: JackChangeIt, seat: int, choice: Action[Play]) -> str | None:
    s.turns += 1
    if choice.value.cards:
        return lay(s, seat, choice.value)
    s.lacks += (Lack(seat, s.turns, s.suit, RANK[s.discards[-1]], len(s.hands[seat])),)
    if not draw(s, seat, 1):
        s.tell("nothing-left")
    return end_turn(s, 1)


# Turns when cards are due -------------------------------------------------------------------------


def answers(s: JackChangeIt, seat: int) -> frozenset[str]:
    if s.due_to == "2":
        return TWOS if len(s.hands[seat]) > 1 else NO_CARDS
    return frozenset((BLOCK,)) if s.options.block else NO_CARDS


def draw_or_answer(s: JackChangeIt, seat: int) -> list[Action[Play]]:
    answering = answers(s, seat)
    return [DRAW, *[play for c in s.hands[seat] if c in answering for play in PLAYS[c]]]


def answer_or_draw(s: JackChangeIt, seat: int, choice: Action[Play]) -> str | None:
    s.turns += 1
    if choice.value.cards:
        return lay(s, seat, choice.value)
    s.tell("take-due", seat, draw(s, seat, s.due))
    s.due, s.due_to = 0, ""
    return end_turn(s, 1)


# Drawing ------------------------------------------------------------------------------------------


def draw(s: JackChangeIt, seat: int, number: int) -> int:
    """Returns how many cards the seat got: fewer if nothing is left to draw."""
    got: tuple[str, ...] = ()
    while len(got) < number and (s.stock or renew_stock(s)):
        got += s.stock[:1]
        s.stock = s.stock[1:]
        s.drawn += (Drawn(seat, s.turns, len(s.renewed)),)
    s.hands = replaced(s.hands, seat, in_order(s.hands[seat] + got, PLACE))
    s.tell_only((seat,), "drawn", seat, *got)
    return len(got)


def renew_stock(s: JackChangeIt) -> bool:
    """All discards but the upcard are shuffled. False if there are none."""
    cards = in_order(s.discards[:-1], PLACE)
    if not cards:
        return False
    s.renewed += (cards,)
    s.discards = s.discards[-1:]
    s.stock = s.deals.shuffle(cards)
    s.tell("renew", None, *cards)
    return True


# Effects ------------------------------------------------------------------------------------------


def lay(s: JackChangeIt, seat: int, play: Play) -> str | None:
    for card in play.cards:
        s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
        s.laid += (Laid(card, seat, s.turns, stock_of(s, card)),)
    s.discards += play.cards
    s.suit = play.suit
    if not s.hands[seat]:
        s.tell("go-out", seat)
        return end_deal(s)
    make_due(s, play.cards)
    return turn_or_skip(s, RANK[play.cards[-1]])


def stock_of(s: JackChangeIt, card: str) -> int:
    """The number of the stock that the card was last in: 0 for the first, then by renewal."""
    return max([n for n, cards in enumerate(s.renewed, 1) if card in cards], default=0)


def make_due(s: JackChangeIt, cards: tuple[str, ...]) -> None:
    """Twos add up; any other card ends what was due."""
    if cards[0] == ACE:
        s.due, s.due_to = DUE_BY_THE_ACE + DUE_BY_A_TWO * (len(cards) - 1), "A"
    elif RANK[cards[0]] == "2":
        s.due, s.due_to = s.due + DUE_BY_A_TWO, "2"
    else:
        s.due, s.due_to = 0, ""


def turn_or_skip(s: JackChangeIt, rank: str) -> str | None:
    """A queen reverses the direction, unless two play; an eight skips a seat."""
    if rank == "Q" and s.players > 2:
        s.direction = -s.direction
    return end_turn(s, 2 if rank == "8" else 1)


def end_turn(s: JackChangeIt, seats_on: int) -> str | None:
    s.turn = (s.turn + s.direction * seats_on) % s.players
    if s.turns == MOST_TURNS:
        s.tell("no-winner")
        return end_deal(s)
    return "due" if s.due else "play"


# Scoring ------------------------------------------------------------------------------------------


def end_deal(s: JackChangeIt) -> str | None:
    """All hands are shown, and the cards left count against their seats."""
    for seat, hand in enumerate(s.hands):
        s.tell("show", seat, *hand)
    left = [sum([PENALTY[card] for card in hand]) for hand in s.hands]
    s.points = tuple([before + now for before, now in zip(s.points, left, strict=True)])
    s.tell("score", None, *left)
    return begin_deal(s) if s.deal < s.options.deals else None


def result(s: JackChangeIt) -> Result:
    scores = [-points for points in s.points]
    return Result(scores, ranks_by(scores), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def view(s: JackChangeIt, viewer: int | None) -> Observation:
    zones = [Zone("discards", None, s.discards)]
    for seat, hand in enumerate(s.hands):
        seen = viewer in (seat, None) or s.phase is None  # at the end all have been shown
        zones.append(Zone("hand", seat, hand) if seen else Zone("hand", seat, (), len(hand)))
    seen_stock = s.stock if viewer is None else ()
    zones.append(Zone("stock", None, seen_stock, len(s.stock) - len(seen_stock)))
    zones.append(Zone("renewed", None, s.renewed[-1] if s.renewed else ()))
    return Observation(tuple(zones), facts(s))


def facts(s: JackChangeIt) -> Facts:
    return Facts(
        {
            "block": int(s.options.block),
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "drawn": texts(s.drawn),
            "direction": "left" if s.direction == LEFT else "right",
            "due": s.due,
            "due_to": s.due_to,
            "first": s.first,
            "lacks": texts(s.lacks),
            "laid": texts(s.laid),
            "phase": s.phase or "over",
            "points": s.points,
            "renewals": len(s.renewed),
            "shuffled": tuple(map(" ".join, s.renewed)),
            "suit": s.suit,
            "turn": s.turn,
            "turns": s.turns,
        }
    )


def texts(history: Sequence[tuple[object, ...]]) -> tuple[str, ...]:
    return tuple(map(text, history))


@lru_cache(MOST_TURNS)
def text(happened: tuple[object, ...]) -> str:
    return " ".join(map(str, happened))


def recall(s: JackChangeIt, seen: Seen) -> None:
    s.direction = LEFT if seen.fact("direction") == "left" else -LEFT
    s.renewed = tuple([tuple(text.split()) for text in seen.fact("shuffled")])
    s.drawn = tuple([Drawn(*map(int, text.split())) for text in seen.fact("drawn")])
    laid = [text.split() for text in seen.fact("laid")]
    s.laid = tuple([Laid(card, *map(int, numbers)) for card, *numbers in laid])
    lacks = [text.split() for text in seen.fact("lacks")]
    s.lacks = tuple([Lack(int(p), int(t), suit, rank, int(n)) for p, t, suit, rank, n in lacks])


STOCK = -1  # as a place for cards, besides the draws


def redeal(s: JackChangeIt, viewer: int, rng: Random) -> None:
    """Stock by stock, the cards that came from it go again to those who drew from it.

    A stock is used up before the next one is made, so it is public how many of its cards each seat
    has drawn, when, and which of them it has played since. A seat that drew since it could not play
    had no card that fitted, so a card that did fit came to it later, or was gone by then.
    """
    if s.phase is None:
        return
    held: dict[int, tuple[str, ...]] = dict.fromkeys((*range(s.players), STOCK), ())
    for stock in range(len(s.renewed) + 1):
        laid = {one.card: one for one in s.laid if one.stock == stock}
        for place, cards in redealt_stock(s, viewer, stock, laid, rng):
            held[place] += tuple([card for card in cards if card not in laid])
    for seat in range(s.players):
        if seat != viewer:
            s.hands = replaced(s.hands, seat, in_order(held[seat], PLACE))
    s.stock = held[STOCK]


def redealt_stock(
    s: JackChangeIt, viewer: int, stock: int, laid: Mapping[str, Laid], rng: Random
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yields the cards of one stock that the viewer did not get, by the seats that got them, or by
    STOCK. Each draw is a place of its own."""
    cards = [card for card in cards_of_stock(s, stock) if not is_viewers(s, viewer, card, laid)]
    draws = [drawn for drawn in all_draws(s) if drawn.stock == stock and drawn.seat != viewer]
    sizes = dict.fromkeys(range(len(draws)), 1)
    sizes[STOCK] = len(s.stock) if stock == len(s.renewed) else 0
    earliest = earliest_turns(s, cards, laid)

    def may_lie(place: int, card: str) -> bool:
        one = laid.get(card)
        if place == STOCK:
            return one is None
        seat, turn, _ = draws[place]
        in_time = one is None or (seat == one.seat and turn < one.turn)
        return in_time and turn >= earliest.get((seat, card), 0)

    for place, lying in redealt(cards, sizes, may_lie, rng).items():
        yield STOCK if place == STOCK else draws[place].seat, lying


def all_draws(s: JackChangeIt) -> list[Drawn]:
    """The cards of the deal, and those drawn since."""
    return [Drawn(seat, 0, 0) for seat in range(s.players) for _ in range(HAND)] + [*s.drawn]


def cards_of_stock(s: JackChangeIt, stock: int) -> tuple[str, ...]:
    """Hands are dealt from the first stock, the first upcard was in none."""
    return s.renewed[stock - 1] if stock else without(DECK, s.first)


def is_viewers(s: JackChangeIt, viewer: int, card: str, laid: Mapping[str, Laid]) -> bool:
    """True if it was the viewer who got the card from its stock."""
    return laid[card].seat == viewer if card in laid else card in s.hands[viewer]


def earliest_turns(
    s: JackChangeIt, cards: list[str], laid: Mapping[str, Laid]
) -> dict[tuple[int, str], int]:
    """By seat and card, the turn before which the seat cannot have got it, if there is one."""
    return {
        (lack.seat, card): lack.turn
        for lack in s.lacks
        for card in fitting(s, lack.suit, lack.rank, lack.cards).intersection(cards)
        if (card not in laid or lack.turn < laid[card].turn)
    }


GAME = Game(
    slug="jack-change-it",
    title="Jack Change It",
    summary="Follow suit or rank and go out first; twos, eights, queens and jacks change the turn.",
    how_to_play=(
        "In turn, play a card of the same suit or rank as the last one, or draw a card if you "
        "cannot.",
        "A two makes the next player draw two cards, unless that player answers with another two; "
        "the ace of hearts makes it five.",
        "An eight skips the next player, a jack lets you name the suit to follow, and with three "
        "or more players a queen turns the direction round.",
        "None of these cards can be your last one.",
        "The first player without cards ends the deal, and the others count the cards that they "
        "still hold as penalty points.",
        "The fewest points over all deals win.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5, 6),
    ladder_players=4,
    ladder_duplicate=True,
    option_fields=Options,
    state=JackChangeIt,
    begin=begin,
    phases={
        "play": Turn(
            rule="A seat plays a card of the suit to follow or of the upcard's rank, but no trick "
            "card as its last; it draws only if it can play nothing.",
            who=seat_in_turn,
            may=fitting_card_or_draw,
            then=play_or_draw,
        ),
        "due": Turn(
            rule="A seat draws the cards due or answers: a two with a two that is not its last "
            "card, the ace of hearts with the five of hearts.",
            who=seat_in_turn,
            may=draw_or_answer,
            then=answer_or_draw,
            ask_forced=True,  # a seat that draws may hold an answer or not
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
        "discards": "The discard pile; its last card is the upcard.",
        "hand": "A seat's hand: your cards; for other seats, only their number. At the end of the "
        "match, all cards.",
        "stock": "The stock: only the number of its cards.",
        "renewed": "The cards shuffled at this deal's last renewal of the stock; a record, as "
        "these cards are back in play.",
    },
    facts={
        "block": "1 if the five of hearts answers the ace of hearts, otherwise 0.",
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one had the first turn.",
        "deals": "The number of deals in the match.",
        "direction": "The direction of play: left (from seat s to s+1) or right.",
        "drawn": "The cards that seats have drawn in this deal, in order: the seat, the number of "
        "the turn, and that of the stock, which is 0 for the first.",
        "due": "The number of cards due, which the seat in turn draws or answers; 0 if none are.",
        "due_to": "The rank that made cards due: 2 or A; empty if none are.",
        "first": "The first upcard of this deal.",
        "lacks": "The draws of this deal for want of a card, in order: the seat, the number of the "
        "turn, the suit and the rank to follow, and the number of cards in hand.",
        "laid": "The cards played in this deal, in order: the card, the seat, the number of the "
        "turn, and that of the stock from which the card had come.",
        "phase": "The phase: play, due, or over at the end.",
        "points": "By seat, the penalty points of the deals before; at the end, of all.",
        "renewals": "The number of times the stock was renewed in this deal.",
        "shuffled": "By renewal of this deal, the cards shuffled, with spaces.",
        "suit": "The letter of the suit to follow: that of the upcard, or the one named with a "
        "jack.",
        "turn": "The seat whose turn it is.",
        "turns": "The number of turns taken in this deal; it ends after 400.",
    },
    actions={
        "play CARD": "Play a card that fits, or one that answers what is due.",
        "play CARD SUIT": "Play a jack that fits, and name one of the other suits.",
        "play CARD CARD": "Play the ace and the two of hearts together, with a card left in hand.",
        "draw": "Draw a card because nothing can be played; or draw the cards due.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "upcard": "The first upcard.",
        "drawn": "You; the cards that you drew.",
        "take-due": "The seat that drew the cards due; their number.",
        "nothing-left": "There was no card to draw.",
        "renew": "The discards that were shuffled into a new stock.",
        "go-out": "The seat that played its last card.",
        "no-winner": "The deal ends after 400 turns.",
        "show": "A seat; the cards left in its hand at the end of the deal.",
        "score": "By seat, the penalty points of the deal.",
    },
    reasons={"played-out": "All deals were played."},
    layout=Layout(
        records=("renewed",),
        facts={
            "suit": at_table("suit to follow", "{0:suit}"),
            "due": at_table("cards due"),
            "direction": at_table("play goes", "{0:direction}"),
            "points": by_seat("penalty points"),
            "deal": at_table("deal", "{0} of {deals}"),
            "turns": at_table("turns taken", "{0} of at most 400"),
            "renewals": at_table("stock renewed", "{0:time|times}"),
            "block": UNSAID,
            "deals": UNSAID,
            "due_to": UNSAID,
            "drawn": UNSAID,
            "first": UNSAID,
            "lacks": UNSAID,
            "laid": UNSAID,
            "shuffled": UNSAID,
        },
        words={"direction": {"left": "to the left", "right": "to the right"}},
        says={
            "play": "{actor:plays|play} {all:named}",
            "draw": "{actor:draws|draw}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "upcard": "The first upcard is {0}",
            "drawn": "{actor:gets|get} {all:held}",
            "take-due": "{actor:takes|take} {0:card|cards}",
            "nothing-left": "No card is left to draw",
            "renew": "The stock is renewed with {all}",
            "go-out": "{actor:goes|go} out",
            "no-winner": "The deal ends without a winner",
            "show": "{actor:is|are} left with {all:held}",
            "score": "The deal costs {all:seats}",
        },
    ),
)
