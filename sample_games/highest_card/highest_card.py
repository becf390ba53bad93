"""Highest Card: tricks without suits; the highest rank takes the trick.

Source: the rulebook in README.md. What it leaves open is ruled as follows:

1. Of equal ranks the one played first is the highest.
2. The winner of a trick leads the next one.
3. Equal scores tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sevens_games import Action, Facts, Game, Layout, Observation, Result, Zone, ranks_by
from sevens_games.cards import DECK, PLACE, RANK, dealt, in_order, replaced, without
from sevens_games.engine import UNSAID, State, Turn, at_seat, at_table, by_seat, integer

HAND = 5
HEIGHT = {card: "23456789TJQKA".index(RANK[card]) for card in DECK}
PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    deals: int = integer(4, "The number of deals played.", minimum=1, maximum=100)


@dataclass(slots=True, kw_only=True)
class HighestCard(State):
    """By seat: `hands` (in canonical order) and `scores`. `rest`: the cards not dealt.

    `trick`: the cards of this trick in the order played, the first by `leader`; `played`: those of
    the tricks before, in this deal.
    """

    deal: int = 0
    dealer: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    rest: tuple[str, ...] = ()
    leader: int = 0
    trick: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: HighestCard) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.scores = (0,) * s.players
    return deal(s)


def deal(s: HighestCard) -> str:
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.leader = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    cards = s.deals.shuffle(DECK)
    s.tell("deal", s.dealer, s.deal)
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(cards, HAND, s.players, s.leader))
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    s.rest = cards[HAND * s.players :]
    s.trick = s.played = ()
    return "play"


# Tricks -------------------------------------------------------------------------------------------


def seat_to_play(s: HighestCard) -> int:
    return (s.leader + len(s.trick)) % s.players


def any_card(s: HighestCard, seat: int) -> list[Action[str]]:
    return [PLAY[card] for card in s.hands[seat]]


def play_card(s: HighestCard, seat: int, play: Action[str]) -> str | None:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], play.value))
    s.trick += (play.value,)
    return "play" if len(s.trick) < s.players else finish_trick(s)


def finish_trick(s: HighestCard) -> str | None:
    """The first of the highest cards takes the trick, a point, and leads."""
    highest = max(s.trick, key=HEIGHT.__getitem__)
    winner = (s.leader + s.trick.index(highest)) % s.players
    s.scores = replaced(s.scores, winner, s.scores[winner] + 1)
    s.tell("take-trick", winner)
    s.played += s.trick
    s.trick = ()
    s.leader = winner
    if any(s.hands):
        return "play"
    return deal(s) if s.deal < s.options.deals else None


# Scoring ------------------------------------------------------------------------------------------


def result(s: HighestCard) -> Result:
    return Result(list(s.scores), ranks_by(s.scores), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def view(s: HighestCard, viewer: int | None) -> Observation:
    zones = [Zone("trick", None, s.trick), Zone("played", None, s.played)]
    for seat, hand in enumerate(s.hands):
        seen = hand if viewer in (seat, None) else ()
        zones.append(Zone("hand", seat, seen, len(hand) - len(seen)))
    rest = s.rest if viewer is None else ()
    zones.append(Zone("rest", None, rest, len(s.rest) - len(rest)))
    return Observation(tuple(zones), facts(s))


def facts(s: HighestCard) -> Facts:
    return Facts(
        {
            "deal": s.deal,
            "dealer": s.dealer,
            "deals": s.options.deals,
            "leader": s.leader,
            "phase": s.phase or "over",
            "scores": s.scores,
        }
    )


def redeal(s: HighestCard, viewer: int, rng: Random) -> None:
    """Nothing is known about an unseen card, so each can be anywhere."""
    others = [seat for seat in range(s.players) if seat != viewer]
    unseen = [*s.rest, *[card for seat in others for card in s.hands[seat]]]
    rng.shuffle(unseen)
    for seat in others:
        hand = [unseen.pop() for _ in s.hands[seat]]
        s.hands = replaced(s.hands, seat, in_order(hand, PLACE))
    s.rest = tuple(unseen)


GAME = Game(
    slug="highest-card",
    title="Highest Card",
    summary="Tricks without suits: the highest rank takes the trick.",
    how_to_play=(
        "Each player has five cards, and the one after the dealer leads.",
        "In turn, everybody plays a card of the hand, whichever they like: suits do not matter.",
        "The highest card takes the trick, from the ace down to the two; of equal ones, the first.",
        "A trick is worth a point, and who took it leads to the next.",
        "The most points after the last deal win the match.",
    ),
    rules_version=1,
    players=(2, 3, 4),
    ladder_players=2,
    option_fields=Options,
    state=HighestCard,
    begin=begin,
    phases={
        "play": Turn(
            rule="The seat whose turn it is plays a card of its hand.",
            who=seat_to_play,
            may=any_card,
            then=play_card,
        ),
    },
    view=view,
    redeal=redeal,
    result=result,
    deck=DECK,
    cards="Rank, then suit: 2 3 4 5 6 7 8 9 T J Q K A from low to high; C D H S.",
    zones={
        "trick": "The cards of the trick being played, in order.",
        "played": "The cards of the tricks before, in this deal.",
        "hand": "A seat's hand: your cards; for another seat, only their number.",
        "rest": "The cards that were not dealt: only their number.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one leads first.",
        "deals": "The number of deals in the match.",
        "leader": "The seat that leads this trick.",
        "phase": "The phase: play, or over at the end.",
        "scores": "By seat, the tricks taken in the match.",
    },
    actions={"play CARD": "Play any card of your hand."},
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "take-trick": "The seat that takes the trick and leads the next one.",
    },
    reasons={"played-out": "All deals were played."},
    layout=Layout(
        score="trick|tricks",
        stocks=("rest",),
        order="leader",
        trick_ends=("take-trick",),
        facts={
            "leader": at_seat("leads"),
            "scores": by_seat("tricks"),
            "deal": at_table("deal", "{0} of {deals}"),
            "deals": UNSAID,
        },
        says={
            "play": "{actor:plays|play} {0}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "take-trick": "{actor:takes|take} the trick",
        },
    ),
)
