"""Oh 7 ?: each seat bets, with a card, exactly how many tricks it will take; never 7 in all.

Source: the rule sheet of "Oh 7 ?", including its part on 2 players. `docs/games/oh-seven.md`
explains the game to bot authors. What the sheet leaves open is ruled as follows:

1. Rounds could go on for ever, so a match has a last round. There the same comparison decides,
   though a leader may have failed its last bet.
2. A third sum of 7 restarts the round with a deal of the same dealer. After seven deals the round
   is void: it counts, nobody scores, and nobody made its bet.
3. The Dummy follows suit like a player.
4. A trump is higher for the Dummy than all other cards.
5. Where the Dummy's cards tie in rank, the suit of higher priority is the higher card.
6. The Dummy's third card is turned up only after both players have played.
7. After the Dummy's lead the round's first leader plays next, even if other seats have won tricks
   since.
8. The Dummy has no score, and the tricks it misses add nothing to the basket.
9. A Dummy that has taken more than two tricks still wants to lose the others.
10. Tied leaders play on if one of them failed the last bet. All places go by score, then by bets
    made.
11. With 2 players, too, a player who failed the last bet does not win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    Layout,
    Observation,
    Result,
    Seen,
    Simultaneous,
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

# The deck: ranks 0-7 (the queens are the 0) in four suits, here from the highest priority down.
SUITS = "SHCD"
DECK = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(8))
PLACE = {card: place for place, card in enumerate(DECK)}
RANK = {card: int(card[0]) for card in DECK}
SUIT = {card: card[1] for card in DECK}
# The rank counts first, then the priority of the suit: 3C < 3H < 3S < 4C.
HEIGHT = {card: 4 * RANK[card] - SUITS.index(SUIT[card]) for card in DECK}
OF_SUIT = {suit: frozenset(card for card in DECK if SUIT[card] == suit) for suit in SUITS}
FOLLOWING = {lead: OF_SUIT[SUIT[lead]] for lead in DECK}
# A suit for each player; the Dummy is the third.
DECKS = {2: DECK[:24], 3: DECK[:24], 4: DECK}

HAND = 7
FORBIDDEN_SUM = 7
BETTINGS_A_DEAL = 3
DEALS_A_ROUND = 7
LEAST_ROUNDS = 7
POINTS_FOR_A_BET = 2
DUMMY_BET = 2
DUMMY_SHOWN = 2
REST = -1  # as a place for cards, besides the seats

BET = {card: Action[str](f"bet {card}", card) for card in DECK}
PLAY = {card: Action[str](f"play {card}", card) for card in DECK}


@dataclass(frozen=True)
class Options:
    max_rounds: int = integer(21, "The round after which the match ends in any case.", minimum=7)
    ties_play_on: bool = flag(False, "A tie for the highest score always means another round.")


@dataclass(slots=True, kw_only=True)
class OhSeven(State):
    """By seat: `scores`, `bets_made` (their number), `made` (whether in the last finished round),
    and of this deal `hands` (in canonical order) and `bets` (a card for each betting; the last
    counts).

    By hand, the Dummy's after those of the seats: `played` (in order) and `taken` (tricks).
    `order`: the hands in the order in which they play to this trick; `trick`: its cards so far;
    `leads`: the first cards of this deal's tricks.

    `rest`: the cards not dealt, with 2 players the Dummy's pile, its top first; `shown`: the
    Dummy's cards that are face up.
    """

    round: int = 0
    dealer: int = -1
    deals_of_round: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    rest: tuple[str, ...] = ()
    bets: tuple[tuple[str, ...], ...] = ()
    trump: str = ""
    first_leader: int = -1
    order: tuple[int, ...] = ()
    trick: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    played: tuple[tuple[str, ...], ...] = ()
    taken: tuple[int, ...] = ()
    shown: tuple[str, ...] = ()
    made: tuple[bool, ...] = ()
    bets_made: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


def has_dummy(s: OhSeven) -> bool:
    return s.players == 2


def dummy(s: OhSeven) -> int:
    """The number of the Dummy's hand."""
    return s.players


# Dealing ------------------------------------------------------------------------------------------


def begin(s: OhSeven) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for round 1
    s.scores = s.bets_made = (0,) * s.players
    s.made = (False,) * s.players
    return begin_round(s)


def begin_round(s: OhSeven) -> str:
    s.round += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals_of_round = 0
    s.deals.begin_deal()  # redeals of the round belong to it
    return deal(s)


def deal(s: OhSeven) -> str:
    """Seven cards each; the rest is the discard or the Dummy's pile."""
    s.deals_of_round += 1
    stock = s.deals.shuffle(DECKS[s.players])
    s.hands = tuple(in_order(hand, PLACE) for hand in dealt(stock, HAND, s.players, s.dealer + 1))
    s.rest = stock[HAND * s.players :]
    s.bets = ((),) * s.players
    s.trump = ""
    s.first_leader = -1
    s.order = s.trick = s.leads = s.shown = ()
    hands = s.players + has_dummy(s)
    s.played = ((),) * hands
    s.taken = (0,) * hands
    s.tell("round", s.dealer, s.round, s.deals_of_round)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    return "betting"


# Bets ---------------------------------------------------------------------------------------------


def everyone(s: OhSeven) -> range:
    return range(s.players)


def any_card_not_yet_bet(s: OhSeven, seat: int) -> list[Action[str]]:
    return [BET[card] for card in s.hands[seat] if card not in s.bets[seat]]


def reveal_bets(s: OhSeven, bets: dict[int, Action[str]]) -> str | None:
    s.bets = tuple((*before, bets[seat].value) for seat, before in enumerate(s.bets))
    if sum(ranks_bet(s)) + DUMMY_BET * has_dummy(s) == FORBIDDEN_SUM:
        return bet_again(s)
    settle_bets(s)
    return "play"


def ranks_bet(s: OhSeven) -> tuple[int, ...]:
    """By seat, the rank of the card bet last; empty before the first betting."""
    return tuple([RANK[cards[-1]] for cards in s.bets if cards])


def bet_again(s: OhSeven) -> str | None:
    """All bet again with other cards; after three bettings the round is dealt again."""
    s.tell("sum-of-seven")
    if len(s.bets[0]) < BETTINGS_A_DEAL:
        return "betting"
    if s.deals_of_round < DEALS_A_ROUND:
        return deal(s)
    s.tell("void-round")
    s.made = (False,) * s.players
    return end_round(s)


def settle_bets(s: OhSeven) -> None:
    """The highest card makes its seat the first leader and its suit trump. The Dummy's bet, which
    is no card, does not count for this."""
    last_bets = [cards[-1] for cards in s.bets]
    highest = max(last_bets, key=HEIGHT.__getitem__)
    s.first_leader = last_bets.index(highest)
    s.trump = SUIT[highest]
    s.tell("trump", s.first_leader, s.trump)
    if has_dummy(s):
        turn_up(s, DUMMY_SHOWN)
    begin_trick(s, s.first_leader)


# Tricks -------------------------------------------------------------------------------------------


def begin_trick(s: OhSeven, leader: int) -> None:
    s.order = order_of_play(s, leader)
    if leader == dummy(s):
        dummy_leads(s)


def order_of_play(s: OhSeven, leader: int) -> tuple[int, ...]:
    """In turn from the leader. The Dummy plays last; if it leads, the first leader is second."""
    first = s.first_leader if leader == dummy(s) else leader
    seats = (*range(first, s.players), *range(first))
    if not has_dummy(s):
        return seats
    return (leader, *seats) if leader == dummy(s) else (*seats, dummy(s))


def seat_to_play(s: OhSeven) -> int:
    return s.order[len(s.trick)]


def follow_suit(s: OhSeven, seat: int) -> list[Action[str]]:
    return [PLAY[card] for card in playable(s.hands[seat], s.trick, FOLLOWING)]


def play_card(s: OhSeven, seat: int, play: Action[str]) -> str | None:
    s.hands = replaced(s.hands, seat, without(s.hands[seat], play.value))
    add_to_trick(s, seat, play.value)
    if s.order[len(s.trick) :] == (dummy(s),):
        dummy_plays_last(s)
    return "play" if len(s.trick) < len(s.order) else finish_trick(s)


def add_to_trick(s: OhSeven, hand: int, card: str) -> None:
    if not s.trick:
        s.leads += (card,)
    s.trick += (card,)
    s.played = replaced(s.played, hand, (*s.played[hand], card))


def finish_trick(s: OhSeven) -> str | None:
    winner = s.order[s.trick.index(winning(s.trick, s.trump))]
    s.taken = replaced(s.taken, winner, s.taken[winner] + 1)
    s.trick = ()
    if winner == dummy(s):
        s.tell("dummy-takes-trick")
    else:
        s.tell("take-trick", winner)
    if not any(s.hands):
        return score_round(s)
    begin_trick(s, winner)
    return "play"


def winning(trick: Sequence[str], trump: str) -> str:
    """The highest trump; without one, the highest card of the suit led."""
    return winning_card(trick, OF_SUIT[trump], FOLLOWING, HEIGHT)


# The Dummy ----------------------------------------------------------------------------------------


def turn_up(s: OhSeven, count: int) -> None:
    s.shown += s.rest[:count]
    s.tell("turn-up", None, *s.rest[:count])
    s.rest = s.rest[count:]


def dummy_leads(s: OhSeven) -> None:
    """With the top card of its pile; the shown cards stay."""
    card, s.rest = s.rest[0], s.rest[1:]
    dummy_plays(s, card)


def dummy_plays_last(s: OhSeven) -> None:
    """A third card joins the shown ones, and one of the three is played."""
    turn_up(s, 1)
    card = dummys_choice(s.shown, s.trick, s.trump, s.taken[dummy(s)])
    s.shown = without(s.shown, card)
    dummy_plays(s, card)


def dummy_plays(s: OhSeven, card: str) -> None:
    add_to_trick(s, dummy(s), card)
    s.tell("dummy-plays", None, card)


def dummys_choice(shown: tuple[str, ...], trick: tuple[str, ...], trump: str, taken: int) -> str:
    """The Dummy wins its first trick with its lowest winning card, its second with its highest,
    and loses the rest with its highest losing card. While it wants a trick that it cannot win,
    it plays its lowest card."""
    possible = sorted(
        playable(shown, trick, FOLLOWING),
        key=lambda card: (SUIT[card] == trump, HEIGHT[card]),
    )
    winners = [card for card in possible if winning((*trick, card), trump) == card]
    if taken >= DUMMY_BET:
        losers = [card for card in possible if card not in winners]
        return (losers or possible)[-1]
    if not winners:
        return possible[0]
    return winners[0] if taken == 0 else winners[-1]


# Scoring ------------------------------------------------------------------------------------------


def points(bets: Sequence[int], taken: Sequence[int]) -> list[int]:
    """A failed bet loses a point for each trick off. These points make up the basket: every seat
    that took exactly its bet gets it, plus 2 points and one for each trick."""
    missed = [abs(tricks - bet) for bet, tricks in zip(bets, taken, strict=True)]
    basket = sum(missed)
    return [
        -off if off else POINTS_FOR_A_BET + basket + tricks
        for off, tricks in zip(missed, taken, strict=True)
    ]


def score_round(s: OhSeven) -> str | None:
    bets, taken = ranks_bet(s), s.taken[: s.players]
    won = points(bets, taken)
    s.made = tuple([bet == tricks for bet, tricks in zip(bets, taken, strict=True)])
    s.bets_made = tuple(map(sum, zip(s.bets_made, s.made, strict=True)))
    s.scores = tuple(map(sum, zip(s.scores, won, strict=True)))
    s.tell("score", None, *s.scores)
    return end_round(s)


# The end ------------------------------------------------------------------------------------------


def end_round(s: OhSeven) -> str | None:
    return None if is_decided(s) or s.round == s.options.max_rounds else begin_round(s)


def is_decided(s: OhSeven) -> bool:
    """True from the 7th round on, if all seats that share the highest score made their bets in
    this round."""
    highest = max(s.scores)
    leaders = [seat for seat in everyone(s) if s.scores[seat] == highest]
    if s.round < LEAST_ROUNDS or (s.options.ties_play_on and len(leaders) > 1):
        return False
    return all(s.made[seat] for seat in leaders)


def result(s: OhSeven) -> Result:
    """The number of bets made breaks ties."""
    merits = list(zip(s.scores, s.bets_made, strict=True))
    return Result(list(s.scores), ranks_by(merits), "played-out" if is_decided(s) else "limit")


# The view of a seat -------------------------------------------------------------------------------


def known_in_hand(s: OhSeven, seat: int) -> tuple[str, ...]:
    """The cards that everyone knows to be in the hand: those bet and not yet played."""
    return tuple([card for card in s.hands[seat] if card in s.bets[seat]])


def view(s: OhSeven, viewer: int | None) -> Observation:
    zones = [Zone("trick", None, s.trick)]
    for seat, hand in enumerate(s.hands):
        known = hand if viewer in (seat, None) else known_in_hand(s, seat)
        zones.append(Zone("hand", seat, known, len(hand) - len(known)))
        zones.append(Zone("bet", seat, s.bets[seat]))
        zones.append(Zone("played", seat, s.played[seat]))
    if has_dummy(s):
        zones.append(Zone("dummy_shown", None, s.shown))
        zones.append(Zone("dummy_played", None, s.played[dummy(s)]))
    seen_rest = s.rest if viewer is None else ()
    name = "dummy_pile" if has_dummy(s) else "discard"
    zones.append(Zone(name, None, seen_rest, len(s.rest) - len(seen_rest)))
    return Observation(tuple(zones), facts(s))


def facts(s: OhSeven) -> Facts:
    return Facts(
        {
            "bets": ranks_bet(s),
            "bets_made": s.bets_made,
            "deal": s.deals_of_round,
            "dealer": s.dealer,
            "first_leader": s.first_leader,
            "leads": s.leads,
            "max_rounds": s.options.max_rounds,
            "order": s.order,
            "phase": s.phase or "over",
            "round": s.round,
            "scores": s.scores,
            "taken": s.taken,
            "ties_play_on": int(s.options.ties_play_on),
            "trump": s.trump,
        }
    )


def recall(s: OhSeven, seen: Seen) -> None:
    s.deals_of_round = seen.fact("deal")
    s.made = (False,) * s.players  # of the round before, which no longer matter
    s.rest = seen.cards("dummy_pile" if has_dummy(s) else "discard")
    if has_dummy(s):
        s.shown = seen.cards("dummy_shown")
        s.played = (*s.played, seen.cards("dummy_played"))


def redeal(s: OhSeven, viewer: int, rng: Random) -> None:
    """A seat that once did not follow suit holds no card of that suit; the cards that it has bet
    are in its hand until it plays them; all other unseen cards are in the other hands or in the
    rest."""
    others = [seat for seat in everyone(s) if seat != viewer]
    known = {seat: known_in_hand(s, seat) for seat in others}
    unseen = [c for seat in others for c in s.hands[seat] if c not in known[seat]] + [*s.rest]
    sizes = {seat: len(s.hands[seat]) - len(known[seat]) for seat in others}
    void = voids(s.leads, s.played, FOLLOWING)
    places = redealt(
        in_order(unseen, PLACE),
        {**sizes, REST: len(s.rest)},
        lambda place, card: place == REST or card not in void[place],
        rng,
    )
    for seat in others:
        s.hands = replaced(s.hands, seat, in_order(known[seat] + places[seat], PLACE))
    s.rest = places[REST]


GAME = Game(
    slug="oh-seven",
    title="Oh 7 ?",
    summary="Rounds of seven tricks: bet, with a card, exactly how many you will take.",
    how_to_play=(
        "The cards run from 0 to 7 in each suit, and a round is seven tricks.",
        "Before it, all show a card at once: its rank is the tricks that the player bets to take, "
        "and the highest card names the trump suit and leads.",
        "Follow the suit led if you can; the highest trump takes the trick, or else the highest "
        "card of the suit led.",
        "Each trick too many or too few costs a point, and all points lost in a round go into a "
        "basket.",
        "Exactly the tricks of the bet score two points, the basket, and a point for each trick.",
        "After seven rounds the leader wins, if the leader's last bet was right; if not, another "
        "round follows.",
    ),
    rules_version=1,
    players=(2, 3, 4),
    ladder_players=4,
    option_fields=Options,
    state=OhSeven,
    begin=begin,
    phases={
        "betting": Simultaneous(
            rule="Every seat bets a card of its hand that it has not bet in this deal.",
            who=everyone,
            may=any_card_not_yet_bet,
            then=reveal_bets,
        ),
        "play": Turn(
            rule="A seat that holds a card of the suit led must play one.",
            who=seat_to_play,
            may=follow_suit,
            then=play_card,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECKS,
    copies=("trick", "bet"),
    cards="Rank, then suit: 0 to 7; S H C D, with 2 or 3 players no D.",
    zones={
        "trick": "The cards of the trick in play, the leader's first.",
        "hand": "A seat's hand: your cards; for other seats, the cards that they have bet and not "
        "yet played, and the number of the rest.",
        "bet": "The card a seat bet in each betting of this deal; the last one counts.",
        "played": "The cards a seat has played in this deal, in order.",
        "discard": "With 3 or 4 players: the cards not dealt, hidden for the whole deal: only "
        "their number.",
        "dummy_pile": "With 2 players: the cards the Dummy has still to turn up: only their "
        "number.",
        "dummy_shown": "With 2 players: the Dummy's cards that are face up.",
        "dummy_played": "With 2 players: the cards the Dummy has played in this deal, in order.",
    },
    facts={
        "bets": "By seat, the number of tricks last bet in this deal; empty before the first "
        "betting.",
        "bets_made": "By seat, how many bets it has made in the match; this breaks ties.",
        "deal": "The number of this deal in the round, from 1; three sums of 7 in a row lead to "
        "another deal.",
        "dealer": "The seat that dealt.",
        "first_leader": "The seat of the highest bet card, which led the first trick; -1 before "
        "the bets are settled.",
        "leads": "The cards led in this deal, the Dummy's included.",
        "max_rounds": "The round after which the match ends in any case.",
        "order": "The seats in the order in which they play to this trick; with 2 players, 2 is "
        "the Dummy; empty before the bets are settled.",
        "phase": "The phase: betting, play, or over at the end.",
        "round": "The round, from 1.",
        "scores": "By seat, the points so far.",
        "taken": "By seat, the tricks taken in this deal; with 2 players the Dummy's are a third "
        "number.",
        "ties_play_on": "1 if a tie for the highest score means another round, otherwise 0.",
        "trump": "The letter of the trump suit; empty before the bets are settled.",
    },
    actions={
        "bet CARD": "Bet as many tricks as the rank of this card, which you have not bet in this "
        "deal; its suit may become trump.",
        "play CARD": "Play a card of the suit led; any card of your hand if you have none, or "
        "when leading.",
    },
    events={
        "round": "The dealer; the round, the deal of the round.",
        "hand": "You; your cards.",
        "sum-of-seven": "The bets sum to 7 and do not count.",
        "trump": "The seat that leads; the suit.",
        "turn-up": "With 2 players: the Dummy's cards that are turned up.",
        "dummy-plays": "The Dummy's card.",
        "take-trick": "The winner.",
        "dummy-takes-trick": "The Dummy wins the trick.",
        "void-round": "The round is void after seven deals; it counts, and nobody scores.",
        "score": "All scores.",
    },
    reasons={
        "played-out": "The leaders made their bets in the last round.",
        "limit": "The last round allowed was played.",
    },
    layout=Layout(
        stocks=("discard", "dummy_pile"),
        records=("played", "dummy_played"),
        order="order",
        deal="round",
        trick_ends=("take-trick", "dummy-takes-trick"),
        facts={
            "trump": at_table("trump", "{0:suit}"),
            "bets": by_seat("bet"),
            "taken": by_seat("tricks"),
            "scores": by_seat("points"),
            "bets_made": by_seat("bets made"),
            "first_leader": at_seat("led first"),
            "round": at_table("round", "{0} of at most {max_rounds}"),
            "deal": at_table("deal of this round", "{0:again}"),
            "max_rounds": UNSAID,
            "order": UNSAID,
            "ties_play_on": UNSAID,
            "leads": UNSAID,
        },
        words={"again": {"1": ""}},
        titles={
            "dummy_pile": "face down before the Dummy",
            "dummy_shown": "face up before the Dummy",
            "dummy_played": "played by the Dummy",
        },
        says={
            "bet": "{actor:bets|bet} {0}",
            "play": "{actor:plays|play} {0}",
            "round": "{actor:deals|deal} round {0}",
            "hand": "{actor:is|are} dealt {all}",
            "sum-of-seven": "The bets sum to 7 and do not count",
            "trump": "{actor:leads|lead}; trump is {0:suit}",
            "turn-up": "The Dummy turns up {all}",
            "dummy-plays": "The Dummy plays {0}",
            "take-trick": "{actor:takes|take} the trick",
            "dummy-takes-trick": "The Dummy takes the trick",
            "void-round": "The round is void",
            "score": "Scores: {all:seats}",
        },
    ),
)
