"""Crash (Thirteen-Card Brag): four three-card hands of thirteen cards, each compared with its own.

Source: the articles "Crash" and "Brag" by Denexa Games, of which we have all but the showdown.
`docs/games/crash.md` explains the game to bot authors. What the articles leave open is ruled as
follows:

1. Hands are chosen one by one, the strongest first, so that each arrangement has one way to be
   chosen, and no decision has more than 287 actions.
2. A seat may lay fewer hands than it could.
3. The highest run is A 2 3, the second A K Q. In all other respects the ace is high.
4. Nobody scores for a number whose strongest hands are equal.
5. A seat that wins all four hands, a crash, scores one point more, and nothing else.
6. Four cards of one rank are a prial and a card for another hand.
7. A hand has three cards, and at least a pair.
8. Cards not dealt stay out of play.
9. A fixed number of deals is the default; a target is an option, and the number of deals then
   limits a match of seats that always pass.
10. All seats choose at once and in all four steps, and all hands are shown after the last, so that
    neither the number of the questions nor their timing tells anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple

from sevens_games.cards import DECK, PLACE, brag_kind, brag_strength, dealt, in_order, replaced
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    Seen,
    Simultaneous,
    State,
    Zone,
    at_table,
    by_seat,
    integer,
    ranks_by,
)

DEALT = 13
NUMBERS = (1, 2, 3, 4)  # of a seat's hands, and of the steps of a deal
ZONES_OF_HANDS = tuple(f"hand-{number}" for number in NUMBERS)
POINTS_FOR_A_CRASH = 1
NOBODY = -1


class Hand(NamedTuple):
    cards: tuple[str, ...]
    strength: int


NO_HAND = Hand((), 0)
WEAKEST = brag_strength(("2C", "2D", "3C"))
STRONGEST = brag_strength(("3C", "3D", "3H"))

# Hands are shown after the last step: until then a choice tells nothing, not even that it was made.
PASS = Action[Hand]("pass", NO_HAND, public=None)
LAY: dict[tuple[str, ...], Action[Hand]] = {
    cards: Action[Hand](f"hand {' '.join(cards)}", Hand(cards, strength), public=None)
    for cards in combinations(DECK, 3)
    if (strength := brag_strength(cards)) >= WEAKEST
}


@dataclass(frozen=True)
class Options:
    deals: int = integer(20, "The maximum number of deals.", minimum=1, maximum=1000)
    target: int = integer(
        0,
        "If above 0, the points that end the match after the deal in which a seat reaches them.",
        minimum=0,
        maximum=100_000,
    )


@dataclass(slots=True, kw_only=True)
class Crash(State):
    """By seat: `hands`, its thirteen cards in canonical order; `laid`, by step of this deal, its
    hand, or NO_HAND if it passed; `points` of the match.

    `rest`: the cards not dealt. `shown`: by seat, the cards of its hands in the deal before.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    rest: tuple[str, ...] = ()
    laid: tuple[tuple[Hand, ...], ...] = ()
    shown: tuple[tuple[str, ...], ...] = ()
    points: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Crash) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.points = (0,) * s.players
    s.shown = ((),) * s.players
    return begin_deal(s)


def begin_deal(s: Crash) -> str:
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    stock = s.deals.shuffle(DECK)
    s.hands = tuple([in_order(h, PLACE) for h in dealt(stock, DEALT, s.players, s.dealer + 1)])
    s.rest = stock[DEALT * s.players :]
    s.laid = ((),) * s.players
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "dealt", seat, *hand)
    return "lay"


# Laying hands -------------------------------------------------------------------------------------


def everyone(s: Crash) -> range:
    return range(s.players)


def cards_laid(s: Crash, seat: int) -> tuple[str, ...]:
    return tuple([card for hand in s.laid[seat] for card in hand.cards])


def unused(s: Crash, seat: int) -> tuple[str, ...]:
    laid = cards_laid(s, seat)
    return tuple([card for card in s.hands[seat] if card not in laid])


def hands_or_pass(s: Crash, seat: int) -> list[Action[Hand]]:
    """Any three unused cards that are a hand, not stronger than the one before; after a pass no
    hand any more."""
    before = s.laid[seat]
    if NO_HAND in before:
        return [PASS]
    limit = before[-1].strength if before else STRONGEST
    hands = filter(None, map(LAY.get, combinations(unused(s, seat), 3)))
    return [*[hand for hand in hands if hand.value.strength <= limit], PASS]


def lay(s: Crash, choices: dict[int, Action[Hand]]) -> str | None:
    s.laid = tuple([(*before, choices[seat].value) for seat, before in enumerate(s.laid)])
    return "lay" if len(s.laid[0]) < len(NUMBERS) else show_hands(s)


# Scoring ------------------------------------------------------------------------------------------


def show_hands(s: Crash) -> str | None:
    for seat, laid in enumerate(s.laid):
        for number, hand in zip(NUMBERS, laid, strict=True):
            if hand != NO_HAND:
                s.tell("show", seat, number, *hand.cards)
    s.shown = tuple([cards_laid(s, seat) for seat in everyone(s)])
    return score_deal(s, [winner(s, number) for number in NUMBERS])


def winner(s: Crash, number: int) -> int:
    """The seat with the strongest hand of this number; nobody if two are equal, or none is laid."""
    hands = [laid[number - 1] for laid in s.laid]
    strengths = [hand.strength for hand in hands]
    strongest = max(strengths)
    if strongest == NO_HAND.strength or strengths.count(strongest) > 1:
        s.tell("no-winner", None, number)
        return NOBODY
    seat = strengths.index(strongest)
    s.tell("win", seat, number, brag_kind(hands[seat].cards))
    return seat


def score_deal(s: Crash, winners: list[int]) -> str | None:
    """A point for each hand won, and one more for all four."""
    won = [winners.count(seat) for seat in everyone(s)]
    if len(NUMBERS) in won:
        crasher = won.index(len(NUMBERS))
        won[crasher] += POINTS_FOR_A_CRASH
        s.tell("crash", crasher)
    s.points = tuple([before + now for before, now in zip(s.points, won, strict=True)])
    s.tell("score", None, *s.points)
    return None if s.deal == s.options.deals or target_reached(s) else begin_deal(s)


def target_reached(s: Crash) -> bool:
    return bool(0 < s.options.target <= max(s.points))


def result(s: Crash) -> Result:
    reason = "target" if target_reached(s) else "played-out"
    return Result(list(s.points), ranks_by(s.points), reason)


# The view of a seat -------------------------------------------------------------------------------


def hands_shown(s: Crash, seat: int) -> tuple[str, ...]:
    """The cards of this deal that the seat has shown: at the end those of its hands."""
    return s.shown[seat] if s.phase is None else ()


def view(s: Crash, viewer: int | None) -> Observation:
    """Other seats do not learn how many cards a seat has laid, so all thirteen stay in one zone."""
    zones = []
    for seat in everyone(s):
        own = viewer in (seat, None)
        seen = unused(s, seat) + cards_laid(s, seat) if own else hands_shown(s, seat)
        zones.append(Zone("hand", seat, seen, DEALT - len(seen)))
        if own or s.phase is None:
            steps = zip(ZONES_OF_HANDS, s.laid[seat], strict=False)  # those that are over
            zones += [Zone(zone, seat, hand.cards) for zone, hand in steps]
        zones.append(Zone("shown", seat, s.shown[seat]))
    if s.rest:
        seen_rest = s.rest if viewer is None else ()
        zones.append(Zone("rest", None, seen_rest, len(s.rest) - len(seen_rest)))
    return Observation(tuple(zones), facts(s))


def facts(s: Crash) -> Facts:
    return Facts(
        {
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "phase": s.phase or "over",
            "points": s.points,
            "step": min(len(s.laid[0]) + 1, len(NUMBERS)),
            "target": s.options.target,
        }
    )


def recall(s: Crash, seen: Seen) -> None:
    """The hands that others have laid are not known, only their number."""
    own = [seen.cards(zone, seen.seat) for zone in ZONES_OF_HANDS[: seen.fact("step") - 1]]
    s.laid = ((NO_HAND,) * len(own),) * s.players
    hands = tuple([LAY[cards].value if cards else NO_HAND for cards in own])
    s.laid = replaced(s.laid, seen.seat, hands)
    s.hands = replaced(s.hands, seen.seat, in_order(s.hands[seen.seat], PLACE))


def redeal(s: Crash, viewer: int, rng: Random) -> None:
    """All cards that have not been shown change places, and the other seats lay hands of their new
    cards: any that are legal, as nothing is known of them."""
    others = [seat for seat in everyone(s) if seat != viewer]
    hidden = [card for seat in others for card in s.hands[seat] if card not in hands_shown(s, seat)]
    unseen = [*hidden, *s.rest]
    rng.shuffle(unseen)
    for seat in others:
        shown = hands_shown(s, seat)
        new, unseen = unseen[: DEALT - len(shown)], unseen[DEALT - len(shown) :]
        s.hands = replaced(s.hands, seat, in_order([*shown, *new], PLACE))
        if s.phase is not None:
            lay_again(s, seat, rng)
    s.rest = tuple(unseen)


def lay_again(s: Crash, seat: int, rng: Random) -> None:
    steps = len(s.laid[seat])
    s.laid = replaced(s.laid, seat, ())
    for _ in range(steps):
        hand = rng.choice(hands_or_pass(s, seat)).value
        s.laid = replaced(s.laid, seat, (*s.laid[seat], hand))


GAME = Game(
    slug="crash",
    title="Crash",
    summary="Four brag hands of thirteen cards, laid in secret and compared number by number.",
    how_to_play=(
        "Each player gets thirteen cards and makes up to four hands of three cards, the strongest "
        "first.",
        "A hand is at least a pair; above it come the flush, the run, the run in one suit, and "
        "three of a rank.",
        "The hands are laid face down one after the other, and shown at the end.",
        "The first hands are compared with each other, then the second, the third and the fourth; "
        "the strongest of each scores a point, and nobody scores for equal ones.",
        "A player who wins all four scores a fifth point, and the most points after all deals win.",
    ),
    rules_version=1,
    players=(2, 3, 4),
    ladder_players=4,
    option_fields=Options,
    state=Crash,
    begin=begin,
    phases={
        "lay": Simultaneous(
            rule="A seat lays three unused cards that are a hand, not stronger than its hand "
            "before, or passes; after a pass it can only pass.",
            who=everyone,
            may=hands_or_pass,
            then=lay,
            ask_forced=True,  # a seat that has passed, or holds no hand, is asked like any other
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("shown", *ZONES_OF_HANDS),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "hand": "A seat's thirteen cards: yours, first those not used, then those laid; for other "
        "seats, only their number, and at the end of the match those of their hands.",
        **{
            name: f"The seat's hand of step {number}, once that is over, empty if it passed; a "
            "record, as its cards are among the thirteen. A seat sees only its own until the match "
            "is over."
            for number, name in zip(NUMBERS, ZONES_OF_HANDS, strict=True)
        },
        "shown": "The hands that a seat laid in the last finished deal, three cards each; a "
        "record.",
        "rest": "With 2 or 3 players: the cards not dealt, hidden and out of play.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt.",
        "deals": "The maximum number of deals in the match.",
        "phase": "The phase: lay, or over at the end.",
        "points": "By seat, the points of the deals before; at the end, of all.",
        "step": "The number of the hand that is laid now, from 1 to 4.",
        "target": "The points that end the match after a deal; 0 if there are none.",
    },
    actions={
        "hand CARD CARD CARD": "Lay three unused cards as your hand of this step: at least a pair, "
        "and not stronger than your hand before.",
        "pass": "Lay no hand in this step, nor in the later ones; always legal.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "dealt": "You; your thirteen cards.",
        "show": "A seat; the number of a hand that it laid, the three cards.",
        "win": "The seat whose hand of a number is the strongest; the number, the hand's kind.",
        "no-winner": "The number of which no hand was laid, or the strongest hands are equal.",
        "crash": "The seat that won all four hands.",
        "score": "By seat, the points so far.",
    },
    reasons={
        "played-out": "All deals were played.",
        "target": "A seat's points reached the target.",
    },
    layout=Layout(
        stocks=("rest",),
        records=("shown",),
        facts={
            "points": by_seat("points"),
            "step": at_table("hand to be laid", "{0} of 4"),
            "deal": at_table("deal", "{0} of at most {deals}"),
            "target": at_table("target", "{0:point|points}"),
            "deals": UNSAID,
        },
        says={
            "hand": "{actor:lays|lay} {all}",
            "pass": "{actor:passes|pass}",
            "deal": "{actor:deals|deal} hand {0}",
            "dealt": "{actor:is|are} dealt {all}",
            "show": "{actor:shows|show} hand {0}: {rest}",
            "win": "{actor:wins|win} hand {0} with a {1}",
            "no-winner": "Hand {0} has no winner",
            "crash": "{actor:makes|make} a crash",
            "score": "Points: {all:seats}",
        },
    ),
)
