"""Mexican Sweat: poker with seven cards that nobody may look at, turned up until they beat the
best hand so far.

Source: the article "Mexican Sweat" by Denexa Games. `docs/games/mexican-sweat.md` explains the
game to bot authors. What the article leaves open is ruled as follows:

1. The kill card kills by its rank.
2. It kills when a card of that rank is turned up, before anything else; cards face down do nothing.
3. The last live seat wins, always exactly one: a tie does not beat. It need not beat anything.
4. Hands of different size compare as poker hands with cards missing: a king with a nine beats a
   king.
5. Straights and flushes are five cards.
6. There is betting after a hand has beaten the value to beat, and only then.
7. A leader that is beaten and has no card left is out at once.
8. The seat that has just turned up its cards bets first.
9. The limits are fixed: a bet and three raises; the bet doubles if the leader shows a pair or
   better.
10. There are no stacks, all-ins or side pots: the chips won in a fixed number of hands count.
11. The leader may fold against a bet. Its hand stays the one to beat.
12. Folding without a bet is not offered.
13. Turning up is a decision, though there is no choice: it marks whose cards are turned up.
14. Nobody can look at face-down cards.
15. The kill card and the card to beat may have one rank. They belong to no hand.
16. The number of hands is a multiple of the number of players, so that all deal equally often.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sevens_games.cards import (
    DECK,
    HIGH_CARD,
    RANK,
    PokerValue,
    dealt,
    poker_value,
    poker_words,
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
    at_seat,
    at_table,
    by_seat,
    flag,
    integer,
    ranks_by,
)

HAND = 7
ANTE = 1
SMALL_BET = 2
BIG_BET = 4
MOST_BETS = 4  # in a betting round: a bet and three raises
NOBODY = -1

TURN = Action[None]("turn")
CHECK = Action[None]("check")
BET = Action[None]("bet")
FOLD = Action[None]("fold")
CALL = Action[None]("call")
RAISE = Action[None]("raise")


@dataclass(frozen=True)
class Options:
    hands: int = integer(
        24,
        "The number of hands played, rounded up to a multiple of the number of players.",
        minimum=1,
        maximum=1000,
    )
    kill_card: bool = flag(True, "A kill card kills the seats that turn up a card of its rank.")


@dataclass(slots=True, kw_only=True)
class MexicanSweat(State):
    """By seat: `face_down` (the next to be turned up first), `face_up` (in the order turned up),
    `paid` in this betting round, and `scores`, the chips taken less those paid in the match.

    `live`: the seats in the hand, ascending. `leader`: the seat whose value is to be beaten; -1
    before the first. `to_speak`: the seats that are to speak in this betting round, in order.
    `bet`: the size of a bet in it; `bets`: the number of bets and raises made; 0 outside.
    """

    deal: int = 0
    dealer: int = 0
    face_down: tuple[tuple[str, ...], ...] = ()
    face_up: tuple[tuple[str, ...], ...] = ()
    kill_card: tuple[str, ...] = ()
    card_to_beat: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    live: tuple[int, ...] = ()
    turn: int = 0
    leader: int = NOBODY
    to_beat: PokerValue = ()
    to_speak: tuple[int, ...] = ()
    bet: int = 0
    bets: int = 0
    paid: tuple[int, ...] = ()
    pot: int = 0
    scores: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: MexicanSweat) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for hand 1
    s.scores = (0,) * s.players
    return deal(s)


def deal(s: MexicanSweat) -> str:
    """Seven cards each, face down; then the centre's cards, face up."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    cards = s.deals.shuffle(DECK)
    s.tell("deal", s.dealer, s.deal)
    s.face_down = dealt(cards, HAND, s.players, s.dealer + 1)
    s.face_up = ((),) * s.players
    turn_up_centre(s, cards[HAND * s.players :])
    pay_antes(s)
    s.live = tuple(range(s.players))
    s.turn = in_turn(s, s.dealer)[0]
    return "turn"


def turn_up_centre(s: MexicanSweat, cards: tuple[str, ...]) -> None:
    kills = int(s.options.kill_card)
    s.kill_card, cards = cards[:kills], cards[kills:]
    s.card_to_beat, s.rest = cards[:1], cards[1:]
    s.leader = NOBODY
    s.to_beat = poker_value(s.card_to_beat)
    if s.kill_card:
        s.tell("kill-card", None, *s.kill_card)
    s.tell("card-to-beat", None, *s.card_to_beat)


def pay_antes(s: MexicanSweat) -> None:
    s.pot = ANTE * s.players
    s.scores = tuple([score - ANTE for score in s.scores])
    close_betting(s)


def in_turn(s: MexicanSweat, after: int) -> tuple[int, ...]:
    """The live seats in turn order after a seat, which is the last itself."""
    seats = (*range(after + 1, s.players), *range(after + 1))
    return tuple([seat for seat in seats if seat in s.live])


# Turning up ---------------------------------------------------------------------------------------


def seat_in_turn(s: MexicanSweat) -> int:
    return s.turn


def turn_alone(s: MexicanSweat, seat: int) -> tuple[Action[None], ...]:
    return (TURN,)


def turn_up(s: MexicanSweat, seat: int, action: Action[None]) -> str | None:
    """Card by card, until the seat is killed, leads or has none left."""
    while s.face_down[seat]:
        card = turn_up_one(s, seat)
        if card_kills(s, card):
            s.tell("killed", seat)
            return leave(s, seat)
        value = poker_value(s.face_up[seat])
        if value > s.to_beat:
            return lead(s, seat, value)
    s.tell("beaten", seat)
    return leave(s, seat)


def turn_up_one(s: MexicanSweat, seat: int) -> str:
    card = s.face_down[seat][0]
    s.face_down = replaced(s.face_down, seat, s.face_down[seat][1:])
    s.face_up = replaced(s.face_up, seat, (*s.face_up[seat], card))
    s.tell("turn-up", seat, card)
    return card


def card_kills(s: MexicanSweat, card: str) -> bool:
    return bool(s.kill_card) and RANK[card] == RANK[s.kill_card[0]]


def leave(s: MexicanSweat, seat: int) -> str | None:
    """The seat is out, and there is no betting."""
    s.live = without(s.live, seat)
    return next_turn(s, seat)


def next_turn(s: MexicanSweat, after: int) -> str | None:
    """The last live seat takes the pot; else the next one turns up."""
    if len(s.live) == 1:
        return take_pot(s)
    s.turn = in_turn(s, after)[0]
    return "turn"


def lead(s: MexicanSweat, seat: int, value: PokerValue) -> str | None:
    """A former leader without a card left is out; the others bet."""
    former, s.leader, s.to_beat = s.leader, seat, value
    s.tell("lead", seat, *poker_words(value))
    if former in s.live and not s.face_down[former]:
        s.tell("beaten", former)
        s.live = without(s.live, former)
    if len(s.live) == 1:
        return take_pot(s)
    s.to_speak = in_turn(s, seat - 1)
    s.bet = SMALL_BET if value[0] == HIGH_CARD else BIG_BET
    return "betting"


# Betting ------------------------------------------------------------------------------------------


def seat_to_speak(s: MexicanSweat) -> int:
    return s.to_speak[0]


def bets_allowed(s: MexicanSweat, seat: int) -> tuple[Action[None], ...]:
    if not s.bets:
        return (CHECK, BET)
    return (FOLD, CALL, RAISE) if s.bets < MOST_BETS else (FOLD, CALL)


def speak(s: MexicanSweat, seat: int, action: Action[None]) -> str | None:
    s.to_speak = s.to_speak[1:]
    if action is FOLD:
        s.live = without(s.live, seat)
    elif action is CALL:
        pay_bets(s, seat)
    elif action is not CHECK:
        s.bets += 1
        pay_bets(s, seat)
        s.to_speak = in_turn(s, seat)[:-1]
    return "betting" if s.to_speak and len(s.live) > 1 else end_betting(s)


def pay_bets(s: MexicanSweat, seat: int) -> None:
    """Pays what the seat lacks of all bets and raises made in this round."""
    missing = s.bets * s.bet - s.paid[seat]
    s.paid = replaced(s.paid, seat, s.paid[seat] + missing)
    s.scores = replaced(s.scores, seat, s.scores[seat] - missing)
    s.pot += missing


def end_betting(s: MexicanSweat) -> str | None:
    close_betting(s)
    return next_turn(s, s.leader)


def close_betting(s: MexicanSweat) -> None:
    s.to_speak = ()
    s.bet = s.bets = 0
    s.paid = (0,) * s.players


# Scoring ------------------------------------------------------------------------------------------


def take_pot(s: MexicanSweat) -> str | None:
    winner = s.live[0]
    s.scores = replaced(s.scores, winner, s.scores[winner] + s.pot)
    s.tell("take-pot", winner, s.pot)
    s.pot = 0
    return deal(s) if s.deal < hands_of_match(s) else None


def hands_of_match(s: MexicanSweat) -> int:
    """As many as the option says, rounded up to a multiple of the players."""
    hands: int = s.options.hands
    return -(-hands // s.players) * s.players


def result(s: MexicanSweat) -> Result:
    return Result(list(s.scores), ranks_by(s.scores), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def view(s: MexicanSweat, viewer: int | None) -> Observation:
    """All seats see the same: a card face down is hidden from its owner too."""
    zones = [Zone("kill_card", None, s.kill_card), Zone("card_to_beat", None, s.card_to_beat)]
    for seat, cards in enumerate(s.face_up):
        zones.append(Zone("face_up", seat, cards))
        zones.append(hidden("face_down", seat, s.face_down[seat], viewer))
    zones.append(hidden("rest", None, s.rest, viewer))
    return Observation(tuple(zones), facts(s))


def hidden(name: str, owner: int | None, cards: tuple[str, ...], viewer: int | None) -> Zone:
    return Zone(name, owner, cards) if viewer is None else Zone(name, owner, (), len(cards))


def facts(s: MexicanSweat) -> Facts:
    return Facts(
        {
            "bet": s.bet,
            "bets": s.bets,
            "deal": s.deal,
            "dealer": s.dealer,
            "hands": hands_of_match(s),
            "leader": s.leader,
            "live": s.live,
            "paid": s.paid,
            "phase": s.phase or "over",
            "pot": s.pot,
            "scores": s.scores,
            "to_beat": poker_words(s.to_beat),
            "to_speak": s.to_speak,
        }
    )


def recall(s: MexicanSweat, seen: Seen) -> None:
    """Seats that turned up after the last leader and did not lead are out."""
    if s.leader == NOBODY:
        s.turn, s.to_beat = in_turn(s, s.dealer)[0], poker_value(s.card_to_beat)
    else:
        s.turn, s.to_beat = in_turn(s, s.leader)[0], poker_value(s.face_up[s.leader])


def redeal(s: MexicanSweat, viewer: int, rng: Random) -> None:
    """Nobody knows anything about the cards face down and the rest."""
    unseen = [card for cards in (*s.face_down, s.rest) for card in cards]
    rng.shuffle(unseen)
    cards = iter(unseen)
    s.face_down = tuple([tuple([next(cards) for _ in down]) for down in s.face_down])
    s.rest = tuple(cards)


GAME = Game(
    slug="mexican-sweat",
    title="Mexican Sweat",
    summary="Poker unseen: turn up your cards until they beat the best hand so far, then bet.",
    how_to_play=(
        "Each player gets seven cards face down, and nobody may look at them.",
        "In turn, turn up your cards one by one until they make a better poker hand than the best "
        "one so far; if they never do, you are out.",
        "A card of the same rank as the kill card in the middle puts you out at once.",
        "Whenever the lead changes, all who are still in the hand bet: they check or bet, then "
        "call, raise or fold.",
        "The last player in the hand takes the pot, and the most chips after all hands win.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5, 6, 7),
    ladder_players=4,
    option_fields=Options,
    state=MexicanSweat,
    begin=begin,
    phases={
        "turn": Turn(
            rule="The seat whose turn it is turns up its cards.",
            who=seat_in_turn,
            may=turn_alone,
            then=turn_up,
        ),
        "betting": Turn(
            rule="A seat checks or bets before any bet in this round; otherwise it folds, calls "
            "or, up to the third raise, raises.",
            who=seat_to_speak,
            may=bets_allowed,
            then=speak,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    cards="Rank, then suit: 2 3 4 5 6 7 8 9 T J Q K A from low to high; C D H S.",
    zones={
        "kill_card": "The kill card: a card of its rank, when turned up, kills its seat. Empty if "
        "the match has none.",
        "card_to_beat": "The card that the first leader must beat.",
        "face_up": "The cards a seat has turned up, in order.",
        "face_down": "The cards a seat has yet to turn up: only their number, also for their "
        "owner.",
        "rest": "The cards out of play in this hand: only their number.",
    },
    facts={
        "bet": "The size of a bet or raise in this betting round: 2 or 4; 0 outside.",
        "bets": "The number of bets and raises made in this betting round, 0 to 4.",
        "deal": "The number of the hand, from 1.",
        "dealer": "The seat that dealt; the next one turns up first.",
        "hands": "The number of hands in the match.",
        "leader": "The seat whose cards are to be beaten, also when it has folded; -1 before the "
        "first.",
        "live": "The seats that are in the hand, in ascending order.",
        "paid": "By seat, the chips paid in this betting round.",
        "phase": "The phase: turn, betting, or over at the end.",
        "pot": "The chips in the pot.",
        "scores": "By seat, the chips taken less those paid, over all hands.",
        "to_beat": "The value to beat: its category in words, then the ranks in the order in which "
        "they are compared.",
        "to_speak": "The seats that are to speak in this betting round, in order.",
    },
    actions={
        "turn": "Turn up your cards one by one, until you are killed, lead or have none left; the "
        "only legal action in your turn.",
        "check": "Bet nothing; before any bet in this round.",
        "bet": "Pay a bet; before any bet in this round.",
        "fold": "Leave the hand and what you have paid; only after a bet.",
        "call": "Pay what you lack of the bets and raises made in this round.",
        "raise": "Call, and pay a bet more; three times in a betting round.",
    },
    events={
        "deal": "The dealer; the number of the hand.",
        "kill-card": "The kill card.",
        "card-to-beat": "The card to beat.",
        "turn-up": "The seat; the card.",
        "killed": "The seat that is out, because the card has the rank of the kill card.",
        "lead": "The new leader; the value to beat: its category in words, then its ranks.",
        "beaten": "A seat that is out, because it has no card left and does not lead.",
        "take-pot": "The last live seat; the chips in the pot.",
    },
    reasons={"played-out": "All hands were played."},
    layout=Layout(
        score="chip|chips",
        hands=("face_up",),
        stocks=("face_down", "rest"),
        rows=(("kill_card", "card_to_beat"),),
        clicks={"face_down": ("turn",)},
        facts={
            "to_beat": at_table("to beat", "{0} ({rest:rank})"),
            "pot": at_table("pot", "{0:chip|chips}"),
            "bet": at_table("bet", "{0:chip|chips}"),
            "bets": at_table("bets and raises", "{0} of 4"),
            "paid": by_seat("paid", zeros=False),
            "scores": by_seat("chips"),
            "live": at_seat("in the hand"),
            "leader": at_seat("leads"),
            "deal": at_table("hand", "{0} of {hands}"),
            "hands": UNSAID,
            "to_speak": UNSAID,
        },
        says={
            "turn": "{actor:turns|turn} up",
            "check": "{actor:checks|check}",
            "bet": "{actor:bets|bet}",
            "fold": "{actor:folds|fold}",
            "call": "{actor:calls|call}",
            "raise": "{actor:raises|raise}",
            "deal": "{actor:deals|deal} hand {0}",
            "kill-card": "{0} is the kill card",
            "card-to-beat": "{0} is the card to beat",
            "turn-up": "{actor:turns|turn} up {0}",
            "killed": "{actor:is|are} killed",
            "lead": "{actor:leads|lead} with {0} ({rest:rank})",
            "beaten": "{actor:is|are} out",
            "take-pot": "{actor:takes|take} the pot of {0:chip|chips}",
        },
    ),
)
