"""Cash (Kemps): collect four of a rank, and tell your partner by a secret sign.

Source: the article "Cash" by Denexa Games. `docs/games/cash.md` explains the game to bot authors.
The scramble for cards is played in ticks: all seats choose, then all choices take effect. Other
questions that the article leaves open are ruled as follows:

1. A tick's first reach goes around the table, so that speed counts for nothing.
2. Of a swap the others see only what it does to the board.
3. Chance draws a team's sign, its code, for each deal, and tells it to both partners.
4. Any gesture may be shown at any time, true or not.
5. A gesture comes with every swap or pass, before its seat knows whether the swap succeeds.
6. A counter takes precedence over a cash of the same tick.
7. No swap is made in a tick in which a seat calls.
8. Every call of a tick is judged, but a deal costs a team one letter at most.
9. A cash claims the partner's four, never one's own; a counter claims the four of the seat named.
10. A right cash costs all other teams a letter, a right counter the team that is caught, and a
    wrong call the caller's team.
11. Every call ends the deal, as hands have been shown.
12. The board is swept after a tick without a swap, and after its sixth tick in any case.
13. Swept cards are out of the deal, and a deal whose stock is used up costs nobody a letter.
14. One deck serves up to eight seats.
15. Four of a kind in the hand that was dealt count like any other.
16. The code is always a gesture, never `still`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

from sevens_games.cards import DECK, PLACE, RANK, dealt, in_order, replaced, without
from sevens_games.cash.stays import (
    DEALT,
    Stay,
    Swap,
    exchanged,
    possible_seats,
    stay_of,
    stays_in,
    swaps_of,
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
    Zone,
    at_seat,
    at_table,
    by_seat,
    by_team,
    integer,
    ranks_by,
)

HAND = BOARD = 4
TICKS_A_BOARD = 6
GESTURES = ("blink", "cough", "frown", "nod", "shrug", "smile", "wink", "yawn")
STILL = "still"
UNKNOWN = ""
MOST_SEATS = 8


class Reach(NamedTuple):
    """A swap or, without cards, a pass; and the gesture that goes with it."""

    gesture: str
    put: str = ""
    take: str = ""


CASH = -1  # as the seat that a call names: the caller's partner

Choice: TypeAlias = Action[Reach] | Action[int]

# A swap or a pass shows nothing by itself: `make_choices` announces its gesture.
PASS = {g: Action[Reach](f"pass {g}", Reach(g), public=None) for g in (STILL, *GESTURES)}
CALL_CASH = Action[int]("cash", CASH)
COUNTER = tuple(Action[int](f"counter {seat}", seat) for seat in range(MOST_SEATS))


@cache
def swaps(put: str, take: str, gestures: int) -> tuple[Action[Reach], ...]:
    """With each of so many gestures, and without one."""
    return tuple(
        Action(f"swap {put} {take} {gesture}", Reach(gesture, put, take), public=None)
        for gesture in (STILL, *GESTURES[:gestures])
    )


@cache
def passes_and_calls(players: int, seat: int, gestures: int) -> tuple[Choice, ...]:
    """A counter can name every seat of another team."""
    team = opposite(players)
    passes = [PASS[gesture] for gesture in (STILL, *GESTURES[:gestures])]
    counters = [COUNTER[rival] for rival in range(players) if team[rival] != team[seat]]
    return (*passes, CALL_CASH, *counters)


@dataclass(frozen=True)
class Options:
    letters: int = integer(
        4,
        "The number of letters that ends the match; C, A, S and H are four.",
        minimum=1,
        maximum=20,
    )
    gestures: int = integer(5, "The number of gestures besides `still`.", minimum=2, maximum=8)
    max_deals: int = integer(
        20, "The number of deals after which the match ends.", minimum=1, maximum=100
    )


class Miss(NamedTuple):
    """A swap that failed, as another seat had taken the card."""

    tick: int
    seat: int
    card: str


@dataclass(slots=True, kw_only=True)
class Cash(State):
    """By team: `codes` of this deal, `letters` of the match. By seat: `hands` (in canonical order),
    and the gestures `shown` in the last tick (UNKNOWN before the first, and with a call).

    `board` is in canonical order; the first card of `stock` is its top. `tick`: its number in this
    deal, from 1; `board_tick`: its number on this board. `swept`: the cards out of this deal.
    `taken`: the cards that were taken from the board and are still in hands. `swaps` and `misses`
    of this deal are in the order made.
    """

    deal: int = 0
    dealer: int = 0
    codes: tuple[str, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    board: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    swept: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    tick: int = 0
    board_tick: int = 0
    shown: tuple[str, ...] = ()
    swaps: tuple[Swap, ...] = ()
    misses: tuple[Miss, ...] = ()
    letters: tuple[int, ...] = ()


# Teams --------------------------------------------------------------------------------------------


def opposite(players: int) -> tuple[int, ...]:
    """Partners sit opposite each other."""
    return tuple(seat % (players // 2) for seat in range(players))


def teams(s: Cash) -> int:
    return s.players // 2


def team_of(s: Cash, seat: int) -> int:
    return seat % teams(s)


def partner(s: Cash, seat: int) -> int:
    return (seat + teams(s)) % s.players


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Cash) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.letters = (0,) * teams(s)
    return begin_deal(s)


def begin_deal(s: Cash) -> str:
    """Each team gets a code, each seat four cards, and four more are the board."""
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.deals.begin_deal()
    cards = s.deals.shuffle(DECK)
    s.codes = tuple([GESTURES[s.deals.pick(s.options.gestures)] for _ in range(teams(s))])
    s.hands = tuple([in_order(h, PLACE) for h in dealt(cards, HAND, s.players, s.dealer + 1)])
    s.stock = cards[HAND * s.players :]
    s.swept = s.taken = ()
    s.tick = 1
    s.shown = (UNKNOWN,) * s.players
    s.swaps, s.misses = (), ()
    s.tell("deal", s.dealer, s.deal)
    for seat, hand in enumerate(s.hands):
        s.tell_only((seat,), "hand", seat, *hand)
    for team, code in enumerate(s.codes):
        s.tell_only((team, team + teams(s)), "code", None, team, code)
    return lay_board(s)


def lay_board(s: Cash) -> str:
    s.board, s.stock = in_order(s.stock[:BOARD], PLACE), s.stock[BOARD:]
    s.board_tick = 1
    s.tell("board", None, *s.board)
    return "tick"


# The ticks ----------------------------------------------------------------------------------------


def everyone(s: Cash) -> range:
    return range(s.players)


def reaches_first(s: Cash, tick: int) -> int:
    """In the first tick the seat after the dealer, in each further one the next."""
    return (s.dealer + tick) % s.players


def swap_pass_or_call(s: Cash, seat: int) -> list[Choice]:
    gestures, board = s.options.gestures, s.board
    of_cards = [swaps(put, take, gestures) for put in s.hands[seat] for take in board]
    return [*chain.from_iterable(of_cards), *passes_and_calls(s.players, seat, gestures)]


def make_choices(s: Cash, choices: dict[int, Choice]) -> str | None:
    """Gestures are seen by all. A call stops all hands."""
    chosen = {seat: choice.value for seat, choice in choices.items()}
    reaches = {seat: value for seat, value in chosen.items() if isinstance(value, Reach)}
    s.shown = tuple([reaches[o].gesture if o in reaches else UNKNOWN for o in everyone(s)])
    for seat, reach in reaches.items():
        s.tell("gesture", seat, reach.gesture)
    calls = {seat: value for seat, value in chosen.items() if isinstance(value, int)}
    return judge(s, calls) if calls else swap_cards(s, reaches)


def swap_cards(s: Cash, reaches: dict[int, Reach]) -> str | None:
    """In turn order from the seat that reaches first; a card taken before cannot be taken."""
    before, first = s.board, reaches_first(s, s.tick)
    for seat in (*range(first, s.players), *range(first)):
        if reaches[seat].take:
            swap(s, seat, reaches[seat])
    came = [card for card in s.board if card not in before]
    if came:
        s.tell("gone", None, *[card for card in before if card not in s.board])
        s.tell("come", None, *came)
    return end_tick(s, swapped=bool(came))


def swap(s: Cash, seat: int, reach: Reach) -> None:
    if reach.take not in s.board:
        s.misses += (Miss(s.tick, seat, reach.take),)
        s.tell_only((seat,), "miss", seat, reach.take)
        return
    s.board = in_order((*without(s.board, reach.take), reach.put), PLACE)
    s.hands = replaced(
        s.hands, seat, in_order((*without(s.hands[seat], reach.put), reach.take), PLACE)
    )
    s.taken = in_order([c for c in (*s.taken, reach.take) if c != reach.put], PLACE)
    s.swaps += (Swap(s.tick, seat, reach.put, reach.take),)
    s.tell_only((seat,), "take", seat, reach.take)


def end_tick(s: Cash, swapped: bool) -> str | None:
    """The board is swept if no card was swapped, and after six ticks in any case."""
    s.tick += 1
    s.board_tick += 1
    if swapped and s.board_tick <= TICKS_A_BOARD:
        return "tick"
    s.tell("sweep", None, *s.board)
    s.swept += s.board
    s.board = ()
    if s.stock:
        return lay_board(s)
    return end_deal(s, ())


# Calls --------------------------------------------------------------------------------------------


def has_four(s: Cash, seat: int) -> bool:
    return len({RANK[card] for card in s.hands[seat]}) == 1


def judge(s: Cash, calls: dict[int, int]) -> str | None:
    """All calls together, counters before cashes."""
    counters = {seat: named for seat, named in calls.items() if named != CASH}
    caught = {named for named in counters.values() if has_four(s, named)}
    lost: set[int] = set()
    for seat in sorted(caught):
        s.tell("caught", seat)
        lost.add(team_of(s, seat))
    for seat, named in calls.items():
        claimed = partner(s, seat) if named == CASH else named
        if not has_four(s, claimed):
            s.tell("wrong", seat)
            lost.add(team_of(s, seat))
        elif named == CASH and claimed not in caught:
            s.tell("right", seat)
            lost.update(team for team in range(teams(s)) if team != team_of(s, seat))
    return end_deal(s, lost)


# Scoring ------------------------------------------------------------------------------------------


def end_deal(s: Cash, lost: Collection[int]) -> str | None:
    """All hands and codes are shown; these teams get a letter."""
    for seat, hand in enumerate(s.hands):
        s.tell("show", seat, *hand)
    for team, code in enumerate(s.codes):
        s.tell("code", None, team, code)
    s.letters = tuple([number + (team in lost) for team, number in enumerate(s.letters)])
    s.tell("letters", None, *s.letters)
    return None if is_spelt(s) or s.deal == s.options.max_deals else begin_deal(s)


def is_spelt(s: Cash) -> bool:
    return bool(max(s.letters) >= s.options.letters)


def result(s: Cash) -> Result:
    """Fewer letters are better."""
    scores = [s.letters[team_of(s, seat)] for seat in everyone(s)]
    reason = "letters" if is_spelt(s) else "limit"
    return Result(scores, ranks_by([-letters for letters in scores]), reason)


# The view of a seat -------------------------------------------------------------------------------


def sees(s: Cash, viewer: int | None, seats: Collection[int]) -> bool:
    """True of what only these seats know; at the end it has been shown to all."""
    return viewer is None or viewer in seats or s.phase is None


def view(s: Cash, viewer: int | None) -> Observation:
    zones = [Zone("board", None, s.board)]
    for seat, hand in enumerate(s.hands):
        seen = sees(s, viewer, (seat,))
        zones.append(Zone("hand", seat, hand) if seen else Zone("hand", seat, (), len(hand)))
    seen_stock = s.stock if viewer is None else ()
    zones.append(Zone("stock", None, seen_stock, len(s.stock) - len(seen_stock)))
    zones.append(Zone("swept", None, s.swept))
    zones.append(Zone("taken", None, s.taken))
    return Observation(tuple(zones), facts(s, viewer))


def facts(s: Cash, viewer: int | None) -> Facts:
    known = [sees(s, viewer, (team, team + teams(s))) for team in range(teams(s))]
    return Facts(
        {
            "board_tick": s.board_tick,
            "codes": tuple([c if k else UNKNOWN for c, k in zip(s.codes, known, strict=True)]),
            "deal": s.deal,
            "dealer": s.dealer,
            "first": reaches_first(s, s.tick),
            "gestures": s.options.gestures,
            "letters": s.letters,
            "max_deals": s.options.max_deals,
            "max_letters": s.options.letters,
            "misses": tuple([f"{m.tick} {m.card}" for m in s.misses if viewer in (m.seat, None)]),
            "phase": s.phase or "over",
            "shown": s.shown,
            "stays": tuple([" ".join(map(str, stay)) for stay in stays_of_others(s, viewer)]),
            "swaps": tuple([" ".join(map(str, p)) for p in s.swaps if viewer in (p.seat, None)]),
            "tick": s.tick,
        }
    )


def stays_of_others(s: Cash, viewer: int | None) -> list[Stay]:
    """In an order that does not tell their seats."""
    stays, _ = stays_in([swap for swap in s.swaps if swap.seat != viewer])
    return sorted(stays, key=lambda stay: (stay.since, stay.until or 0, stay.card))


def recall(s: Cash, seen: Seen) -> None:
    """Cards taken from the board are in hands. The other seats' swaps go to any that can have made
    them, for a start."""
    others = [seat for seat in everyone(s) if seat != seen.seat]
    hidden = [card for seat in others for card in s.hands[seat]] + [*s.stock]
    hidden.sort(key=lambda card: card not in s.taken)
    for seat in others:
        s.hands = replaced(s.hands, seat, tuple(hidden[:HAND]))
        hidden = hidden[HAND:]
    s.stock = tuple(hidden)
    misses = [text.split() for text in seen.fact("misses")]
    s.misses = tuple([Miss(int(tick), seen.seat, card) for tick, card in misses])
    own = [text.split() for text in seen.fact("swaps")]
    swaps = [Swap(int(tick), int(seat), came, went) for tick, seat, came, went in own]
    stays = [stay_of(text) for text in seen.fact("stays")]
    seats = possible_seats(stays, others, lambda seats: faults(s, stays, seats), seen.rng)
    s.swaps = tuple(sorted([*swaps, *swaps_of(stays, seats)]))


def redeal(s: Cash, viewer: int, rng: Random) -> None:
    """The swaps of the other seats go to seats that can have made them. A card that has never been
    on the board can be in any other hand or in the stock, and the codes of other teams can be
    any. At the end only the stock is unknown."""
    if s.phase is None:
        s.stock = tuple(rng.sample(s.stock, len(s.stock)))
        return
    others = [seat for seat in everyone(s) if seat != viewer]
    unseen = [c for seat in others for c in s.hands[seat] if c not in s.taken] + [*s.stock]
    rng.shuffle(unseen)
    held = redeal_swaps(s, viewer, others, rng)
    for seat in others:
        lacking = HAND - len(held[seat])
        s.hands = replaced(s.hands, seat, in_order([*held[seat], *unseen[:lacking]], PLACE))
        unseen = unseen[lacking:]
    s.stock = tuple(unseen)
    gestures = GESTURES[: s.options.gestures]
    own = team_of(s, viewer)
    s.codes = tuple([c if team == own else rng.choice(gestures) for team, c in enumerate(s.codes)])


def redeal_swaps(
    s: Cash, viewer: int, others: Sequence[int], rng: Random
) -> dict[int, tuple[str, ...]]:
    """Returns, by other seat, the cards that it then has taken from the board and still holds."""
    own = [swap for swap in s.swaps if swap.seat == viewer]
    s.misses = tuple([miss for miss in s.misses if miss.seat == viewer])
    stays, seats = stays_in([swap for swap in s.swaps if swap.seat != viewer])
    seats = exchanged(stays, seats, others, lambda seats: not faults(s, stays, seats), rng)
    s.swaps = tuple(sorted([*own, *swaps_of(stays, seats)]))
    held: dict[int, tuple[str, ...]] = dict.fromkeys(others, ())
    for stay, seat in zip(stays, seats, strict=True):
        if stay.until is None:
            held[seat] += (stay.card,)
    return held


def faults(s: Cash, stays: Sequence[Stay], seats: Sequence[int]) -> int:
    """The number of impossible things: no seat was dealt more than four cards, and a card that a
    seat missed was taken by one that reached before it."""
    dealt_to = [seat for stay, seat in zip(stays, seats, strict=True) if stay.since == DEALT]
    took = {(stay.card, stay.since): seat for stay, seat in zip(stays, seats, strict=True)}
    too_many = sum([max(dealt_to.count(seat) - HAND, 0) for seat in set(dealt_to)])
    too_late = [
        miss
        for miss in s.misses
        if turn_in(s, miss.tick, took[miss.card, miss.tick]) > turn_in(s, miss.tick, miss.seat)
    ]
    return too_many + len(too_late)


def turn_in(s: Cash, tick: int, seat: int) -> int:
    """The seat's place in the order of a tick, from 0."""
    return (seat - reaches_first(s, tick)) % s.players


GAME = Game(
    slug="cash",
    title="Cash",
    summary="Teams collect four of a rank in ticks, and tell their partners by secret signs.",
    how_to_play=(
        "Partners sit opposite each other, and each player tries to collect four cards of one "
        "rank.",
        "All players swap cards with the four on the board at the same time, and new ones come "
        "when no player swaps any more.",
        "A player who has four of a rank makes the secret sign that only the two partners know.",
        "The partner who sees the sign calls cash, unless a rival has guessed it and calls "
        "counter before.",
        "A team gets a letter of the word CASH whenever it is beaten or calls wrongly, and the "
        "team with the fewest letters wins.",
    ),
    rules_version=1,
    players=(4, 6, 8),
    ladder_players=4,
    ladder_duplicate=True,
    option_fields=Options,
    teams=opposite,
    state=Cash,
    begin=begin,
    phases={
        "tick": Simultaneous(
            rule="A seat swaps a card of its hand for one of the board, or passes, with a gesture; "
            "or it calls cash, or counter with a rival.",
            who=everyone,
            may=swap_pass_or_call,
            then=make_choices,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECK,
    copies=("taken",),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S. Only ranks matter.",
    zones={
        "board": "The cards that can be taken, in canonical order.",
        "hand": "A seat's hand: your cards; for other seats, your partner too, only their number. "
        "At the end of the match, all cards.",
        "stock": "The cards of the boards to come: only their number.",
        "swept": "The cards swept in this deal, which are out of it.",
        "taken": "The cards taken from the board in this deal that are still in hands, yours "
        "included; a record.",
    },
    facts={
        "board_tick": "The number of the tick on this board, from 1; the sixth is its last.",
        "codes": "By team, the gesture that is its code in this deal; empty for other teams, until "
        "the match is over.",
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt.",
        "first": "The seat that reaches first in this tick; the next seats follow in turn.",
        "gestures": "The number of gestures besides still.",
        "letters": "By team, the letters it has got.",
        "max_deals": "The number of deals after which the match ends.",
        "max_letters": "The number of letters that ends the match.",
        "misses": "Your swaps of this deal that failed: the tick, the card.",
        "phase": "The phase: tick, or over at the end.",
        "shown": "By seat, the gesture that it showed in the last tick, or still; empty before the "
        "first tick of a deal, and for a seat that called.",
        "stays": "The cards that came to the board or went from it in this deal by swaps of other "
        "seats: the card, the tick in which a hand took it, 0 for a card dealt to it, and the one "
        "in which it came back, or None.",
        "swaps": "Your swaps of this deal: the tick, your seat, the card you put, that you took.",
        "tick": "The number of the tick in this deal, from 1.",
    },
    actions={
        "swap CARD CARD GESTURE": "Put the first card, of your hand, on the board and take the "
        "second, if no other seat takes it before you; and show this gesture, or still.",
        "pass GESTURE": "Swap nothing, and show this gesture, or still.",
        "cash": "Say that your partner has four of a rank; ends the deal.",
        "counter SEAT": "Say that this rival has four of a rank; ends the deal.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "hand": "You; your cards.",
        "code": "A team, its code: yours when a deal begins, all when it is over.",
        "board": "The four cards of a new board.",
        "gesture": "A seat that swapped or passed; its gesture, or still.",
        "take": "You; the card that you took.",
        "miss": "You; the card that another seat had taken before.",
        "gone": "The cards that were taken in this tick.",
        "come": "The cards that were put on the board instead.",
        "sweep": "The cards of the board, which are out of this deal.",
        "caught": "The seat that has four, and was named by a counter.",
        "wrong": "The seat whose call was wrong.",
        "right": "The seat whose cash was right.",
        "show": "A seat; its hand when the deal is over.",
        "letters": "By team, the letters it has got.",
    },
    reasons={
        "letters": "A team got the letters that end the match.",
        "limit": "The last deal allowed was played.",
    },
    layout=Layout(
        score="letter|letters",
        records=("swept", "taken"),
        clicks={"other hand": ("counter {owner}",)},
        facts={
            "letters": by_team("letters", "{0} of {max_letters}"),
            "codes": by_team("code", "{0:gesture}"),
            "shown": by_seat("shows", "{0:gesture}"),
            "first": at_seat("reaches first"),
            "deal": at_table("deal", "{0} of at most {max_deals}"),
            "board_tick": at_table("tick of this board", "{0} of 6"),
            "tick": at_table("tick of this deal"),
            "gestures": UNSAID,
            "max_deals": UNSAID,
            "max_letters": UNSAID,
            "misses": UNSAID,
            "stays": UNSAID,
            "swaps": UNSAID,
        },
        words={
            "gesture": {STILL: "no gesture", **{each: f"a {each}" for each in GESTURES}},
        },
        says={
            "swap": "{actor:swaps|swap} {0} for {1} with {2:gesture}",
            "pass": "{actor:passes|pass} with {0:gesture}",
            "cash": "{actor:calls|call} cash",
            "counter": "{actor:counters|counter} {0:seat}",
            "deal": "{actor:deals|deal} hand {0}",
            "hand": "{actor:is|are} dealt {all}",
            "code": "The code of {0:team} is {1:gesture}",
            "board": "The board is {all}",
            "gesture": "{actor:shows|show} {0:gesture}",
            "take": "{actor:takes|take} {0}",
            "miss": "{actor:misses|miss} {0}",
            "gone": "Taken from the board: {all}",
            "come": "Put on the board: {all}",
            "sweep": "Swept from the board: {all}",
            "caught": "{actor:is|are} caught with four",
            "wrong": "{actor:is|are} wrong",
            "right": "{actor:is|are} right",
            "show": "{actor:shows|show} {all}",
            "letters": "Letters: {all:teams}",
        },
    ),
)
