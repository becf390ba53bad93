"""Russian Bank (Crapette): two seats share one big patience, each trying to lose all its cards.

Source: the article "Russian Bank (Crapette)" by Denexa Games. `docs/games/russian-bank.md` explains
the game to bot authors. What the article leaves open is ruled as follows:

1. The only wrong moves that can be made are breaches of priority. A card cannot be put where it
   does not fit: offering every impossible place would drown out the real choices.
2. Calls are on by default: watching for a Stop! makes this patience a game. Without them only
   correct actions are offered, which is the same game among faultless players.
3. The opponent is asked after every action: asking only after a breach would reveal it.
4. A wrong Stop costs the right to call until the mover's next turn is over; otherwise calling every
   time would be the best policy.
5. A breach that is called is taken back before the priority moves are carried out, because it can
   bury the very card that had to move.
6. A card still turned up after that is discarded, as at the end of any turn.
7. A breach that is not called remains. The priority move is still due: the next action is also a
   breach unless it is that move.
8. Any available card can be loaded onto the opponent's reserve or discard pile, but not onto a
   stock: it is face down and shows no card to match.
9. Among the moves to the foundations the turned-up card ranks after the reserve, level with the
   tableau.
10. Other moves may be made while a card is turned up; a second card cannot be turned up.
11. With an empty reserve a space need not be filled, and any available card may go there. Before
    that, putting any card but the top of the reserve into a space is a breach.
12. A turn ends with a discard, or without one when there is nothing to turn up.
13. If the tops of the reserves are equal, the tableau cards decide who begins, the first ones
    first; if all are equal, seat 0 in odd hands and seat 1 in even ones.
14. Stalemate is established by play: by enough turns in a row, without a move other than within the
    tableau, for both seats to see every card of the longer stock and discard pile.
15. A hand ends after a number of turns: loading can move the same cards back and forth for ever.
16. When a breach takes the mover's last card away, the question comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from sevens_games.cards import DECK, PLACE, RANK, RANKS, SUIT, replaced
from sevens_games.engine import (
    FRENCH_SUITS,
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Legal,
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

TWO_DECKS = DECK + DECK
RESERVE_CARDS = 13
PILES_A_SEAT = 4
MOST_PILE_MOVES = 20  # from pile to pile, in one turn
POINTS_A_RESERVE_CARD = 2
POINTS_FOR_GOING_OUT = 30

# The places for cards, as indices; the last card of each is its top. Reserves, discard piles and
# stocks are those of seat 0, then of seat 1; foundations two for each suit.
PILES = range(8)
RESERVE = 8
DISCARD = 10
STOCK = 12
TURNED = 14  # the turned-up stock card
FOUNDATION = 15
PLACES = 23

SPACE = ""  # as the top card of an empty pile
RED = "DH"


def builds_on(card: str, top: str) -> bool:
    """In the tableau: on the other colour, one rank higher."""
    other_colour = (SUIT[card] in RED) != (SUIT[top] in RED)
    return other_colour and RANKS.index(RANK[top]) == RANKS.index(RANK[card]) + 1


def loads_on(card: str, top: str) -> bool:
    """On the opponent's side: on the same suit, one rank higher or lower."""
    return SUIT[card] == SUIT[top] and abs(PLACE[card] - PLACE[top]) == 1


# By card, the cards it may be put on in the tableau; by top card, the cards that the pile may be
# loaded with.
BUILDS_ON = {card: frozenset([SPACE, *[t for t in DECK if builds_on(card, t)]]) for card in DECK}
LOADED_WITH = {top: frozenset([card for card in DECK if loads_on(card, top)]) for top in DECK}
LOADED_WITH[SPACE] = frozenset()


# Actions ------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One card goes from the top of a place to the top of another. To FOUNDATION: to that of its
    suit where it fits. `progress`: false for moves from pile to pile, turning up and discards."""

    source: int
    target: int
    progress: bool = False


# The places in the texts of actions: the owner of a reserve or discard pile goes without saying.
WORD = {
    **{pile: str(pile + 1) for pile in PILES},
    **{RESERVE + seat: "reserve" for seat in (0, 1)},
    **{DISCARD + seat: "discard" for seat in (0, 1)},
    TURNED: "stock",
    FOUNDATION: "foundation",
}


def placement(source: int, target: int) -> Action[Step]:
    verb = "move" if target in PILES or target == FOUNDATION else "load"
    step = Step(source, target, progress=source not in PILES or target not in PILES)
    return Action(f"{verb} {WORD[source]} {WORD[target]}", step)


# By seat, the places of the available cards, in the order in which their actions are listed.
SOURCES = [(RESERVE + seat, *PILES, TURNED) for seat in (0, 1)]
TARGETS = (FOUNDATION, *PILES, RESERVE, RESERVE + 1, DISCARD, DISCARD + 1)
PUT = {
    source: {target: placement(source, target) for target in TARGETS}
    for source in (*SOURCES[0], RESERVE + 1)
}
# By seat.
TURN_UP = [Action[Step]("turn", Step(STOCK + seat, TURNED)) for seat in (0, 1)]
LAY_DOWN = [Action[Step]("discard", Step(TURNED, DISCARD + seat)) for seat in (0, 1)]
# A discard of no card: none is turned up, and none can be.
END = [Action[Step]("end", Step(TURNED, DISCARD + seat)) for seat in (0, 1)]

CONTINUE, STOP = Action[None]("continue"), Action[None]("stop")
ANSWERS = (CONTINUE, STOP)


# Options and state --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    stop_calls: bool = flag(
        True,
        "If true, priority moves may be missed, and the opponent may call Stop; if false, only "
        "correct actions are offered.",
    )
    target: int = integer(300, "The score that ends the match.", minimum=1, maximum=10_000)
    max_turns: int = integer(
        120,
        "The number of turns, of both seats together, after which a hand ends.",
        minimum=2,
        maximum=1000,
    )
    hands: int = integer(
        1,
        "The number of hands after which the match ends; the published game has 50.",
        minimum=1,
        maximum=50,
    )


@dataclass(slots=True, kw_only=True)
class RussianBank(State):
    """`places`: by place, its cards. `awaited`: the cards that fit on a foundation.
    `unseen_reserve`, `unseen_stock`: by seat, the number of cards at the bottom that were never
    seen.

    Of the hand: `turn` counts the turns of both seats, `dry_turns` those in a row without progress.
    `barred`: by seat, the number of the opponent's turns, the current one included, in which it may
    not call. Of the turn: `progress` and `pile_moves`, both without an action still in question.

    `question`: the action that the opponent may stop now; `landed`: the place of its card;
    `turned_over`: whether it made the discard pile the stock; `breach`: whether it broke a
    priority.
    """

    hand: int = 0
    places: tuple[tuple[str, ...], ...] = ()
    awaited: frozenset[str] = frozenset()
    unseen_reserve: tuple[int, ...] = ()
    unseen_stock: tuple[int, ...] = ()
    turn: int = 0
    mover: int = 0
    dry_turns: int = 0
    barred: tuple[int, ...] = (0, 0)
    progress: bool = False
    pile_moves: int = 0
    question: Action[Step] | None = None
    landed: int = 0
    turned_over: bool = False
    breach: bool = False
    ended: str = ""
    scores: tuple[int, ...] = (0, 0)


# Dealing ------------------------------------------------------------------------------------------


def begin_hand(s: RussianBank) -> str:
    """Each seat has a deck of its own: a reserve, four piles of the tableau, and a stock."""
    s.hand += 1
    s.deals.begin_deal()
    decks = [s.deals.shuffle(DECK) for _ in (0, 1)]
    reserves = [deck[:RESERVE_CARDS] for deck in decks]
    rows = [deck[RESERVE_CARDS : RESERVE_CARDS + PILES_A_SEAT] for deck in decks]
    stocks = [deck[RESERVE_CARDS + PILES_A_SEAT :][::-1] for deck in decks]
    s.tell("deal", None, s.hand)
    for seat in (0, 1):
        s.tell("face-up", seat, reserves[seat][-1], *rows[seat])
    piles = [(card,) for row in rows for card in row]
    rest: list[tuple[str, ...]] = [()] * (PLACES - TURNED)
    s.places = (*piles, *reserves, (), (), *stocks, *rest)
    s.awaited = cards_awaited(s.places)
    s.unseen_reserve = (RESERVE_CARDS - 1,) * 2
    s.unseen_stock = tuple(map(len, stocks))
    s.turn = s.dry_turns = 0
    s.barred = (0, 0)
    s.mover = seat_to_begin(s)
    return begin_turn(s)


def cards_awaited(places: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Of each suit the next card of either foundation: the ace first, nothing after the king."""
    return frozenset(
        [
            DECK[n // 2 * len(RANKS) + len(foundation)]
            for n, foundation in enumerate(places[FOUNDATION:])
            if len(foundation) < len(RANKS)
        ]
    )


def seat_to_begin(s: RussianBank) -> int:
    """The seat with the lower top of its reserve begins; if equal, the one with the first lower
    tableau card."""
    a, b = [
        [RANKS.index(RANK[s.places[place][-1]]) for place in (RESERVE + seat, *own_piles(seat))]
        for seat in (0, 1)
    ]
    if a == b:
        return (s.hand - 1) % 2
    return 0 if a < b else 1


def own_piles(seat: int) -> range:
    """The piles that the seat's deck was dealt to; in play all piles are shared."""
    return range(PILES_A_SEAT * seat, PILES_A_SEAT * (seat + 1))


# The mover's turn ---------------------------------------------------------------------------------


def begin_turn(s: RussianBank) -> str:
    s.turn += 1
    s.progress = False
    s.pile_moves = 0
    return "move"


def opponent(seat: int) -> int:
    return 1 - seat


def mover(s: RussianBank) -> int:
    return s.mover


def mover_may(s: RussianBank, seat: int) -> Legal:
    """With calls all actions, correct or not; without them only correct ones."""
    if not s.options.stop_calls and (due := priority_moves(s)):
        return due
    return anything(s)


def priority_moves(s: RussianBank) -> list[Action[Step]]:
    """The only correct actions while there are any, in the order in which a Stop carries them
    out."""
    places, awaited = s.places, s.awaited
    own = RESERVE + s.mover
    reserve = places[own]
    if reserve and reserve[-1] in awaited:
        return [PUT[own][FOUNDATION]]
    to_foundation = [
        PUT[source][FOUNDATION]
        for source in (*PILES, TURNED)
        if places[source] and places[source][-1] in awaited
    ]
    if to_foundation or not reserve:
        return to_foundation
    return [PUT[own][pile] for pile in PILES if not places[pile]]


def anything(s: RussianBank) -> list[Action[Step]]:
    """Moves of each available card to all places where it fits; and `turn`, `discard` or `end`."""
    places, awaited = s.places, s.awaited
    other = opponent(s.mover)
    their_reserve, their_discard = RESERVE + other, DISCARD + other
    loads_reserve = LOADED_WITH[top(places[their_reserve])]
    loads_discard = LOADED_WITH[top(places[their_discard])]
    tops = [pile[-1] if pile else SPACE for pile in places[: len(PILES)]]
    different_tops = set(tops)
    legal: list[Action[Step]] = []
    for source in SOURCES[s.mover]:
        if not places[source]:
            continue
        card = places[source][-1]
        if card in awaited:
            legal.append(PUT[source][FOUNDATION])
        if not BUILDS_ON[card].isdisjoint(different_tops):
            legal += onto_piles(s, source, tops)
        if card in loads_reserve:
            legal.append(PUT[source][their_reserve])
        if card in loads_discard:
            legal.append(PUT[source][their_discard])
    legal.append(way_to_go_on(s))
    return legal


def top(pile: tuple[str, ...]) -> str:
    return pile[-1] if pile else SPACE


def onto_piles(s: RussianBank, source: int, tops: list[str]) -> list[Action[Step]]:
    """Moves from pile to pile, limited in number per turn; not of a pile's only card to a space,
    which would change nothing."""
    fits = BUILDS_ON[s.places[source][-1]]
    if source in PILES:
        if s.pile_moves == MOST_PILE_MOVES:
            return []
        if len(s.places[source]) == 1:
            fits -= {SPACE}
    put = PUT[source]
    return [put[pile] for pile, card in enumerate(tops) if card in fits]


def way_to_go_on(s: RussianBank) -> Action[Step]:
    """One card can be turned up at a time, and goes to the discard pile at the end of the turn."""
    seat, places = s.mover, s.places
    if places[TURNED]:
        return LAY_DOWN[seat]
    return TURN_UP[seat] if places[STOCK + seat] or places[DISCARD + seat] else END[seat]


def act(s: RussianBank, seat: int, action: Action[Step]) -> str | None:
    asked = s.options.stop_calls and not s.barred[opponent(seat)]
    if asked:
        due = priority_moves(s)
        s.breach = bool(due) and action not in due
    s.question = action
    make(s, action.value)
    return "call" if asked else stands(s)


def make(s: RussianBank, step: Step) -> None:
    source, target, _ = step
    if target == TURNED:
        s.turned_over = not s.places[source]
        if s.turned_over:
            turn_over_discard_pile(s)
    elif target == FOUNDATION:
        target = foundation_for(s, s.places[source][-1])
    carry(s, source, target)
    s.landed = target
    note_what_is_seen(s, source)


def turn_over_discard_pile(s: RussianBank) -> None:
    """It becomes the stock, with the oldest card on top."""
    s.places = replaced(s.places, STOCK + s.mover, s.places[DISCARD + s.mover][::-1])
    s.places = replaced(s.places, DISCARD + s.mover, ())


def foundation_for(s: RussianBank, card: str) -> int:
    suit, rank = divmod(PLACE[card], len(RANKS))
    first = FOUNDATION + 2 * suit
    return first if len(s.places[first]) == rank else first + 1


def carry(s: RussianBank, source: int, target: int) -> None:
    """The top card, if there is one, becomes the top card of the target."""
    places = list(s.places)
    cards = places[source]
    places[source] = cards[:-1]
    places[target] += cards[-1:]
    s.places = tuple(places)
    if source >= FOUNDATION or target >= FOUNDATION:
        s.awaited = cards_awaited(s.places)


def note_what_is_seen(s: RussianBank, source: int) -> None:
    """The card below the top of a reserve is turned face up at once, and so is the card that
    leaves a stock. A card once seen stays known."""
    seat = s.mover
    if source == RESERVE + seat and s.places[source]:
        s.tell("reveal", seat, s.places[source][-1])
        below = len(s.places[source]) - 1
        if below < s.unseen_reserve[seat]:
            s.unseen_reserve = replaced(s.unseen_reserve, seat, below)
    elif source == STOCK + seat:
        s.tell("turn-up", seat, s.places[TURNED][-1])
        below = len(s.places[source])
        if below < s.unseen_stock[seat]:
            s.unseen_stock = replaced(s.unseen_stock, seat, below)


def stands(s: RussianBank) -> str | None:
    """The action in question becomes final."""
    assert s.question
    _, target, progress = s.question.value
    s.question = None
    if progress:
        s.progress = True
    elif target in PILES:
        s.pile_moves += 1
    return go_on(s, turn_over=target == DISCARD + s.mover)


# Stop! --------------------------------------------------------------------------------------------


def seat_to_answer(s: RussianBank) -> int:
    return opponent(s.mover)


def continue_or_stop(s: RussianBank, seat: int) -> Legal:
    return ANSWERS


def answer(s: RussianBank, seat: int, choice: Action[None]) -> str | None:
    if choice == CONTINUE:
        return stands(s)
    if s.breach:
        return stop_the_turn(s)
    s.barred = replaced(s.barred, seat, 2)  # this turn of the mover and its next
    s.tell("wrong-stop", seat)
    return stands(s)


def stop_the_turn(s: RussianBank) -> str | None:
    """The breach is taken back, the priority moves are carried out, and the turn is over."""
    take_back(s)
    while due := priority_moves(s):
        s.tell("carry-out", s.mover, *due[0].split(" "))
        make(s, due[0].value)
        s.progress = True
    if s.places[TURNED]:
        s.tell("carry-out", s.mover, "discard")
        carry(s, TURNED, DISCARD + s.mover)
    return go_on(s, turn_over=True)


def take_back(s: RussianBank) -> None:
    """A card turned up goes face down again, and a pile turned over is turned back."""
    assert s.question
    source, target, _ = s.question.value
    s.tell("take-back", s.mover, *s.question.split(" "))
    carry(s, s.landed, source)
    if target == TURNED and s.turned_over:
        s.places = replaced(s.places, DISCARD + s.mover, s.places[source][::-1])
        s.places = replaced(s.places, source, ())
    s.question = None


# The end of a turn --------------------------------------------------------------------------------


def go_on(s: RussianBank, *, turn_over: bool) -> str | None:
    if is_out(s, s.mover):
        s.tell("out", s.mover)
        return finish_hand(s, "out")
    return end_turn(s) if turn_over else "move"


def is_out(s: RussianBank, seat: int) -> bool:
    """No card in reserve, stock and discard pile, and none turned up."""
    places = s.places
    return not (
        places[RESERVE + seat] or places[STOCK + seat] or places[DISCARD + seat] or places[TURNED]
    )


def end_turn(s: RussianBank) -> str | None:
    """The other seat's turn begins, unless a limit ends the hand."""
    caller = opponent(s.mover)
    if s.barred[caller]:
        s.barred = replaced(s.barred, caller, s.barred[caller] - 1)
    s.dry_turns = 0 if s.progress else s.dry_turns + 1
    if s.dry_turns >= most_dry_turns(s):
        s.tell("stalemate")
        return finish_hand(s, "stalemate")
    if s.turn >= s.options.max_turns:
        s.tell("turn-limit")
        return finish_hand(s, "turn-limit")
    s.mover = opponent(s.mover)
    return begin_turn(s)


def most_dry_turns(s: RussianBank) -> int:
    """Enough turns for both seats to see every card of the longer stock and discard pile."""
    return 2 * max(1, *[len(s.places[STOCK + n]) + len(s.places[DISCARD + n]) for n in (0, 1)])


# Scoring ------------------------------------------------------------------------------------------


def count(s: RussianBank, seat: int) -> int:
    """Two for each card in the reserve, one for each in the stock and the discard pile."""
    places = s.places
    others = len(places[STOCK + seat]) + len(places[DISCARD + seat])
    return POINTS_A_RESERVE_CARD * len(places[RESERVE + seat]) + others


def points(own: int, other: int) -> int:
    """The lower count scores the difference, and more if it is 0."""
    if own >= other:
        return 0
    return other - own + (POINTS_FOR_GOING_OUT if own == 0 else 0)


def finish_hand(s: RussianBank, how: str) -> str | None:
    s.ended = how
    counts = count(s, 0), count(s, 1)
    won = points(*counts), points(*counts[::-1])
    s.scores = (s.scores[0] + won[0], s.scores[1] + won[1])
    s.tell("score", None, *won)
    over = s.hand == s.options.hands or max(s.scores) >= s.options.target
    return None if over else begin_hand(s)


def result(s: RussianBank) -> Result:
    return Result(list(s.scores), ranks_by(s.scores), s.ended)


# The view of a seat -------------------------------------------------------------------------------

PILE_ZONES = [f"pile-{n + 1}" for n in PILES]
FOUNDATION_ZONES = [f"{s}-{n}" for s in ("clubs", "diamonds", "hearts", "spades") for n in (1, 2)]
PLACE_NAMES = [
    *PILE_ZONES,
    *[f"{name} {seat}" for name in ("reserve", "discard", "stock") for seat in (0, 1)],
    "turned-up",
    *FOUNDATION_ZONES,
]


def view(s: RussianBank, viewer: int | None) -> Observation:
    """Both seats see the same; a face-down card that was seen before is shown as well."""
    places = s.places
    zones = [Zone(name, None, places[pile]) for pile, name in enumerate(PILE_ZONES)]
    for n, name in enumerate(FOUNDATION_ZONES):
        zones.append(Zone(name, None, places[FOUNDATION + n]))
    for seat in (0, 1):
        unseen = 0 if viewer is None else s.unseen_reserve[seat]
        zones.append(Zone("reserve", seat, places[RESERVE + seat][unseen:], unseen))
        zones.append(Zone("discard", seat, places[DISCARD + seat]))
        unseen = 0 if viewer is None else s.unseen_stock[seat]
        zones.append(Zone("stock", seat, places[STOCK + seat][unseen:], unseen))
    zones.append(Zone("turned-up", None, places[TURNED]))
    return Observation(tuple(zones), facts(s))


def facts(s: RussianBank) -> Facts:
    return Facts(
        {
            "action": str(s.question or ""),
            "barred": s.barred,
            "deck_seen": tuple([" ".join(seen_of_deck(s, seat)) for seat in (0, 1)]),
            "card": top(s.places[s.landed]) if s.question else "",
            "dry_turns": s.dry_turns,
            "hand": s.hand,
            "hands": s.options.hands,
            "landed": PLACE_NAMES[s.landed] if s.question else "",
            "max_turns": s.options.max_turns,
            "mover": s.mover,
            "phase": s.phase or "over",
            "pile_moves": s.pile_moves,
            "progress": int(s.progress),
            "scores": s.scores,
            "stop_calls": int(s.options.stop_calls),
            "target": s.options.target,
            "turn": s.turn,
            "turned_over": int(s.turned_over and s.question is not None),
        }
    )


def never_seen(s: RussianBank, seat: int) -> list[str]:
    """The cards of the seat's deck that nobody has seen, in canonical order."""
    reserve, stock = s.places[RESERVE + seat], s.places[STOCK + seat]
    cards = reserve[: s.unseen_reserve[seat]] + stock[: s.unseen_stock[seat]]
    return sorted(cards, key=PLACE.__getitem__)


def seen_of_deck(s: RussianBank, seat: int) -> list[str]:
    unseen = never_seen(s, seat)
    return [card for card in DECK if card not in unseen]


def recall(s: RussianBank, seen: Seen) -> None:
    places: list[tuple[str, ...]] = [seen.cards(name) for name in PILE_ZONES]
    s.unseen_reserve = tuple([seen.hidden("reserve", seat) for seat in (0, 1)])
    s.unseen_stock = tuple([seen.hidden("stock", seat) for seat in (0, 1)])
    known = [text.split() for text in seen.fact("deck_seen")]
    stand_ins = [[card for card in DECK if card not in known[seat]] for seat in (0, 1)]
    for name in ("reserve", "discard", "stock"):
        for seat in (0, 1):
            hidden, cards = seen.hidden(name, seat), seen.cards(name, seat)
            below = [stand_ins[seat].pop() for _ in range(hidden)]
            places.append((*below, *cards[: len(cards) - hidden]))
    s.places = (*places, seen.cards("turned-up"), *[seen.cards(name) for name in FOUNDATION_ZONES])
    s.awaited = cards_awaited(s.places)
    if seen.fact("action"):
        s.landed = PLACE_NAMES.index(seen.fact("landed"))
        recall_question(s, seen.fact("action"))


def recall_question(s: RussianBank, text: str) -> None:
    """Taken back and made again, the action shows whether it was a breach."""
    other = opponent(s.mover)
    targets = (FOUNDATION, *PILES, RESERVE + other, DISCARD + other)
    actions = [PUT[source][target] for source in SOURCES[s.mover] for target in targets]
    actions += [TURN_UP[s.mover], LAY_DOWN[s.mover], END[s.mover]]
    [action] = [action for action in actions if action == text]
    unseen = s.unseen_reserve, s.unseen_stock
    s.question = action
    take_back(s)
    due = priority_moves(s)
    s.breach = bool(due) and action not in due
    s.question = action
    make(s, action.value)
    s.unseen_reserve, s.unseen_stock = unseen


def redeal(s: RussianBank, viewer: int, rng: Random) -> None:
    """A seat's cards that were never seen are all of its own deck. They are at the bottom of its
    reserve and its stock, in any order."""
    places = list(s.places)
    for seat in (0, 1):
        in_reserve, in_stock = s.unseen_reserve[seat], s.unseen_stock[seat]
        reserve, stock = places[RESERVE + seat], places[STOCK + seat]
        unseen = never_seen(s, seat)
        rng.shuffle(unseen)
        places[RESERVE + seat] = (*unseen[:in_reserve], *reserve[in_reserve:])
        places[STOCK + seat] = (*unseen[in_reserve:], *stock[in_stock:])
    s.places = tuple(places)


GAME = Game(
    slug="russian-bank",
    title="Russian Bank",
    summary="A patience for two: lose your cards, mind the priorities, and call the "
    "opponent's misses.",
    how_to_play=(
        "Two players share one big patience: each has a reserve, a stock and a discard pile, and "
        "both use the eight piles in the middle.",
        "Cards go home by suit from the ace up, and onto the piles downwards in alternating "
        "colours.",
        "You may also load your opponent's reserve or discard pile with a card of the same suit, "
        "one rank above or below its top card.",
        "Cards that can go home come before everything else; if your opponent overlooks one, call "
        "Stop and the turn is yours.",
        "A turn ends with a card of the stock on the discard pile.",
        "The first player without cards wins, and scores for all that the other still has.",
    ),
    rules_version=1,
    players=(2,),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=RussianBank,
    begin=begin_hand,
    phases={
        "move": Turn(
            rule="The mover puts an available card where it fits, turns one up, or discards it.",
            who=mover,
            may=mover_may,
            then=act,
        ),
        "call": Turn(
            rule="The opponent lets the action stand, or calls Stop.",
            who=seat_to_answer,
            may=continue_or_stop,
            then=answer,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=TWO_DECKS,
    cards="Rank, then suit, most of them twice: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        **{
            name: f"Pile {pile} of the tableau; its last card is the top."
            for pile, name in enumerate(PILE_ZONES, 1)
        },
        **{
            name: f"The {('first', 'second')[n % 2]} foundation of {name[:-2]}, from the ace up."
            for n, name in enumerate(FOUNDATION_ZONES)
        },
        "reserve": "A seat's reserve, the top last: the cards that have been seen; the unseen "
        "ones are below.",
        "discard": "A seat's discard pile, the top last.",
        "stock": "A seat's stock, face down, the top last: only the cards that have been seen, "
        "which are on top.",
        "turned-up": "The mover's turned-up stock card.",
    },
    facts={
        "action": "In the phase call, the mover's action that may be stopped; empty otherwise.",
        "barred": "By seat, the number of the opponent's turns, the current one included, in "
        "which it cannot call: 2 right after a wrong Stop.",
        "card": "The card that this action moved; empty if it moved none.",
        "deck_seen": "By seat, the cards of its own deck that have been seen in this hand.",
        "dry_turns": "The number of dry turns in a row before this one.",
        "hand": "The number of the hand, from 1.",
        "hands": "The number of hands after which the match ends.",
        "landed": "While Stop may be called, where the card of the action is now: a zone, with its "
        "seat if it has one; otherwise empty.",
        "max_turns": "The number of turns after which a hand ends.",
        "mover": "The seat whose turn it is; in the phase call the other one answers.",
        "phase": "The phase: move, call (continue or stop), or over at the end.",
        "pile_moves": "The number of cards moved from pile to pile in this turn, at most 20; an "
        "action still in question does not count.",
        "progress": "1 if this turn is no longer dry, otherwise 0; an action still in question "
        "does not count.",
        "scores": "By seat, the points of the hands before; at the end, of all.",
        "stop_calls": "1 if the opponent may call Stop; 0 if only correct actions are offered.",
        "target": "The score that ends the match.",
        "turned_over": "1 if the action in question turned the discard pile over, otherwise 0.",
        "turn": "The number of the turn in this hand, from 1, counting both seats' turns.",
    },
    actions={
        "move SOURCE foundation": "Put the top of your reserve (`reserve`), your turned-up card "
        "(`stock`) or the top of a pile (1 to 8) on its foundation.",
        "move SOURCE PILE": "Put such a card on a pile of the tableau, 1 to 8.",
        "load SOURCE PLACE": "Put such a card on the opponent's `reserve` or `discard` pile.",
        "turn": "Turn up the next card of your stock; not while one is turned up.",
        "discard": "Put the turned-up card on your discard pile, which ends your turn.",
        "end": "End your turn, when there is nothing turned up and nothing to turn up.",
        "continue": "Let the opponent's action stand.",
        "stop": "Call Stop: the opponent should have done something else first.",
    },
    events={
        "deal": "The number of the hand.",
        "face-up": "The seat; the top of its reserve, its four cards of the tableau.",
        "reveal": "The seat; the next top of its reserve.",
        "turn-up": "The seat; the card that it turned up.",
        "wrong-stop": "The seat that called Stop wrongly.",
        "take-back": "The mover; its action, which a Stop undid.",
        "carry-out": "The mover; an action that the Stop made for it.",
        "out": "The seat that has got rid of all its cards.",
        "stalemate": "The hand ends in a stalemate.",
        "turn-limit": "The hand ends after its last turn.",
        "score": "By seat, the points of the hand.",
    },
    reasons={
        "out": "In the last hand a seat got rid of all its cards.",
        "stalemate": "The last hand ended in a stalemate.",
        "turn-limit": "The last hand reached the limit of turns.",
    },
    layout=Layout(
        piles=("reserve", "discard", "clubs-", "diamonds-", "hearts-", "spades-"),
        columns=("pile-",),
        rows=(
            ("pile-5", "pile-6", "pile-7", "pile-8"),
            ("clubs-", "diamonds-", "hearts-", "spades-", "turned-up"),
            ("pile-1", "pile-2", "pile-3", "pile-4"),
        ),
        titles={name: FRENCH_SUITS[name[0].upper()].symbol for name in FOUNDATION_ZONES},
        clicks={
            "clubs-": ("move * foundation",),
            "diamonds-": ("move * foundation",),
            "hearts-": ("move * foundation",),
            "spades-": ("move * foundation",),
            "turned-up": ("move stock", "load stock", "discard"),
            "stock": ("turn", "end"),
            "reserve": ("move reserve", "load reserve"),
            "discard": ("discard", "end"),
            "other reserve": ("load * reserve",),
            "other discard": ("load * discard",),
        },
        facts={
            "action": at_table("may be stopped", "{0:action}"),
            "card": at_table("card moved"),
            "mover": at_seat("to move"),
            "barred": by_seat("may not call Stop", "for {0:turn|turns}", zeros=False),
            "scores": by_seat("points"),
            "target": at_table("target", "{0:point|points}"),
            "hand": at_table("hand", "{0} of {hands}"),
            "turn": at_table("turn", "{0} of at most {max_turns}"),
            "dry_turns": at_table("turns without progress"),
            "hands": UNSAID,
            "max_turns": UNSAID,
            "pile_moves": UNSAID,
            "progress": UNSAID,
            "stop_calls": UNSAID,
            "deck_seen": UNSAID,
            "landed": UNSAID,
            "turned_over": UNSAID,
        },
        words={
            "place": {
                "reserve": "the reserve",
                "stock": "the stock",
                "foundation": "a foundation",
                **{str(pile): f"pile {pile}" for pile in range(1, 9)},
            },
            "pile": {"discard": "discard pile"},
        },
        says={
            "move": "{actor:moves|move} from {0:place} to {1:place}",
            "load": "{actor:loads|load} from {0:place} on the opponent's {1:pile}",
            "turn": "{actor:turns|turn} up a card",
            "discard": "{actor:discards|discard}",
            "end": "{actor:ends|end} the turn",
            "continue": "{actor:lets|let} it stand",
            "stop": "{actor:calls|call} Stop!",
            "deal": "Hand {0} is dealt",
            "face-up": "{actor:has|have} face up {all}",
            "reveal": "{actor:reveals|reveal} {0} on the reserve",
            "turn-up": "{actor:turns|turn} up {0}",
            "wrong-stop": "{actor} called Stop wrongly",
            "take-back": "{actor:takes|take} back: {all:action}",
            "carry-out": "{actor:has|have} to do: {all:action}",
            "out": "{actor:is|are} out",
            "stalemate": "The hand ends in a stalemate",
            "turn-limit": "The hand ends after its last turn",
            "score": "The hand scores {all:seats}",
        },
    ),
)
