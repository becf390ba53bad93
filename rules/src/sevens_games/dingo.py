"""Dingo: a hunt for each rank, in which the last black card catches the diamond.

Source: the article "Dingo" by Denexa Games. `docs/games/dingo.md` explains the game to bot authors.
Hearts are dingoes, diamonds rabbits, black cards wolves. What the article leaves open is ruled as
follows:

1. The article's game is one deal, which is mostly luck; a match adds up four, so that each seat
   deals once.
2. The holder of a dingo must play it at once, so it is played without a decision.
3. While a wolf of the rank may still appear, every seat in turn is asked, whether it holds one or
   not; once both are publicly out of play, no seat is.
4. A seat plays one wolf of a rank at most (2 to K), even if it holds both.
5. The dingo player's own wolves take no part in that hunt (2 to K).
6. AD is played without a decision, in its holder's turn, if both black aces have been played by
   then.
7. The dingo player's own black ace also saves AH from the penalty pile.
8. The second wolf goes to its player's score pile, along with the rabbit.
9. An ace may be given, and so may a card just received; only discarding aces is forbidden.
10. All discards stay public, not only the top one.
11. Red cards are never left over: they are discarded or played, and AD is played or shown.
12. In a match of one deal, the highest rabbit in the score pile orders equal scores, for all ranks;
    over several deals, equal totals tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from sevens_games.cards import DECK, PLACE, RANK, RANKS_UP, SUIT, dealt, in_order, replaced, without
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

# The rabbits 2D to KD are laid out and never dealt; AD is hunted last, and dealt like the rest.
PACK = tuple(card for card in DECK if SUIT[card] != "D" or RANK[card] == "A")

# By hunt: the ranks are hunted in the order of RANKS_UP.
RABBITS = tuple(f"{rank}D" for rank in RANKS_UP)
DINGOES = tuple(f"{rank}H" for rank in RANKS_UP)
WOLVES = tuple((f"{rank}C", f"{rank}S") for rank in RANKS_UP)
ACES = 12  # the last hunt, which has its own rules
ACE_RABBIT = RABBITS[ACES]

HAND = 10
STEPS = 7  # of the preparation: the odd ones are discards, in the even ones cards are given
GIVE_TO = ("left", "across", "right")
NOBODY = -1

PENALTY = {card: 3 if RANK[card] == "A" else 2 if RANK[card] in "TJQK" else 1 for card in DECK}
POINTS = {**PENALTY, ACE_RABBIT: 10}

DISCARD = {card: Action[str](f"discard {card}", card) for card in PACK if RANK[card] != "A"}
GIVE = {card: Action[str](f"give {card}", card, public="give") for card in PACK}
PASS = Action[tuple[str, ...]]("pass", ())
PLAY = {card: Action[tuple[str, ...]](f"play {card}", (card,)) for card in PACK}
PLAY_BOTH_ACES = Action[tuple[str, ...]](f"play {' '.join(WOLVES[ACES])}", WOLVES[ACES])
# By hunt and by whether a seat has (club, spade): its actions.
PLAYS = [
    {
        (False, False): (PASS,),
        (True, False): (PASS, PLAY[club]),
        (False, True): (PASS, PLAY[spade]),
        (True, True): (PASS, PLAY[club], PLAY[spade]),
    }
    for club, spade in WOLVES
]
PLAYS[ACES][True, True] += (PLAY_BOTH_ACES,)


@dataclass(frozen=True)
class Options:
    deals: int = integer(
        4,
        "The number of deals that are added up; the published game has 1.",
        minimum=1,
        maximum=100,
    )


@dataclass(slots=True, kw_only=True)
class Dingo(State):
    """By seat: `hands` (in canonical order), the cards `played` in the hunts, the piles `score` and
    `penalty` of this deal without the rabbits 2D to KD, and `totals` of the deals before.

    `discards` and `gifts` are in the order made, four in each step. `hunt`: its place in RANKS_UP.
    `table`: the cards of this hunt, the dingo first. `caught`: by rabbit from 2D on, the seat that
    caught it, or NOBODY.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    discards: tuple[str, ...] = ()
    gifts: tuple[str, ...] = ()
    hunt: int = NOBODY
    dingo_player: int = NOBODY
    turn: int = 0
    table: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    score: tuple[tuple[str, ...], ...] = ()
    penalty: tuple[tuple[str, ...], ...] = ()
    caught: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Dingo) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.totals = (0,) * s.players
    return begin_deal(s)


def begin_deal(s: Dingo) -> str:
    """The 40 cards of the pack are dealt out; the rabbits are face up."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    stock = s.deals.shuffle(PACK)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, HAND, s.players, s.dealer + 1))
    s.discards = s.gifts = s.table = ()
    s.hunt = s.dingo_player = NOBODY
    s.played = s.score = s.penalty = ((),) * s.players
    s.caught = ()
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    return "discard"


# Preparation --------------------------------------------------------------------------------------


def turns_made(s: Dingo) -> int:
    return len(s.discards) + len(s.gifts)


def seat_to_prepare(s: Dingo) -> int:
    """In each step every seat acts once, the dealer first."""
    return (s.dealer + turns_made(s)) % s.players


def any_but_an_ace(s: Dingo, seat: int) -> list[Action[str]]:
    return [DISCARD[card] for card in s.hands[seat] if card in DISCARD]


def discard(s: Dingo, seat: int, action: Action[str]) -> str | None:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], action.value))
    s.discards += (action.value,)
    return next_step(s)


def any_card(s: Dingo, seat: int) -> list[Action[str]]:
    return [GIVE[card] for card in s.hands[seat]]


def give(s: Dingo, seat: int, action: Action[str]) -> str | None:
    """The card moves at once: a receiver that gives later in this step may give that very card."""
    card, to = action.value, receiver(s, seat, len(s.gifts))
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.hands = replaced(s.hands, to, in_order((*s.hands[to], card), PLACE))
    s.gifts += (card,)
    s.tell_only((to,), "receive", seat, card)
    return next_step(s)


def receiver(s: Dingo, giver: int, gift: int) -> int:
    """The first four gifts go to the left, the next four across, the last four to the right."""
    return (giver + 1 + gift // s.players) % s.players


def next_step(s: Dingo) -> str | None:
    step = turns_made(s) // s.players
    if step == STEPS:
        return begin_hunt(s)
    return "give" if step % 2 else "discard"


# The hunts from 2 to K ----------------------------------------------------------------------------


def begin_hunt(s: Dingo) -> str | None:
    """The seat that holds the dingo plays it; if it was discarded, the rabbit is discarded too."""
    s.hunt = len(s.caught)
    dingo = DINGOES[s.hunt]
    if dingo in s.discards:
        return end_hunt(s, NOBODY)
    s.dingo_player = s.turn = owner(s.hands, dingo)
    s.tell("dingo", s.dingo_player, dingo)
    lay(s, s.dingo_player, dingo)
    return next_turn(s) if s.hunt < ACES else begin_ace_hunt(s)


def owner(cards_by_seat: tuple[tuple[str, ...], ...], card: str) -> int:
    return next(seat for seat, cards in enumerate(cards_by_seat) if card in cards)


def lay(s: Dingo, seat: int, card: str) -> None:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.played = replaced(s.played, seat, (*s.played[seat], card))
    s.table += (card,)


def next_turn(s: Dingo) -> str | None:
    """The other three in turn, while a wolf of the rank is out."""
    s.turn = (s.turn + 1) % s.players
    if s.turn == s.dingo_player or not wolf_is_out(s):
        return end_chase(s)
    return "hunt"


def wolf_is_out(s: Dingo) -> bool:
    return any(wolf not in s.discards and wolf not in s.table for wolf in WOLVES[s.hunt])


def seat_to_hunt(s: Dingo) -> int:
    return s.turn


def wolves_in_hand(s: Dingo, seat: int) -> tuple[Action[tuple[str, ...]], ...]:
    club, spade = WOLVES[s.hunt]
    hand = s.hands[seat]
    return PLAYS[s.hunt][club in hand, spade in hand]


def join_hunt(s: Dingo, seat: int, play: Action[tuple[str, ...]]) -> str | None:
    for wolf in play.value:
        lay(s, seat, wolf)
    return next_turn(s)


def end_chase(s: Dingo) -> str | None:
    """The last wolf catches the rabbit; the dingo player scores the dingo and the wolf before. If
    no wolf came the dingo is a penalty."""
    dingo, *wolves = s.table
    if not wolves:
        to_penalty_pile(s, s.dingo_player, dingo)
        return end_hunt(s, NOBODY)
    catcher = owner(s.played, wolves[-1])
    to_score_pile(s, catcher, wolves[-1])
    to_score_pile(s, s.dingo_player, dingo, *wolves[:-1])
    return end_hunt(s, catcher)


def to_score_pile(s: Dingo, seat: int, *cards: str) -> None:
    s.score = replaced(s.score, seat, s.score[seat] + cards)


def to_penalty_pile(s: Dingo, seat: int, card: str) -> None:
    s.penalty = replaced(s.penalty, seat, (*s.penalty[seat], card))


def end_hunt(s: Dingo, catcher: int) -> str | None:
    rabbit = RABBITS[s.hunt]
    s.caught += (catcher,)
    s.dingo_player = NOBODY
    s.table = ()
    if catcher == NOBODY:
        s.tell("escape", None, rabbit)
    else:
        s.tell("catch", catcher, rabbit)
    return begin_hunt(s) if s.hunt < ACES else end_deal(s)


# The hunt of the aces -----------------------------------------------------------------------------


def begin_ace_hunt(s: Dingo) -> str:
    """The others have one turn each, then the dingo player too."""
    s.turn = (s.dingo_player + 1) % s.players
    return "ace-hunt"


def join_ace_hunt(s: Dingo, seat: int, play: Action[tuple[str, ...]]) -> str | None:
    for ace in play.value:
        lay(s, seat, ace)
    if seat == s.dingo_player or not wolf_is_out(s):
        return end_ace_chase(s)
    s.turn = (seat + 1) % s.players
    return "ace-hunt"


def end_ace_chase(s: Dingo) -> str | None:
    dingo, *wolves = s.table
    for ace in wolves:
        to_score_pile(s, owner(s.played, ace), ace)
    if wolves:
        to_score_pile(s, s.dingo_player, dingo)
    else:
        to_penalty_pile(s, s.dingo_player, dingo)
    return hunt_ace_rabbit(s)


def hunt_ace_rabbit(s: Dingo) -> str | None:
    """Played in its holder's turn if both black aces are out by then; else shown, as a penalty."""
    holder = owner(s.hands, ACE_RABBIT)
    if not wolf_is_out(s) and still_has_its_turn(s, holder):
        s.tell("rabbit", holder, ACE_RABBIT)
        lay(s, holder, ACE_RABBIT)
        to_score_pile(s, holder, ACE_RABBIT)
        return end_hunt(s, holder)
    s.tell("show", holder, ACE_RABBIT)
    s.hands = replaced(s.hands, holder, without(s.hands[holder], ACE_RABBIT))
    to_penalty_pile(s, holder, ACE_RABBIT)
    return end_hunt(s, NOBODY)


def still_has_its_turn(s: Dingo, seat: int) -> bool:
    """True if the seat comes after the one that played last, or is that one itself."""
    first = s.dingo_player + 1
    return (seat - first) % s.players >= (s.turn - first) % s.players


# Scoring ------------------------------------------------------------------------------------------


def deal_score(s: Dingo, seat: int) -> int:
    """The value of the score pile less that of the penalty pile."""
    rabbits = [RABBITS[hunt] for hunt, by in enumerate(s.caught[:ACES]) if by == seat]
    scored = sum([POINTS[card] for card in (*s.score[seat], *rabbits)])
    return scored - sum([PENALTY[card] for card in s.penalty[seat]])


def deal_scores(s: Dingo) -> tuple[int, ...]:
    return tuple([deal_score(s, seat) for seat in range(s.players)])


def end_deal(s: Dingo) -> str | None:
    """The cards left are shown."""
    for seat, hand in enumerate(s.hands):
        s.tell("left", seat, *hand)
    scores = deal_scores(s)
    s.totals = tuple(map(sum, zip(s.totals, scores, strict=True)))
    s.tell("score", None, *scores)
    return begin_deal(s) if s.deal < s.options.deals else None


def highest_rabbit(s: Dingo, seat: int) -> int:
    """Its hunt, the later the higher; -1 without one."""
    return max([hunt for hunt, by in enumerate(s.caught) if by == seat], default=-1)


def result(s: Dingo) -> Result:
    tie_breaks = [highest_rabbit(s, seat) if s.options.deals == 1 else 0 for seat in range(4)]
    merits = list(zip(s.totals, tie_breaks, strict=True))
    return Result(list(s.totals), ranks_by(merits), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def giver(s: Dingo, gift: int) -> int:
    return (s.dealer + gift) % s.players


def gift_between(s: Dingo, seat: int, to: int) -> int:
    """The place among the gifts of the one that goes from a seat to another."""
    step = (to - seat - 1) % s.players
    return step * s.players + (seat - s.dealer) % s.players


def given(s: Dingo, seat: int) -> tuple[str, ...]:
    """In the order given: to the left, across, to the right."""
    return s.gifts[(seat - s.dealer) % s.players :: s.players]


def received(s: Dingo, seat: int) -> tuple[str, ...]:
    """In the order received: from the right, from across, from the left."""
    gifts = [gift_between(s, (seat - step) % s.players, seat) for step in (1, 2, 3)]
    return tuple([s.gifts[gift] for gift in gifts if gift < len(s.gifts)])


def known_in_hand(s: Dingo, viewer: int, seat: int) -> tuple[str, ...]:
    """The card that the viewer gave the seat, unless the seat may have given it away since."""
    if s.phase is None:
        return s.hands[seat]  # shown at the end
    gift = gift_between(s, viewer, seat)
    if seat in [giver(s, later) for later in range(gift + 1, len(s.gifts))]:
        return ()
    return tuple([card for card in s.gifts[gift : gift + 1] if card in s.hands[seat]])


def view(s: Dingo, viewer: int | None) -> Observation:
    zones = [Zone("table", None, s.table), Zone("discards", None, s.discards)]
    for seat, hand in enumerate(s.hands):
        known = hand if viewer in (seat, None) else known_in_hand(s, viewer, seat)
        zones.append(Zone("hand", seat, known, len(hand) - len(known)))
        zones.append(Zone("played", seat, s.played[seat]))
        zones.append(Zone("score", seat, s.score[seat]))
        zones.append(Zone("penalty", seat, s.penalty[seat]))
        if viewer in (seat, None):
            zones.append(Zone("given", seat, given(s, seat)))
            zones.append(Zone("received", seat, received(s, seat)))
    return Observation(tuple(zones), facts(s))


def facts(s: Dingo) -> Facts:
    step = turns_made(s) // s.players
    return Facts(
        {
            "caught": s.caught,
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "dingo_player": s.dingo_player,
            "give_to": GIVE_TO[step // 2] if s.phase == "give" else "",
            "hunt": RANKS_UP[s.hunt] if s.hunt != NOBODY else "",
            "phase": s.phase or "over",
            "rabbits": RABBITS[len(s.caught) : ACES],
            "scores": deal_scores(s),
            "step": step + 1 if step < STEPS else 0,
            "totals": s.totals,
            "turn": turn(s) if s.phase else NOBODY,
        }
    )


def turn(s: Dingo) -> int:
    return s.turn if turns_made(s) == STEPS * s.players else seat_to_prepare(s)


class Past(NamedTuple):
    """A possible course of the preparation, as far as a viewer's gifts are concerned.

    `gifts`: the cards given so far; empty where it was none that the viewer gave away. `at`: where
    the cards that the viewer gave away are now, unseen. `likelihood`: the rough probability of this
    past.
    """

    gifts: tuple[str, ...]
    at: dict[str, int]
    likelihood: float


# The chance that a seat gives this very card: it has eight, but unwanted cards go from hand to
# hand.
GIVEN_ON = 1 / 4


def recall(s: Dingo, seen: Seen) -> None:
    """Of the gifts, the viewer knows those that it gave or received."""
    s.hunt = RANKS_UP.index(seen.fact("hunt")) if seen.fact("hunt") else NOBODY
    step, seat = seen.fact("step") or STEPS + 1, seen.seat
    made = (step - 1) * s.players + (step <= STEPS) * ((s.turn - s.dealer) % s.players)
    gifts = [""] * (made - len(s.discards))
    gifts[(seat - s.dealer) % s.players :: s.players] = seen.cards("given", seat)
    for distance, card in enumerate(seen.cards("received", seat), 1):
        gifts[gift_between(s, (seat - distance) % s.players, seat)] = card
    s.gifts = tuple(gifts)


def redeal(s: Dingo, viewer: int, rng: Random) -> None:
    """A card that the viewer gave away is wherever later gifts can have taken it; all other
    unseen cards can be anywhere. The gifts among the other seats become ones that lead to the
    cards they have."""
    if s.phase is None:
        return
    others = [seat for seat in range(s.players) if seat != viewer]
    pasts = [past for past in possible_pasts(s, viewer) if fits(s, past, others)]
    [past] = rng.choices(pasts, [past.likelihood for past in pasts])
    unseen = [card for seat in others for card in s.hands[seat] if card not in past.at]
    rng.shuffle(unseen)
    for seat in others:
        hand = [card for card, at in past.at.items() if at == seat]
        while len(hand) < len(s.hands[seat]):
            hand.append(unseen.pop())
        s.hands = replaced(s.hands, seat, in_order(hand, PLACE))
    s.gifts = with_gifts_among_others(s, viewer, past, rng)


def fits(s: Dingo, past: Past, others: Iterable[int]) -> bool:
    places = list(past.at.values())
    return all(places.count(seat) <= len(s.hands[seat]) for seat in others)


def possible_pasts(s: Dingo, viewer: int) -> list[Past]:
    """All ways in which the cards that the viewer gave away can have moved on since."""
    pasts = [Past((), {}, 1.0)]
    for turn in range(turns_made(s)):
        step, place = divmod(turn, s.players)
        seat, number = giver(s, place), step // 2 * s.players + place
        if step % 2 == 0:
            pasts = [past for before in pasts for past in seen(before, seat, s.discards[number])]
        else:
            to = receiver(s, seat, number)
            pasts = [
                past
                for before in pasts
                for past in after_gift(before, viewer, seat, to, s.gifts[number])
            ]
    for seat, cards in enumerate(s.played):
        for card in cards:
            pasts = [past for before in pasts for past in seen(before, seat, card)]
    return pasts


def seen(past: Past, seat: int, card: str) -> Iterator[Past]:
    """The past without the card, which is followed no longer, if the card can come from this
    seat."""
    if past.at.get(card, seat) == seat:
        yield past._replace(at={other: at for other, at in past.at.items() if other != card})


def after_gift(past: Past, viewer: int, seat: int, to: int, card: str) -> Iterator[Past]:
    """The past with this gift, which only its giver and its receiver know."""
    if viewer == to:
        for known in seen(past, seat, card):
            yield known._replace(gifts=(*past.gifts, card))
    elif viewer == seat:
        yield past._replace(gifts=(*past.gifts, card), at={**past.at, card: to})
    else:
        yield past._replace(gifts=(*past.gifts, ""))
        for followed, at in past.at.items():
            if at == seat:
                yield Past(
                    (*past.gifts, followed),
                    {**past.at, followed: to},
                    past.likelihood * GIVEN_ON,
                )


def with_gifts_among_others(s: Dingo, viewer: int, past: Past, rng: Random) -> tuple[str, ...]:
    """A gift that was not one of the viewer's cards stayed with its receiver, until that seat
    discarded or played it."""
    gifts = list(past.gifts)
    for gift in [gift for gift, card in enumerate(gifts) if not card]:
        to = receiver(s, giver(s, gift), gift)
        next_discard = (gift // s.players + 1) * s.players + (to - s.dealer) % s.players
        had_since = (*s.hands[to], *s.played[to], *s.discards[next_discard :: s.players])
        other = [card for card in had_since if card not in gifts]
        gifts[gift] = rng.choice(other)
    return tuple(gifts)


GAME = Game(
    slug="dingo",
    title="Dingo",
    summary="Hearts run, black cards hunt: the last wolf of each rank catches the diamond.",
    how_to_play=(
        "Hearts are dingoes, black cards are wolves, and diamonds are the rabbits that they hunt.",
        "First, each player discards four of ten cards and gives three to the others, in turns.",
        "Then the ranks are hunted from two to king: the player with the dingo has to play it, "
        "and the others may send their wolves of that rank after it.",
        "The last wolf catches the rabbit; if no wolf comes, the dingo counts against its player.",
        "The aces come last: the ace of diamonds is worth ten points if both black aces are "
        "played, and costs three if not.",
        "The most points over all deals win.",
    ),
    rules_version=1,
    players=(4,),
    ladder_players=4,
    option_fields=Options,
    state=Dingo,
    begin=begin,
    phases={
        "discard": Turn(
            rule="A seat discards a card of its hand, but never an ace.",
            who=seat_to_prepare,
            may=any_but_an_ace,
            then=discard,
        ),
        "give": Turn(
            rule="A seat gives a card of its hand to the seat on its left, across or on its right.",
            who=seat_to_prepare,
            may=any_card,
            then=give,
        ),
        "hunt": Turn(
            rule="A seat passes or plays one black card of the rank hunted.",
            who=seat_to_hunt,
            may=wolves_in_hand,
            then=join_hunt,
            ask_forced=True,  # who holds no wolf can only pass
        ),
        "ace-hunt": Turn(
            rule="A seat passes or plays black aces of its hand.",
            who=seat_to_hunt,
            may=wolves_in_hand,
            then=join_ace_hunt,
            ask_forced=True,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=PACK,
    copies=("played", "given", "received"),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "table": "The cards of the hunt being played, the dingo first.",
        "discards": "The discards of this deal in order: four in each round, starting with the "
        "dealer's.",
        "hand": "A seat's hand: your cards; for another seat, the card that you gave it if it "
        "must still be there, and the number of the rest.",
        "played": "The cards a seat has played in the hunts of this deal, in order; they are "
        "also on the table or in a pile.",
        "score": "A seat's score pile of this deal, without the rabbits 2D to KD (see `caught`).",
        "penalty": "A seat's penalty pile of this deal.",
        "given": "The cards a seat gave in this deal: to the left, across, to the right. A seat "
        "sees only its own such zone.",
        "received": "The cards a seat received in this deal: from the right, from across, from "
        "the left. A seat sees only its own such zone.",
    },
    facts={
        "caught": "By rabbit, from 2D on: the seat that has caught it in this deal; -1 if none "
        "has.",
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; it is the first to act in each step.",
        "deals": "The number of deals in the match.",
        "dingo_player": "The seat that played the dingo of this hunt; -1 outside the hunts.",
        "give_to": "The direction in which cards are given now: left (to seat s+1), across or "
        "right; empty otherwise.",
        "hunt": "The rank hunted, 2 to K and then A; empty before the hunts.",
        "phase": "The phase: discard, give, hunt, ace-hunt, or over at the end.",
        "rabbits": "The rabbit pile, its top first; AD is not in it.",
        "scores": "By seat, the points of this deal so far.",
        "step": "The step of the preparation, 1 to 7; 0 in the hunts.",
        "turn": "The seat whose turn it is; -1 at the end.",
        "totals": "By seat, the points of the deals before; at the end, of all.",
    },
    actions={
        "discard CARD": "Discard a card of your hand; any but an ace.",
        "give CARD": "Give any card of your hand to the seat that `give_to` names.",
        "pass": "Play nothing in this hunt; always legal in a hunt.",
        "play CARD": "Play a black card of the rank hunted.",
        "play CARD CARD": "Play both black aces, in the hunt of the aces.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "receive": "The seat that gave you a card; the card.",
        "dingo": "The seat that plays the dingo of a hunt; the card.",
        "catch": "The seat that catches the rabbit; the rabbit.",
        "escape": "The rabbit that nobody caught.",
        "rabbit": "The seat that played AD; AD.",
        "show": "The seat that holds AD and did not play it; AD.",
        "left": "A seat; the cards left in its hand at the end of the deal, now shown to all.",
        "score": "By seat, the points of the deal.",
    },
    reasons={"played-out": "All deals were played."},
    layout=Layout(
        tricks=("table",),
        piles=("discards", "score", "penalty"),
        records=("played", "given", "received"),
        trick_ends=("catch", "escape"),
        plays=("dingo", "play", "rabbit"),
        facts={
            "hunt": at_table("hunted rank", "{0:rank}"),
            "step": at_table("preparation", "step {0} of 7"),
            "give_to": at_table("cards are given", "{0:direction}"),
            "rabbits": at_table("rabbit pile"),
            "scores": by_seat("points of the deal"),
            "totals": by_seat("points before"),
            "dingo_player": at_seat("dingo"),
            "deal": at_table("deal", "{0} of {deals}"),
            "caught": UNSAID,
            "deals": UNSAID,
        },
        words={"direction": {"left": "to the left", "right": "to the right"}},
        says={
            "discard": "{actor:discards|discard} {0}",
            "give": ("{actor:gives|give} {0}", "{actor:gives|give} a card"),
            "pass": "{actor:passes|pass}",
            "play": "{actor:plays|play} {all}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "receive": "{actor} gave {0}",
            "dingo": "{actor:plays|play} the dingo {0}",
            "catch": "{actor:catches|catch} the rabbit {0}",
            "escape": "The rabbit {0} escapes",
            "rabbit": "{actor:plays|play} {0}",
            "show": "{actor:shows|show} {0}",
            "left": "{actor:has|have} {all:held} left",
            "score": "The deal scores {all:seats}",
        },
    ),
)
