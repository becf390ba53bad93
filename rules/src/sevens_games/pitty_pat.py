"""Pitty Pat: get rid of five cards by pairing them, one at a time, with the top discard.

Source: the article "Pitty Pat" by Denexa Games. `docs/games/pitty-pat.md` explains the game to bot
authors. What the article leaves open is ruled as follows:

1. The article has the deal, the turn and the object, but no score and no rule for an empty stock.
2. A seat that holds a card of the rank must match it. So a flip shows which rank the seat lacks.
3. The discard after a match is optional.
4. So it is after a match of the card that the seat has turned itself.
5. Of several cards of the rank any may be the one.
6. A card that was turned and not matched is the upcard, which the next seat may match.
7. An empty stock is renewed from the discard pile, at most three times: two hands may hold the same
   pairs for ever. A seat that can match still does; the deal ends when a card must be turned.
8. The last card can only go by a match; with two cards, a match and a discard win.
9. A deal won is a point, and the match ends when a seat has 7; luck is large in one deal.
10. Cards left in hands count nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sevens_games.cards import DECK, PLACE, RANK, dealt, in_order, redealt, replaced, without
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Result,
    State,
    Turn,
    Zone,
    at_table,
    by_seat,
    integer,
    ranks_by,
)

HAND = 5
RENEWALS = 3
STOCK = -1  # as a place for cards, besides the seats

MATCH = {card: Action[str](f"match {card}", card) for card in DECK}
FLIP = Action[str]("flip", "")
DISCARD = {card: Action[str](f"discard {card}", card) for card in DECK}
KEEP = Action[str]("keep", "")


@dataclass(frozen=True)
class Options:
    target: int = integer(
        7, "The number of deals to win, which ends the match.", minimum=1, maximum=100
    )


@dataclass(slots=True, kw_only=True)
class PittyPat(State):
    """By seat: `hands` (in canonical order), `lacks` (the ranks that all know the hand to lack, in
    this deal) and `won` (deals).

    The first card of `stock` is the next to be turned, the last of `discards` the upcard.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    renewals: int = 0
    turn: int = 0
    won: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: PittyPat) -> str | None:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.won = (0,) * s.players
    return deal(s)


def deal(s: PittyPat) -> str | None:
    """Five cards each; the next one is the first upcard."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()  # renewals of the stock belong to it
    cards = s.deals.shuffle(DECK)
    s.tell("deal", s.dealer, s.deal)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(cards, HAND, s.players, s.dealer + 1))
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    s.lacks = ("",) * s.players
    s.discards, s.stock = cards[HAND * s.players :][:1], cards[HAND * s.players :][1:]
    s.renewals = 0
    s.tell("upcard", None, *s.discards)
    return begin_turn(s, (s.dealer + 1) % s.players)


# The upcard ---------------------------------------------------------------------------------------


def begin_turn(s: PittyPat, seat: int) -> str | None:
    """The deal ends without a winner if a card must be turned and there is none."""
    s.turn = seat
    if no_card_is_left(s) and not matches(s, seat):
        s.tell("no-winner")
        return end_deal(s)
    return "upcard"


def no_card_is_left(s: PittyPat) -> bool:
    return not s.stock and s.renewals == RENEWALS


def seat_in_turn(s: PittyPat) -> int:
    return s.turn


def matches(s: PittyPat, seat: int) -> list[Action[str]]:
    """The cards of the upcard's rank."""
    rank = RANK[s.discards[-1]]
    return [MATCH[card] for card in s.hands[seat] if RANK[card] == rank]


def match_or_flip(s: PittyPat, seat: int) -> list[Action[str]]:
    return matches(s, seat) or [FLIP]


def match_or_turn_a_card(s: PittyPat, seat: int, action: Action[str]) -> str | None:
    if action is not FLIP:
        return match_upcard(s, seat, action)
    note_lack(s, seat)
    turn_a_card(s, seat)
    if matches(s, seat):
        return "turned"
    note_lack(s, seat)
    return begin_turn(s, (seat + 1) % s.players)


def turn_a_card(s: PittyPat, seat: int) -> None:
    if not s.stock:
        renew_stock(s)
    s.discards, s.stock = (*s.discards, s.stock[0]), s.stock[1:]
    s.tell("turned", seat, s.discards[-1])


def renew_stock(s: PittyPat) -> None:
    """All discards but the upcard are shuffled."""
    s.renewals += 1
    s.stock = s.deals.shuffle(in_order(s.discards[:-1], PLACE))
    s.discards = s.discards[-1:]
    s.tell("renew", None, len(s.stock))


def note_lack(s: PittyPat, seat: int) -> None:
    """A seat that does not match has no card of the rank, and never gets one in this deal."""
    rank = RANK[s.discards[-1]]
    if rank not in s.lacks[seat]:
        s.lacks = replaced(s.lacks, seat, s.lacks[seat] + rank)


# After a match ------------------------------------------------------------------------------------


def match_upcard(s: PittyPat, seat: int, action: Action[str]) -> str | None:
    lay(s, seat, action.value)
    return "discard" if s.hands[seat] else win_deal(s, seat)


def lay(s: PittyPat, seat: int, card: str) -> None:
    """The card is the upcard now."""
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.discards += (card,)


def any_card_or_keep(s: PittyPat, seat: int) -> list[Action[str]]:
    return [*[DISCARD[card] for card in s.hands[seat]], KEEP]


def discard_or_keep(s: PittyPat, seat: int, action: Action[str]) -> str | None:
    if action is not KEEP:
        lay(s, seat, action.value)
    return begin_turn(s, (seat + 1) % s.players) if s.hands[seat] else win_deal(s, seat)


# The end of a deal and of a match -----------------------------------------------------------------


def win_deal(s: PittyPat, seat: int) -> str | None:
    s.won = replaced(s.won, seat, s.won[seat] + 1)
    s.tell("win", seat, s.won[seat])
    return end_deal(s)


def end_deal(s: PittyPat) -> str | None:
    return None if is_won(s) or s.deal == most_deals(s) else deal(s)


def is_won(s: PittyPat) -> bool:
    return max(s.won) == int(s.options.target)


def most_deals(s: PittyPat) -> int:
    """More than a match needs if every deal has a winner."""
    return s.players * int(s.options.target)


def result(s: PittyPat) -> Result:
    return Result(list(s.won), ranks_by(s.won), "won" if is_won(s) else "limit")


# The view of a seat -------------------------------------------------------------------------------


def view(s: PittyPat, viewer: int | None) -> Observation:
    """All know the cards of a renewed stock, but not their order."""
    zones = [Zone("discards", None, s.discards)]
    for seat, hand in enumerate(s.hands):
        seen = hand if viewer in (seat, None) else ()
        zones.append(Zone("hand", seat, seen, len(hand) - len(seen)))
    if viewer is None:
        zones.append(Zone("stock", None, s.stock))
    elif s.renewals:
        zones.append(Zone("stock", None, in_order(s.stock, PLACE)))
    else:
        zones.append(Zone("stock", None, (), len(s.stock)))
    return Observation(tuple(zones), facts(s))


def facts(s: PittyPat) -> Facts:
    return Facts(
        {
            "deal": s.deal,
            "dealer": s.dealer,
            "lacks": s.lacks,
            "phase": s.phase or "over",
            "renewals": s.renewals,
            "target": s.options.target,
            "turn": s.turn if s.phase else -1,
            "won": s.won,
        }
    )


def redeal(s: PittyPat, viewer: int, rng: Random) -> None:
    """A hand holds no card of a rank that it is known to lack, and a seat that owes a match holds
    one. Once the stock is renewed, its cards are known, but not their order."""
    others = [seat for seat in range(s.players) if seat != viewer]
    unseen = [card for seat in others for card in s.hands[seat]]
    sizes = {seat: len(s.hands[seat]) for seat in others}
    if not s.renewals:
        unseen += s.stock
        sizes[STOCK] = len(s.stock)
    held: tuple[str, ...] = ()
    if must_match(s) and s.turn != viewer:
        sizes[s.turn] -= 1
        rank = RANK[s.discards[-1]]
        held = (rng.choice([card for card in unseen if RANK[card] == rank]),)
        unseen.remove(held[0])
    places = redealt(
        unseen,
        sizes,
        lambda place, card: place == STOCK or RANK[card] not in s.lacks[place],
        rng,
    )
    for seat in others:
        hand = places[seat] + (held if seat == s.turn else ())
        s.hands = replaced(s.hands, seat, in_order(hand, PLACE))
    s.stock = places.get(STOCK) or tuple(rng.sample(s.stock, len(s.stock)))


def must_match(s: PittyPat) -> bool:
    """True if all know that the seat in turn holds a card of the upcard's rank."""
    return s.phase == "turned" or (s.phase == "upcard" and no_card_is_left(s))


GAME = Game(
    slug="pitty-pat",
    title="Pitty Pat",
    summary="Pair your five cards, one at a time, with the top discard; the first without cards "
    "wins.",
    how_to_play=(
        "Each player gets five cards, and the first without cards wins the deal.",
        "If you hold a card of the rank of the top discard, you have to play it; if not, turn up "
        "the next card of the stock and match that one if you can.",
        "After a match, you may discard another card, which the next player then has to match.",
        "That choice is the skill of the game: a card that nobody can match keeps the others "
        "waiting.",
        "The first player to win seven deals wins the match.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=PittyPat,
    begin=begin,
    phases={
        "upcard": Turn(
            rule="A seat must match the upcard with a card of its rank; only if it has none, it "
            "turns a card.",
            who=seat_in_turn,
            may=match_or_flip,
            then=match_or_turn_a_card,
        ),
        "turned": Turn(
            rule="A seat must match the card that it has turned with a card of its rank.",
            who=seat_in_turn,
            may=matches,
            then=match_upcard,
        ),
        "discard": Turn(
            rule="After a match a seat discards a card of its hand or keeps them all.",
            who=seat_in_turn,
            may=any_card_or_keep,
            then=discard_or_keep,
        ),
    },
    view=view,
    redeal=redeal,
    result=result,
    deck=DECK,
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "discards": "The discard pile; its last card is the upcard.",
        "hand": "A seat's hand: your cards; for another seat, only their number.",
        "stock": "The stock: only the number of its cards; after a renewal its cards, in "
        "canonical order, as then only their order is hidden.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one has the first turn.",
        "lacks": "By seat, the ranks that its hand is known to lack, because it did not match "
        "them in this deal, as in 7QA.",
        "phase": "The phase: upcard (match it or turn a card), turned (match the card turned), "
        "discard, or over at the end.",
        "renewals": "The number of times the stock was renewed in this deal, at most 3.",
        "target": "The number of deals to win.",
        "turn": "The seat whose turn it is; -1 at the end.",
        "won": "By seat, the deals won.",
    },
    actions={
        "match CARD": "Put a card of the upcard's rank on the discard pile; compulsory if you "
        "hold one.",
        "flip": "Turn up the top card of the stock, as the new upcard; if you cannot match.",
        "discard CARD": "Put any card of your hand on the discard pile, after a match.",
        "keep": "Discard nothing after a match.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "upcard": "The first upcard of the deal.",
        "turned": "The seat; the card that it has turned, which is the upcard now.",
        "renew": "The number of discards shuffled into a new stock.",
        "win": "The seat without cards; the number of deals it has won.",
        "no-winner": "The deal ends without a winner.",
    },
    reasons={
        "won": "A seat has won the number of deals to win.",
        "limit": "All deals that the match may have were played.",
    },
    layout=Layout(
        score="deal won|deals won",
        clicks={"stock": ("flip",), "discards": ("keep",)},
        facts={
            "won": by_seat("deals won", "{0} of {target}"),
            "lacks": by_seat("has no", "{0:rank}"),
            "deal": at_table("deal"),
            "renewals": at_table("stock renewed", "{0:time|times}"),
            "target": UNSAID,
        },
        says={
            "match": "{actor:matches|match} with {0}",
            "flip": "{actor:turns|turn} a card",
            "discard": "{actor:discards|discard} {0}",
            "keep": "{actor:keeps|keep} the other cards",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "upcard": "The upcard is {0}",
            "turned": "{actor:turns|turn} up {0}",
            "renew": "{0:discard becomes|discards become} the new stock",
            "win": "{actor:wins|win} the deal, {0} in all",
            "no-winner": "The deal ends without a winner",
        },
    ),
)
