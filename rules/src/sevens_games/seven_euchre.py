"""Seven Euchre: two teams of two bid for the trump suit, and all seven 7s are trumps.

Source: the page セブンユーカー of the site ベンジョコオロギの潔癖. `docs/games/seven-euchre.md`
explains the game to bot authors. What the page leaves open is ruled as follows:

1. The table's lost cells follow from the remaining ones: one more than above, eight more than to
   the left.
2. All points of a deal count at once: if both teams reach the target, the higher total wins.
3. A failed declarer's team keeps its points for tricks; it gets none for the contract.
4. A 7 turned up counts as its printed suit, as no suit is trump yet. No-trump cannot be bid then.
5. Passed-out deals and ties could go on for ever, so a match has a last deal; a passed-out deal
   counts.
6. A seat may outbid its partner.
7. After the second auction the table's row is that of the suit turned up.
8. Any card may be discarded, including a 7 and the one just taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from sevens_games.cards import (
    RANKS,
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
    Layout,
    Observation,
    Result,
    Seen,
    State,
    Suit,
    Turn,
    Zone,
    at_seat,
    at_table,
    by_team,
    integer,
    ranks_by,
)

# The deck: seven suits of seven consecutive ranks, each suit one rank lower than the one before.
SUITS = "FTSCBOH"
DECK = tuple(rank + suit for i, suit in enumerate(SUITS) for rank in RANKS[6 - i : 13 - i])
PLACE = {card: place for place, card in enumerate(DECK)}

# Strains, from the lowest bid to the highest: the index of a suit, or no trump.
STRAINS = ("coffin", "time", "star", "coin", "book", "onion", "heart", "notrump")
NO_TRUMP = 7

HAND = 12
TRICKS = 12
FEWEST_BID = 7
NOBODY = -1
ASIDE = -1  # as a place for cards, besides the seats


def suit_of(card: str, strain: int) -> int:
    """The suit to which the card belongs: every 7 is a trump."""
    return strain if card[0] == "7" and strain != NO_TRUMP else SUITS.index(card[1])


# By strain: the trumps, the cards that follow a lead, and how high each card is in its suit. In the
# trump suit its own 7 is highest; of the other 7s, the one whose printed suit has higher ranks.
TRUMPS = [frozenset(c for c in DECK if suit_of(c, i) == i) for i in range(len(STRAINS))]
FOLLOWING = [
    {lead: frozenset(c for c in DECK if suit_of(c, i) == suit_of(lead, i)) for lead in DECK}
    for i in range(len(STRAINS))
]
HEIGHT = [
    {c: (c == f"7{suit}", RANKS.index(c[0]), -SUITS.index(c[1])) for c in DECK}
    for suit in (*SUITS, "")
]


class Bid(NamedTuple):
    """Bids are ordered by the number of tricks, then by the strain."""

    tricks: int
    strain: int


NO_BID = Bid(0, 0)  # lower than all others
HIGHEST_BID = Bid(TRICKS, NO_TRUMP)

PASS = Action[None]("pass")
BIDS = [
    Action[Bid](f"bid {tricks} {strain}", Bid(tricks, i))
    for tricks in range(FEWEST_BID, TRICKS + 1)
    for i, strain in enumerate(STRAINS)
]
# The calls that a seat may make, by the last bid.
CALLS_OVER = {
    last: (PASS, *[bid for bid in BIDS if bid.value > last])
    for last in (NO_BID, *[bid.value for bid in BIDS])
}
# The bids of the second auction, by suit.
NUMBERS = [
    [Action[Bid](f"bid {tricks}", Bid(tricks, i)) for tricks in range(FEWEST_BID, TRICKS + 1)]
    for i in range(len(SUITS))
]
DISCARD = {card: Action[str](f"discard {card}", card, public="discard") for card in DECK}
PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    target: int = integer(
        100, "The total at which a team wins; 77, 100 and 200 are usual.", minimum=1
    )
    max_deals: int = integer(
        40, "The most deals a match may have, passed-out deals included.", minimum=1
    )


@dataclass(slots=True, kw_only=True)
class Euchre(State):
    """By seat: `hands` (in canonical order), and `played` in this deal (in order). By team: `taken`
    (tricks of this deal), `totals`.

    `calls`: the bids and passes of this deal; `bid`: the highest, in the end the contract, made by
    the `bidder`, who becomes the `declarer`. `centre`, `exchanged` (the centre card that the
    declarer took) and `discard` hold one card or none. `leaders`: who led each trick begun;
    `trick`: the cards of the one in play, that of its `leader` first.
    """

    deal: int = 0
    dealer: int = -1
    hands: tuple[tuple[str, ...], ...] = ()
    centre: tuple[str, ...] = ()
    turned_up: bool = False
    calls: tuple[str, ...] = ()
    bid: Bid = NO_BID
    bidder: int = NOBODY
    declarer: int = NOBODY
    exchanged: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    leader: int = NOBODY
    leaders: tuple[int, ...] = ()
    trick: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    taken: tuple[int, ...] = (0, 0)
    totals: tuple[int, ...] = (0, 0)


def partnerships(players: int) -> tuple[int, ...]:
    """Seats opposite each other are a team."""
    return tuple(team_of(seat) for seat in range(players))


def team_of(seat: int) -> int:
    return seat % 2


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Euchre) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    return deal(s)


def deal(s: Euchre) -> str:
    """Twelve cards each; the last one is face down in the centre."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    stock = s.deals.shuffle(DECK)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, HAND, s.players, s.dealer + 1))
    s.centre = stock[HAND * s.players :]
    s.turned_up = False
    s.calls = ()
    s.bid = NO_BID
    s.bidder = s.declarer = s.leader = NOBODY
    s.exchanged = s.discard = ()
    s.leaders = s.trick = ()
    s.played = ((),) * s.players
    s.taken = (0, 0)
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    return "auction"


# Auction ------------------------------------------------------------------------------------------


def seat_to_call(s: Euchre) -> int:
    """The second auction begins, after four passes, with the same seat as the first."""
    return (s.dealer + 1 + len(s.calls)) % s.players


def any_higher_bid(s: Euchre, seat: int) -> tuple[Action[Bid] | Action[None], ...]:
    return CALLS_OVER[s.bid]


def call(s: Euchre, seat: int, called: Action[Bid | None]) -> str:
    note_call(s, seat, called)
    if s.bid == HIGHEST_BID or others_passed(s):
        return take_centre(s)
    return turn_up_centre(s) if all_passed(s) else "auction"


def note_call(s: Euchre, seat: int, called: Action[Bid | None]) -> None:
    s.calls += (called,)
    if called.value is not None:
        s.bid = called.value
        s.bidder = seat


def others_passed(s: Euchre) -> bool:
    """Three passes in a row follow a bid."""
    return s.bid != NO_BID and s.calls[-3:] == (PASS, PASS, PASS)


def all_passed(s: Euchre) -> bool:
    """In each auction the dealer, who calls last, may still open after three passes."""
    return s.bid == NO_BID and len(s.calls) % s.players == 0


# Second auction -----------------------------------------------------------------------------------


def turn_up_centre(s: Euchre) -> str:
    """The printed suit of the card turned up is the only strain."""
    s.turned_up = True
    s.tell("turn-up", None, *s.centre)
    return "second-auction"


def any_higher_number(s: Euchre, seat: int) -> list[Action[Bid] | Action[None]]:
    suit = SUITS.index(s.centre[0][1])
    return [PASS, *[bid for bid in NUMBERS[suit] if bid.value > s.bid]]


def call_number(s: Euchre, seat: int, called: Action[Bid | None]) -> str | None:
    note_call(s, seat, called)
    if s.bid.tricks == TRICKS or others_passed(s):
        settle_contract(s)
        return "play"
    return pass_out(s) if all_passed(s) else "second-auction"


def pass_out(s: Euchre) -> str | None:
    s.tell("passed-out", s.dealer)
    return end_deal(s)


# Exchange -----------------------------------------------------------------------------------------


def settle_contract(s: Euchre) -> None:
    s.declarer = s.leader = s.bidder
    s.tell("contract", s.declarer, s.bid.tricks, STRAINS[s.bid.strain])


def take_centre(s: Euchre) -> str:
    """The declarer takes the centre card into its hand, still face down."""
    settle_contract(s)
    s.exchanged, s.centre = s.centre, ()
    hand = in_order(s.hands[s.declarer] + s.exchanged, PLACE)
    s.hands = replaced(s.hands, s.declarer, hand)
    s.tell_only((s.declarer,), "take-centre", s.declarer, *s.exchanged, others=())
    return "exchange"


def declarer(s: Euchre) -> int:
    return s.declarer


def any_card(s: Euchre, seat: int) -> list[Action[str]]:
    return [DISCARD[card] for card in s.hands[seat]]


def discard(s: Euchre, seat: int, action: Action[str]) -> str:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], action.value))
    s.discard = (action.value,)
    return "play"


# Play ---------------------------------------------------------------------------------------------


def seat_to_play(s: Euchre) -> int:
    return (s.leader + len(s.trick)) % s.players


def follow_suit(s: Euchre, seat: int) -> list[Action[str]]:
    return [PLAY[card] for card in playable(s.hands[seat], s.trick, FOLLOWING[s.bid.strain])]


def play_card(s: Euchre, seat: int, play: Action[str]) -> str | None:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], play.value))
    s.played = replaced(s.played, seat, (*s.played[seat], play.value))
    if not s.trick:
        s.leaders += (seat,)
    s.trick += (play.value,)
    return "play" if len(s.trick) < s.players else finish_trick(s)


def finish_trick(s: Euchre) -> str | None:
    strain = s.bid.strain
    card = winning_card(s.trick, TRUMPS[strain], FOLLOWING[strain], HEIGHT[strain])
    winner = (s.leader + s.trick.index(card)) % s.players
    team = team_of(winner)
    s.taken = replaced(s.taken, team, s.taken[team] + 1)
    s.leader = winner
    s.trick = ()
    s.tell("take-trick", winner)
    return "play" if any(s.hands) else score_deal(s)


# Scoring ------------------------------------------------------------------------------------------


def points(contract: Bid, taken: int) -> tuple[int, int]:
    """The points of the declarer's team and of the other team: one for each trick, and the
    contract's points or, if it failed, the missing tricks times the other team's tricks."""
    others_taken = TRICKS - taken
    if taken >= contract.tricks:
        return taken + 7 + 8 * (contract.tricks - FEWEST_BID) + contract.strain, others_taken
    return taken, others_taken + (contract.tricks - taken) * others_taken


def score_deal(s: Euchre) -> str | None:
    team = team_of(s.declarer)
    won = points(s.bid, s.taken[team])
    s.totals = (s.totals[0] + won[team], s.totals[1] + won[1 - team])
    s.tell("made" if s.taken[team] >= s.bid.tricks else "failed", s.declarer, s.taken[team])
    s.tell("score", None, *s.totals)
    return end_deal(s)


def end_deal(s: Euchre) -> str | None:
    return None if target_reached(s) or s.deal == s.options.max_deals else deal(s)


def target_reached(s: Euchre) -> bool:
    """A tie is played on."""
    return max(s.totals) >= s.options.target and s.totals[0] != s.totals[1]


def result(s: Euchre) -> Result:
    scores = [s.totals[team_of(seat)] for seat in range(s.players)]
    return Result(scores, ranks_by(scores), "target" if target_reached(s) else "limit")


# The view of a seat -------------------------------------------------------------------------------


def view(s: Euchre, viewer: int | None) -> Observation:
    zones = [Zone("trick", None, s.trick)]
    for seat, hand in enumerate(s.hands):
        zones.append(seen_if(viewer in (seat, None), "hand", seat, hand))
        zones.append(Zone("played", seat, s.played[seat]))
    zones.append(seen_if(s.turned_up or viewer is None, "centre", None, s.centre))
    zones.append(seen_if(viewer in (s.declarer, None), "discard", None, s.discard))
    if viewer in (s.declarer, None):
        zones.append(Zone("exchanged", None, s.exchanged))
    return Observation(tuple(zones), facts(s))


def seen_if(seen: bool, name: str, owner: int | None, cards: tuple[str, ...]) -> Zone:
    return Zone(name, owner, cards) if seen else Zone(name, owner, (), len(cards))


def facts(s: Euchre) -> Facts:
    return Facts(
        {
            "bid_strain": STRAINS[s.bid.strain] if s.bid != NO_BID else "",
            "bid_tricks": s.bid.tricks,
            "bidder": s.bidder,
            "calls": tuple(map(str, s.calls)),
            "deal": s.deal,
            "dealer": s.dealer,
            "declarer": s.declarer,
            "leader": s.leader,
            "leaders": s.leaders,
            "max_deals": s.options.max_deals,
            "phase": s.phase or "over",
            "taken": s.taken,
            "target": s.options.target,
            "totals": s.totals,
            "trump": SUITS[s.bid.strain : s.bid.strain + 1] if s.declarer != NOBODY else "",
        }
    )


def recall(s: Euchre, seen: Seen) -> None:
    if seen.fact("bid_strain"):
        s.bid = Bid(seen.fact("bid_tricks"), STRAINS.index(seen.fact("bid_strain")))
    s.turned_up = bool(s.centre) and s.phase != "auction"
    if not s.centre and seen.seat != s.declarer:
        s.exchanged = DECK[:1]  # any: what the declarer took is not known


def redeal(s: Euchre, viewer: int, rng: Random) -> None:
    """A seat that once did not follow suit holds no card of that suit; the face-down card, which
    is the centre card or the discard, can be any that the viewer does not see."""
    leads = [s.played[leader][trick] for trick, leader in enumerate(s.leaders)]
    void = voids(leads, s.played, FOLLOWING[s.bid.strain])
    others = [seat for seat in range(s.players) if seat != viewer]
    aside = face_down(s, viewer)
    places = redealt(
        in_order([*aside, *[card for seat in others for card in s.hands[seat]]], PLACE),
        {**{seat: len(s.hands[seat]) for seat in others}, ASIDE: len(aside)},
        lambda place, card: place == ASIDE or card not in void[place],
        rng,
    )
    for seat in others:
        s.hands = replaced(s.hands, seat, in_order(places[seat], PLACE))
    if s.exchanged and viewer != s.declarer:
        s.discard = places[ASIDE]
        # The card it took can be any that it has had.
        held = s.hands[s.declarer] + s.played[s.declarer] + s.discard
        s.exchanged = (rng.choice(held),)
    elif aside:
        s.centre = places[ASIDE]


def face_down(s: Euchre, viewer: int) -> tuple[str, ...]:
    """The card aside that the viewer does not know."""
    return () if s.turned_up or viewer == s.declarer else s.centre or s.discard


GAME = Game(
    slug="seven-euchre",
    title="Seven Euchre",
    summary="Partners bid for the trump suit; all seven 7s are trumps.",
    how_to_play=(
        "Partners sit opposite each other and bid how many of the twelve tricks they will take, "
        "from seven up, and in which trump suit.",
        "The highest bidder takes the card in the middle, discards one, and leads.",
        "All seven 7s belong to the trump suit, whatever it is, and its own 7 is the highest card "
        "of all.",
        "Follow the suit led if you can; the highest trump takes the trick, or else the highest "
        "card of the suit led.",
        "Every trick is a point; a contract that is made pays its team more, and one that fails "
        "pays the other team.",
        "The first team to reach the target, usually 100 points, wins.",
    ),
    rules_version=1,
    players=(4,),
    ladder_players=4,
    option_fields=Options,
    teams=partnerships,
    state=Euchre,
    begin=begin,
    phases={
        "auction": Turn(
            rule="A seat passes or makes a bid higher than the last one.",
            who=seat_to_call,
            may=any_higher_bid,
            then=call,
        ),
        "second-auction": Turn(
            rule="A seat passes or bids a number of tricks higher than the last one.",
            who=seat_to_call,
            may=any_higher_number,
            then=call_number,
        ),
        "exchange": Turn(
            rule="The declarer discards one of its thirteen cards.",
            who=declarer,
            may=any_card,
            then=discard,
        ),
        "play": Turn(
            rule="A seat that holds a card of the suit led must play one; trumps include all 7s.",
            who=seat_to_play,
            may=follow_suit,
            then=play_card,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("trick", "exchanged"),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; F T S C B O H, coffin to heart.",
    zones={
        "trick": "The cards of the trick in play, the leader's first.",
        "hand": "A seat's hand: your cards; for other seats, only their number.",
        "played": "The cards a seat has played in this deal, in order, the trick in play included.",
        "centre": "The 49th card: face down, or face up from the second auction on; empty once "
        "the declarer has taken it.",
        "discard": "The card that the declarer discarded face down, hidden from all other seats.",
        "exchanged": "For the declarer: the centre card taken, as a reminder; the card itself is "
        "in the hand, among the played cards or in the discard.",
    },
    facts={
        "bid_strain": "The strain of the highest bid, in the end of the contract; empty if there "
        "is none.",
        "bid_tricks": "The number of tricks of the highest bid; 0 if there is none.",
        "bidder": "The seat that made the highest bid; -1 if there is none.",
        "calls": "The calls of this deal, bids and passes, from the seat after the dealer on; a "
        "second auction begins after four passes.",
        "deal": "The number of this deal in the match, from 1.",
        "dealer": "The seat that dealt.",
        "declarer": "The seat that plays the contract; -1 before the auctions end.",
        "leader": "The seat that led the trick in play, or will lead the next; -1 before the "
        "auctions end.",
        "leaders": "By trick begun in this deal, the seat that led it: card k of each `played` "
        "zone belongs to trick k.",
        "max_deals": "The most deals the match may have, passed-out deals included.",
        "phase": "The phase: auction, second-auction, exchange, play, or over at the end.",
        "taken": "By team, the tricks taken in this deal.",
        "target": "The total at which a team wins.",
        "totals": "By team, the points so far.",
        "trump": "The letter of the trump suit; empty at no-trump and before the auctions end.",
    },
    actions={
        "pass": "Make no bid; always legal, and first in the list.",
        "bid TRICKS STRAIN": "Bid 7 to 12 tricks in a strain, coffin to heart or notrump, above "
        "the last bid.",
        "bid TRICKS": "In the second auction: bid more tricks than the last bid, with the suit of "
        "the card turned up.",
        "discard CARD": "As declarer: discard one of your thirteen cards.",
        "play CARD": "Play a card of the suit led; any card of your hand if you have none, or "
        "when leading.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "turn-up": "The centre card, after four passes.",
        "contract": "The declarer; the tricks, the strain.",
        "take-centre": "The declarer; the card, if you are the declarer.",
        "take-trick": "The winner.",
        "made": "The declarer, whose team made the contract; its team's tricks.",
        "failed": "The declarer, whose team failed the contract; its team's tricks.",
        "passed-out": "The dealer of a deal on which nobody bid.",
        "score": "By team, the points so far.",
    },
    reasons={
        "target": "A team reached the target and was ahead.",
        "limit": "The last deal was played.",
    },
    layout=Layout(
        records=("played", "exchanged"),
        order="leader",
        trick_ends=("take-trick",),
        suits={
            "F": Suit("coffin", "coffin", "slate"),
            "T": Suit("time", "hourglass", "blue"),
            "S": Suit("star", "star", "yellow"),
            "C": Suit("coin", "coin", "orange"),
            "B": Suit("book", "book", "green"),
            "O": Suit("onion", "onion", "violet"),
            "H": Suit("heart", "heart", "red"),
        },
        facts={
            "trump": at_table("trump", "{0:suit}"),
            "bid_tricks": at_table("contract", "{0:trick|tricks} {bid_strain:strain}"),
            "bidder": at_seat("highest bid"),
            "declarer": at_seat("declarer"),
            "leader": at_seat("leads"),
            "taken": by_team("tricks"),
            "totals": by_team("points"),
            "target": at_table("target", "{0:point|points}"),
            "calls": at_table("calls", "{all:actions}"),
            "deal": at_table("deal", "{0} of at most {max_deals}"),
            "bid_strain": UNSAID,
            "leaders": UNSAID,
            "max_deals": UNSAID,
        },
        words={
            "strain": {
                "coffin": "in coffins",
                "time": "in time",
                "star": "in stars",
                "coin": "in coins",
                "book": "in books",
                "onion": "in onions",
                "heart": "in hearts",
                "notrump": "without trump",
            },
        },
        titles={"exchanged": "centre card taken"},
        says={
            "pass": "{actor:passes|pass}",
            "bid": (
                "{actor:bids|bid} {0:trick|tricks} {1:strain}",
                "{actor:bids|bid} {0:trick|tricks}",
            ),
            "discard": ("{actor:discards|discard} {0}", "{actor:discards|discard} a card"),
            "play": "{actor:plays|play} {0}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "turn-up": "{0} is turned up",
            "contract": "{actor:plays|play} the contract of {0:trick|tricks} {1:strain}",
            "take-centre": (
                "{actor:takes|take} the centre card {0}",
                "{actor:takes|take} the centre card",
            ),
            "take-trick": "{actor:takes|take} the trick",
            "made": "{actor:makes|make} the contract with {0:trick|tricks}",
            "failed": "{actor:fails|fail} the contract with {0:trick|tricks}",
            "passed-out": "{actor} dealt, and no seat bid",
            "score": "Totals: {all:teams}",
        },
    ),
)
