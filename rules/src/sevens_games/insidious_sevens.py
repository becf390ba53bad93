"""Insidious Sevens: seven rounds of seven tricks, each seat bids, with a card, how many it will
take.

Source: the rule booklet by Alex Weldon (MJ Games, 2010). `docs/games/insidious-sevens.md` explains
the game to bot authors. What the booklet leaves open is ruled as follows:

1. The deal rotates, so that the order of dealing is defined.
2. A redeal after seven Piikos repeats the whole round, passing included, with the same dealer.
3. Seven Piikos in a row can recur without end: after seven deals a round is void.
4. Every Piiko in a row, including the seventh, pays its own highest card before the rebid.
5. With 2 players Piiko's rule applies whatever the option says: the booklet demands it.
6. Cards bid in a Piiko return to their owners before the first trick.
7. With 2 players the other seat is both neighbours.
8. A tie for the highest score is shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from sevens_games.cards import (
    dealt,
    in_order,
    playable,
    redealt,
    replaced,
    voids,
    winning_card,
    without,
)
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
    Suit,
    Turn,
    Zone,
    at_seat,
    at_table,
    by_seat,
    flag,
    ranks_by,
)

# The deck: numbers 0-7 in five colours, here from the lowest colour to the highest.
COLOURS = "RYGBP"
DECK = tuple(f"{number}{colour}" for colour in COLOURS for number in range(8))
PLACE = {card: place for place, card in enumerate(DECK)}
NUMBER = {card: int(card[0]) for card in DECK}
COLOUR = {card: card[1] for card in DECK}
# The number counts first, then the colour: 3P < 4R < 4G < 5R.
HEIGHT = {card: 5 * NUMBER[card] + COLOURS.index(COLOUR[card]) for card in DECK}
# The cards that follow a lead: those of its colour and those of its number.
MATCHING = {
    lead: frozenset(c for c in DECK if COLOUR[c] == COLOUR[lead] or NUMBER[c] == NUMBER[lead])
    for lead in DECK
}

OF_COLOUR = {colour: frozenset(c for c in DECK if COLOUR[c] == colour) for colour in COLOURS}

HAND = 7
ROUNDS = 7
CARDS_TO_PASS = (0, 1, 2, 3, 2, 1, 0)  # by round
PASS_TO_THE_LEFT = (False, True, False, True, False, True, False)  # by round
PIIKO_SUM = 7
DEALS_A_ROUND = 7
ASIDE = -1  # as a place for cards, besides the seats

PASS = Interned[tuple[str, ...]](
    lambda cards: Action(f"pass {' '.join(cards)}", cards, public=f"pass {len(cards)}")
)
BID = {card: Action[str](f"bid {card}", card) for card in DECK}
PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    piiko: bool = flag(
        False,
        "Piiko's rule with 3 to 5 players: if the bids sum to 7, all bid again. With 2 players it "
        "always applies.",
    )


@dataclass(slots=True, kw_only=True)
class Sevens(State):
    """By seat: `hands` (in canonical order), `scores`, and of this deal `passed` (the cards given),
    `bids` (a card for each bidding; the last one counts), `played` (in order), `taken` (tricks).

    `leads`: the first cards of this deal's tricks; `trick`: the trick in play, the leader's first.
    """

    round: int = 0
    dealer: int = -1
    deals_of_round: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    passed: tuple[tuple[str, ...], ...] = ()
    bids: tuple[tuple[str, ...], ...] = ()
    aside: tuple[str, ...] = ()
    trump: str = ""
    leader: int = 0
    trick: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    taken: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Sevens) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for round 1
    s.scores = (0,) * s.players
    return begin_round(s)


def begin_round(s: Sevens) -> str:
    s.round += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals_of_round = 0
    s.deals.begin_deal()  # redeals of the round belong to it
    return deal(s)


def deal(s: Sevens) -> str:
    """Seven cards each; the rest is set aside unseen."""
    s.deals_of_round += 1
    stock = s.deals.shuffle(DECK)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, HAND, s.players, s.dealer + 1))
    s.aside = in_order(stock[HAND * s.players :], PLACE)
    s.passed = s.bids = s.played = ((),) * s.players
    s.trump = ""
    s.trick = s.leads = ()
    s.taken = (0,) * s.players
    s.tell("round", s.dealer, s.round, s.deals_of_round)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    return "passing" if cards_to_pass(s) else "bidding"


# Passing ------------------------------------------------------------------------------------------


def everyone(s: Sevens) -> range:
    return range(s.players)


def cards_to_pass(s: Sevens) -> int:
    return CARDS_TO_PASS[s.round - 1]


def receiver(s: Sevens, giver: int) -> int:
    """To the left is the next seat, to the right the one before."""
    return (giver + (1 if PASS_TO_THE_LEFT[s.round - 1] else -1)) % s.players


def any_cards(s: Sevens, seat: int) -> list[Action[tuple[str, ...]]]:
    return list(map(PASS.__getitem__, combinations(s.hands[seat], cards_to_pass(s))))


def exchange(s: Sevens, passes: dict[int, Action[tuple[str, ...]]]) -> str:
    """The cards move when the last seat has chosen: no seat gives a card that it has just been
    given."""
    s.passed = tuple(passes[seat].value for seat in everyone(s))
    hands = [[card for card in s.hands[seat] if card not in s.passed[seat]] for seat in everyone(s)]
    for giver, cards in enumerate(s.passed):
        hands[receiver(s, giver)] += cards
        s.tell_only((receiver(s, giver),), "receive", giver, *cards)
    s.hands = tuple(in_order(hand, PLACE) for hand in hands)
    return "bidding"


# Bidding ------------------------------------------------------------------------------------------


def any_card_not_yet_bid(s: Sevens, seat: int) -> list[Action[str]]:
    return [BID[card] for card in s.hands[seat] if card not in s.bids[seat]]


def reveal_bids(s: Sevens, bids: dict[int, Action[str]]) -> str | None:
    bidding = tuple(bids[seat].value for seat in everyone(s))
    s.bids = tuple((*before, card) for before, card in zip(s.bids, bidding, strict=True))
    winner = highest_bidder(bidding)
    if piiko_in_force(s) and sum(NUMBER[card] for card in bidding) == PIIKO_SUM:
        return piiko(s, winner)
    s.trump = COLOUR[bidding[winner]]
    s.leader = winner
    s.tell("trump", winner, s.trump)
    return "play"


def highest_bidder(bidding: tuple[str, ...]) -> int:
    return bidding.index(max(bidding, key=HEIGHT.__getitem__))


# Piiko --------------------------------------------------------------------------------------------


def piiko_in_force(s: Sevens) -> bool:
    return s.players == 2 or bool(s.options.piiko)


def piiko(s: Sevens, winner: int) -> str | None:
    """The highest card scores a point at once, and all seats bid again with other cards of their
    hands."""
    s.scores = replaced(s.scores, winner, s.scores[winner] + 1)
    s.tell("piiko", winner, *s.scores)
    if len(s.bids[0]) < HAND:
        return "bidding"
    if s.deals_of_round < DEALS_A_ROUND:
        return deal(s)
    s.tell("void-round")
    return end_round(s)


# Play ---------------------------------------------------------------------------------------------


def seat_to_play(s: Sevens) -> int:
    return (s.leader + len(s.trick)) % s.players


def follow_the_lead(s: Sevens, seat: int) -> list[Action[str]]:
    return [PLAY[card] for card in playable(s.hands[seat], s.trick, MATCHING)]


def play_card(s: Sevens, seat: int, play: Action[str]) -> str | None:
    card = play.value
    s.hands = replaced(s.hands, seat, without(s.hands[seat], card))
    s.played = replaced(s.played, seat, (*s.played[seat], card))
    if not s.trick:
        s.leads += (card,)
    s.trick += (card,)
    return "play" if len(s.trick) < s.players else finish_trick(s)


def finish_trick(s: Sevens) -> str | None:
    winner = (
        s.leader + s.trick.index(winning_card(s.trick, OF_COLOUR[s.trump], MATCHING, HEIGHT))
    ) % s.players
    s.taken = replaced(s.taken, winner, s.taken[winner] + 1)
    s.leader = winner
    s.trick = ()
    s.tell("take-trick", winner)
    return "play" if any(s.hands) else score_round(s)


# Scoring ------------------------------------------------------------------------------------------


def points(bid: int, taken: int) -> int:
    """Taking exactly the bid scores 2 plus the bid; otherwise each trick off costs a point."""
    return 2 + bid if taken == bid else -abs(taken - bid)


def score_round(s: Sevens) -> str | None:
    won = [points(bid, taken) for bid, taken in zip(bid_numbers(s), s.taken, strict=True)]
    s.scores = tuple(map(sum, zip(s.scores, won, strict=True)))
    s.tell("score", None, *s.scores)
    return end_round(s)


def end_round(s: Sevens) -> str | None:
    return begin_round(s) if s.round < ROUNDS else None


def result(s: Sevens) -> Result:
    return Result(list(s.scores), ranks_by(s.scores), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def bid_numbers(s: Sevens) -> tuple[int, ...]:
    """By seat, the number on the card bid last; empty before the first bidding."""
    return tuple([NUMBER[cards[-1]] for cards in s.bids if cards])


def known_in_hand(s: Sevens, viewer: int, seat: int) -> tuple[str, ...]:
    """The cards of another seat's hand that the viewer knows for certain: those that the seat has
    bid and those that the viewer has passed to it."""
    known = s.bids[seat] + s.passed[viewer]
    return tuple([card for card in s.hands[seat] if card in known])


def view(s: Sevens, viewer: int | None) -> Observation:
    zones = [Zone("trick", None, s.trick)]
    for seat, hand in enumerate(s.hands):
        known = hand if viewer in (seat, None) else known_in_hand(s, viewer, seat)
        zones.append(Zone("hand", seat, known, len(hand) - len(known)))
        zones.append(Zone("bid", seat, s.bids[seat]))
        zones.append(Zone("played", seat, s.played[seat]))
    for giver, cards in enumerate(s.passed):
        if viewer in (giver, None):
            zones.append(Zone("passed", giver, cards))
        if viewer in (receiver(s, giver), None):
            zones.append(Zone("received", receiver(s, giver), cards))
    seen_aside = s.aside if viewer is None else ()
    zones.append(Zone("aside", None, seen_aside, len(s.aside) - len(seen_aside)))
    return Observation(tuple(zones), facts(s))


def facts(s: Sevens) -> Facts:
    return Facts(
        {
            "bids": bid_numbers(s),
            "cards_to_pass": cards_to_pass(s),
            "deal": s.deals_of_round,
            "dealer": s.dealer,
            "leader": s.leader if s.trump else -1,
            "leads": s.leads,
            "pass_to": ("right", "left")[PASS_TO_THE_LEFT[s.round - 1]] if cards_to_pass(s) else "",
            "phase": s.phase or "over",
            "piiko": int(piiko_in_force(s)),
            "round": s.round,
            "scores": s.scores,
            "taken": s.taken,
            "trump": s.trump,
        }
    )


def recall(s: Sevens, seen: Seen) -> None:
    s.deals_of_round = seen.fact("deal")
    [giver] = [seat for seat in everyone(s) if receiver(s, seat) == seen.seat]
    s.passed = replaced(s.passed, giver, seen.cards("received", seen.seat))


def redeal(s: Sevens, viewer: int, rng: Random) -> None:
    """A seat that once did not match a lead holds no card that matches it; cards known to be in
    a hand stay there; all other unseen cards are in the other hands or aside."""
    void = voids(s.leads, s.played, MATCHING)
    others = [seat for seat in everyone(s) if seat != viewer]
    known = {seat: known_in_hand(s, viewer, seat) for seat in others}
    unseen = [c for seat in others for c in s.hands[seat] if c not in known[seat]] + [*s.aside]
    sizes = {seat: len(s.hands[seat]) - len(known[seat]) for seat in others}
    places = redealt(
        in_order(unseen, PLACE),
        {**sizes, ASIDE: len(s.aside)},
        lambda place, card: place == ASIDE or card not in void[place],
        rng,
    )
    for seat in others:
        s.hands = replaced(s.hands, seat, in_order(known[seat] + places[seat], PLACE))
    s.aside = in_order(places[ASIDE], PLACE)
    # Cards that other seats passed to each other are in the past, and not rebuilt.
    s.passed = tuple(
        cards if viewer in (giver, receiver(s, giver)) else ()
        for giver, cards in enumerate(s.passed)
    )


GAME = Game(
    slug="insidious-sevens",
    title="Insidious Sevens",
    summary="Seven rounds of seven tricks: bid, with a card, exactly how many you will take.",
    how_to_play=(
        "The cards are the numbers 0 to 7 in five colours, and a match is seven rounds of seven "
        "tricks.",
        "In most rounds, each player first passes one to three cards to a neighbour.",
        "Then all show a card at once: its number is the tricks that the player promises to take, "
        "and the highest card names the trump colour and leads.",
        "Play a card of the colour or the number of the card led if you can; the highest trump "
        "takes the trick, or else the highest card that matches.",
        "Exactly as many tricks as promised score two points and the promise; each trick too many "
        "or too few costs a point.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5),
    ladder_players=4,
    option_fields=Options,
    state=Sevens,
    begin=begin,
    phases={
        "passing": Simultaneous(
            rule="Every seat passes as many cards of its hand to a neighbour as the round demands.",
            who=everyone,
            may=any_cards,
            then=exchange,
        ),
        "bidding": Simultaneous(
            rule="Every seat bids a card of its hand that it has not bid in this deal.",
            who=everyone,
            may=any_card_not_yet_bid,
            then=reveal_bids,
        ),
        "play": Turn(
            rule="A seat that holds a card of the colour or number led must play such a card.",
            who=seat_to_play,
            may=follow_the_lead,
            then=play_card,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("trick", "bid", "passed", "received"),
    cards="Number, then colour: 0 to 7; R Y G B P, red, yellow, green, blue, purple.",
    zones={
        "trick": "The cards of the trick in play, the leader's first.",
        "hand": "A seat's hand: your cards; for other seats, the cards that you know to be there "
        "because they were bid or you passed them, and the number of the rest.",
        "bid": "The card a seat bid in each bidding of this deal; the last one counts, those "
        "before were Piikos.",
        "played": "The cards a seat has played in this deal, in order.",
        "passed": "The cards a seat passed in this deal. A seat sees only its own such zone.",
        "received": "The cards a seat was passed in this deal. A seat sees only its own such zone.",
        "aside": "The cards not dealt, hidden for the whole deal: only their number.",
    },
    facts={
        "bids": "By seat, the number of tricks last bid in this deal; empty before the first "
        "bidding.",
        "cards_to_pass": "The number of cards passed in this round.",
        "deal": "The number of this deal in the round, from 1; seven Piikos in a row lead to "
        "another deal.",
        "dealer": "The seat that dealt.",
        "leader": "The seat that led the trick in play, or will lead the next; -1 before the "
        "bidding ends.",
        "leads": "The cards led in this deal.",
        "pass_to": "The direction of passing: left (to seat s+1) or right (to seat s-1); empty if "
        "none are.",
        "phase": "The phase: passing, bidding, play, or over at the end.",
        "piiko": "1 if Piiko's rule applies, otherwise 0.",
        "round": "The round, 1 to 7.",
        "scores": "By seat, the points so far.",
        "taken": "By seat, the tricks taken in this deal.",
        "trump": "The letter of the trump colour; empty before the bidding ends.",
    },
    actions={
        "pass CARD…": "Pass these cards, as many as the round demands and in canonical order, to "
        "the neighbour that `pass_to` names.",
        "bid CARD": "Bid as many tricks as the number of this card, which you have not bid in "
        "this deal; its colour may become trump.",
        "play CARD": "Play a card that matches the card led; any card of your hand if you have "
        "none, or when leading.",
    },
    events={
        "round": "The dealer; the round, the deal of the round.",
        "hand": "You; your cards.",
        "receive": "The seat that passed you cards; the cards.",
        "trump": "The seat that leads; the colour.",
        "take-trick": "The winner.",
        "piiko": "The seat that gets a point for a Piiko; all scores.",
        "void-round": "The round is void after seven deals, and the next one begins.",
        "score": "All scores.",
    },
    reasons={"played-out": "All seven rounds were played."},
    layout=Layout(
        stocks=("aside",),
        records=("played", "passed", "received"),
        order="leader",
        deal="round",
        trick_ends=("take-trick",),
        suits={
            "R": Suit("red", "disc", "red"),
            "Y": Suit("yellow", "sun", "yellow"),
            "G": Suit("green", "triangle", "green"),
            "B": Suit("blue", "square", "blue"),
            "P": Suit("purple", "hexagon", "violet"),
        },
        facts={
            "trump": at_table("trump", "{0:suit}"),
            "bids": by_seat("bid"),
            "taken": by_seat("tricks"),
            "scores": by_seat("points"),
            "leader": at_seat("leads"),
            "round": at_table("round", "{0} of 7"),
            "deal": at_table("deal of this round", "{0:again}"),
            "cards_to_pass": at_table("cards to pass"),
            "pass_to": at_table("cards are passed", "{0:direction}"),
            "piiko": UNSAID,
            "leads": UNSAID,
        },
        words={
            "again": {"1": ""},
            "direction": {"left": "to the left", "right": "to the right"},
        },
        says={
            "pass": "{actor:passes|pass} {all:held}",
            "bid": "{actor:bids|bid} {0}",
            "play": "{actor:plays|play} {0}",
            "round": "{actor:deals|deal} round {0}",
            "hand": "{actor:is|are} dealt {all}",
            "receive": "{actor} passed {all}",
            "trump": "{actor:leads|lead}; trump is {0:suit}",
            "take-trick": "{actor:takes|take} the trick",
            "piiko": "{actor:gets|get} a point for a Piiko; scores: {all:seats}",
            "void-round": "The round is void",
            "score": "Scores: {all:seats}",
        },
    ),
)
