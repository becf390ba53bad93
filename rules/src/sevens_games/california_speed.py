"""California Speed: two seats race to cover equal cards; the first hand to run out wins.

Source: the article "California Speed" by Denexa Games. `docs/games/california-speed.md` explains
the game to bot authors. The race is played in ticks: both seats choose, then both choices take
effect. Other questions that the article leaves open are ruled as follows:

1. A card that took part in a match stays open until it is covered, even after the other cards of
   the match have been covered.
2. Both seats may cover cards of either side.
3. Seats are equally fast: each lays at most one card per tick.
4. If both choose the same cell, a pick decides: chance, so that no ladder rewards a fast network.
   With the option `clock` the host answers the pick with the seat whose answer arrived first.
5. A tick is one moment: a card covered in it does not match a card laid in it.
6. Three ticks in a row in which both wait end a layout: neither seems to see the match.
7. Piles go under the hand in the order of the cells, each with the card that was laid first on top.
8. The last card is played by covering with it; a layout never empties a hand.
9. Hands are never shuffled, so a game might never end: the number of layouts is limited, and at the
   limit the seat with fewer cards wins.
10. A match is one game.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from sevens_games.cards import DECK, RANK, dealt, replaced
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
    integer,
    ranks_by,
    word,
)

HAND = 26
CELLS = range(8)
SIDE = 4  # cells of each seat: the first four are seat 0's, the last four seat 1's
CELL_NAMES = tuple(f"cell-{cell + 1}" for cell in CELLS)
MOST_WAITS = 3  # ticks in a row

WAIT = Action[None]("wait")
COVER = [Action[int](f"cover {cell + 1}", cell) for cell in CELLS]
# The actions of a seat, by the set of open cells.
CHOICES = {
    frozenset(cells): (*[COVER[cell] for cell in cells], WAIT)
    for number in range(len(CELLS) + 1)
    for cells in combinations(CELLS, number)
}


@dataclass(frozen=True)
class Options:
    contest: str = word(
        "coin",
        ("coin", "clock"),
        "The rule for a cell that both seats chose: chance, or the seat whose answer arrived "
        "first.",
    )
    max_layouts: int = integer(
        60, "The number of layouts after which the match ends.", minimum=1, maximum=1000
    )


@dataclass(slots=True, kw_only=True)
class Speed(State):
    """By seat: `hands` (the first card is the top), and the number of cards at their tops that are
    `unseen` since the deal. By cell: `piles`, the last card of each being its top.

    `layouts`: the number laid so far. `waits`: the number of ticks in a row in which both waited.
    """

    hands: tuple[tuple[str, ...], ...] = ()
    unseen: tuple[int, ...] = (HAND, HAND)
    piles: tuple[tuple[str, ...], ...] = ((),) * len(CELLS)
    open: frozenset[int] = frozenset()
    layouts: int = 0
    waits: int = 0


# Dealing and layouts ------------------------------------------------------------------------------


def begin(s: Speed) -> str | None:
    """The whole deck is dealt; nobody looks at a hand."""
    s.deals.begin_deal()
    s.hands = dealt(s.deals.shuffle(DECK), HAND, s.players, 0)
    return next_layout(s)


def next_layout(s: Speed) -> str | None:
    """Without an open cell a layout is picked up at once."""
    while s.layouts < s.options.max_layouts:
        lay_out(s)
        if s.open:
            return "tick"
        pick_up(s)
    return None


def lay_out(s: Speed) -> None:
    """Each seat lays the four top cards of its hand, lowest cell first."""
    s.layouts += 1
    s.waits = 0
    tops = s.hands[0][:SIDE] + s.hands[1][:SIDE]
    s.piles = tuple([(card,) for card in tops])
    s.hands = (s.hands[0][SIDE:], s.hands[1][SIDE:])
    s.unseen = (max(s.unseen[0] - SIDE, 0), max(s.unseen[1] - SIDE, 0))
    s.tell("layout", None, s.layouts, *tops)
    read_tops(s)


def read_tops(s: Speed) -> None:
    """A top whose rank shows on another pile too opens its cell, until it is covered."""
    ranks = [RANK[pile[-1]] for pile in s.piles]
    s.open |= {cell for cell in CELLS if ranks.count(ranks[cell]) > 1}


def side_of(cell: int) -> int:
    return cell // SIDE


def pick_up(s: Speed) -> None:
    """Each seat puts the piles of its side under its hand."""
    for seat, hand in enumerate(s.hands):
        own = s.piles[seat * SIDE : (seat + 1) * SIDE]
        cards = tuple([card for pile in own for card in pile])
        s.hands = replaced(s.hands, seat, hand + cards)
        s.tell("pick-up", seat, *cards)
    s.piles = ((),) * len(CELLS)
    s.open = frozenset()


# The ticks ----------------------------------------------------------------------------------------


def both(s: Speed) -> range:
    return range(s.players)


def open_cells_or_wait(s: Speed, seat: int) -> tuple[Action[int] | Action[None], ...]:
    return CHOICES[s.open]


def tick(s: Speed, choices: dict[int, Action[int | None]]) -> str | None:
    covers = {seat: choice.value for seat, choice in choices.items() if choice.value is not None}
    if len(covers) == 2 and covers[0] == covers[1]:
        covers = contest(s, covers[0])
    for seat, cell in covers.items():
        cover(s, seat, cell)
    read_tops(s)
    if not all(s.hands):
        return None
    s.waits = 0 if covers else s.waits + 1
    if s.open and s.waits < MOST_WAITS:
        return "tick"
    pick_up(s)
    return next_layout(s)


def contest(s: Speed, cell: int) -> dict[int, int]:
    """One seat gets the cell, the other keeps its card."""
    winner = s.deals.pick(s.players)
    s.tell("contest", winner, cell + 1)
    return {winner: cell}


def cover(s: Speed, seat: int, cell: int) -> None:
    card, *rest = s.hands[seat]
    s.hands = replaced(s.hands, seat, tuple(rest))
    s.unseen = replaced(s.unseen, seat, max(s.unseen[seat] - 1, 0))
    s.piles = replaced(s.piles, cell, (*s.piles[cell], card))
    s.open -= {cell}
    s.tell("lay", seat, cell + 1, card)


# Scoring ------------------------------------------------------------------------------------------


def result(s: Speed) -> Result:
    """The cards left in hand: fewer are better."""
    left = [len(hand) for hand in s.hands]
    return Result(left, ranks_by([-cards for cards in left]), "limit" if all(left) else "emptied")


# The view of a seat -------------------------------------------------------------------------------


def view(s: Speed, viewer: int | None) -> Observation:
    """No seat sees a hand, not even its own; but a seat that remembers knows the cards it picked
    up."""
    zones = []
    for seat, hand in enumerate(s.hands):
        zones.append(
            Zone("hand", seat, hand) if viewer is None else Zone("hand", seat, (), len(hand))
        )
        zones.append(Zone("remembered", seat, hand[s.unseen[seat] :]))
    for cell, pile in enumerate(s.piles):
        zones.append(Zone(CELL_NAMES[cell], side_of(cell), pile))
    return Observation(tuple(zones), facts(s))


def facts(s: Speed) -> Facts:
    return Facts(
        {
            "contest": s.options.contest,
            "layouts": s.layouts,
            "max_layouts": s.options.max_layouts,
            "open": tuple(sorted([cell + 1 for cell in s.open])),
            "phase": s.phase or "over",
            "waits": s.waits,
        }
    )


def recall(s: Speed, seen: Seen) -> None:
    remembered = seen.by_seat("remembered")
    never_seen = [c for hand in s.hands for c in hand if c not in remembered[0] + remembered[1]]
    s.unseen = tuple([len(h) - len(r) for h, r in zip(s.hands, remembered, strict=True)])
    first = s.unseen[0]
    s.hands = (
        (*never_seen[:first], *remembered[0]),
        (*never_seen[first:], *remembered[1]),
    )
    s.piles = tuple([seen.cards(CELL_NAMES[cell], side_of(cell)) for cell in CELLS])
    s.open = frozenset([cell - 1 for cell in seen.fact("open")])


def redeal(s: Speed, viewer: int, rng: Random) -> None:
    """The cards that have never been seen, on top of both hands, change places. All others stay
    where they were seen to go."""
    first, second = s.unseen
    cards = [*s.hands[0][:first], *s.hands[1][:second]]
    rng.shuffle(cards)
    s.hands = (
        (*cards[:first], *s.hands[0][first:]),
        (*cards[first:], *s.hands[1][second:]),
    )


GAME = Game(
    slug="california-speed",
    title="California Speed",
    summary="A race for two: cover equal cards; the first hand to run out wins.",
    how_to_play=(
        "Each player has half of the pack, face down, and lays four cards face up; together they "
        "are eight piles.",
        "Whenever two piles show the same rank, each of them may be covered with the top card of "
        "a hand.",
        "There are no turns: both players act at the same moment, and only one of them gets a "
        "pile that both want.",
        "When no pile can be covered any more, each player picks up the four piles on the near "
        "side and lays four new cards.",
        "The first player without cards wins.",
    ),
    rules_version=1,
    players=(2,),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=Speed,
    begin=begin,
    phases={
        "tick": Simultaneous(
            rule="A seat covers an open cell, one whose card has matched another, or waits.",
            who=both,
            may=open_cells_or_wait,
            then=tick,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    picks_by_arrival=lambda options: options.contest == "clock",
    deck=DECK,
    copies=("remembered",),
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "remembered": "The last cards of a seat's hand, in order: those that it has picked up, so "
        "that all have seen them; a record.",
        "hand": "A seat's hand, hidden from both seats: only the number of its cards.",
        **{
            name: f"The pile on a cell of seat {side_of(cell)}'s side; its last card is the top."
            for cell, name in enumerate(CELL_NAMES)
        },
    },
    facts={
        "contest": "The rule for a cell that both seats chose: coin (chance) or clock (the first "
        "answer).",
        "layouts": "The number of layouts laid, this one included.",
        "max_layouts": "The number of layouts after which the match ends.",
        "open": "The numbers of the cells that may be covered, 1 to 8.",
        "phase": "The phase: tick, or over at the end.",
        "waits": "The number of ticks in a row in which both seats waited in this layout.",
    },
    actions={
        "cover CELL": "Lay the next card of your hand on an open cell, 1 to 8.",
        "wait": "Cover nothing in this tick; always legal.",
    },
    events={
        "layout": "The number of the layout, the eight cards by cell.",
        "contest": "The seat that got a cell that both chose; the cell.",
        "lay": "The seat; the cell, the card that it laid there.",
        "pick-up": "The seat; the cards that it puts under its hand, in that order.",
    },
    reasons={
        "emptied": "A hand, or both, ran out.",
        "limit": "The last layout was picked up.",
    },
    layout=Layout(
        score="card left|cards left",
        piles=("cell-",),
        stocks=("hand",),
        clicks={"cell-": ("cover {last}",), "other cell-": ("cover {last}",)},
        hands=(),
        deal="layout",
        facts={
            "layouts": at_table("layout", "{0} of at most {max_layouts}"),
            "open": at_table("cells that may be covered", "{all:list}"),
            "waits": at_table("ticks in which both waited"),
            "contest": UNSAID,
            "max_layouts": UNSAID,
        },
        says={
            "cover": "{actor:covers|cover} cell {0}",
            "wait": "{actor:waits|wait}",
            "layout": "Layout {0}: {rest}",
            "contest": "{actor:gets|get} cell {0}, which both chose",
            "lay": "{actor:lays|lay} {1} on cell {0}",
            "pick-up": "{actor:picks|pick} up {all}",
        },
    ),
)
