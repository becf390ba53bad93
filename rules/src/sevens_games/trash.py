"""Trash: fill your layout with ace to ten; each card placed turns up the one under it.

Source: the article "Trash" by Denexa Games. `docs/games/trash.md` explains the game to bot authors.
What the article leaves open is ruled as follows:

1. The top discard must be taken if it fits a spot that is face down.
2. If its spot holds a jack, it may be taken: only then does a seat choose between it and the stock.
3. A drawn or turned-up natural may replace a jack, or be discarded. The replaced jack must be
   placed at once on a spot that is face down; it never replaces another jack.
4. A jack is never discarded. It may go on any spot that is face down.
5. Placing a card without a choice is not a decision; the start of a turn is one even if forced.
6. A number beyond the layout has no spot: it is discarded, and cannot be taken.
7. The deal ends when the last spot is filled; the card turned up from it is not played.
8. There are half as many decks as players, rounded up.
9. The stock is renewed when a card must be drawn from it, not before.
10. Deals and matches could go on for ever: a deal ends without a winner when the stock is used up
    after five renewals, and a match has no more deals than it can need if all are won.
11. The two rows of five that form a layout have no meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sevens_games.cards import DECK, PLACE, RANK, in_order, replaced, without
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
    at_table,
    by_seat,
    integer,
    ranks_by,
)

MOST_SPOTS = 10
RENEWALS = 5
FACE_DOWN = "?"

# By number of players, the decks shuffled together, the copies of a card side by side.
DECKS = {
    players: tuple(card for card in DECK for _ in range((players + 1) // 2))
    for players in range(2, 7)
}
# The spot of a natural; no layout has a spot 0.
SPOT = {card: "A23456789T".find(RANK[card]) + 1 for card in DECK}

DRAW = Action[None]("draw")
TAKE = Action[None]("take")
PLACE_ON = {spot: Action[int](f"place {spot}", spot) for spot in range(1, MOST_SPOTS + 1)}
DISCARD = Action[int]("discard", 0)


@dataclass(frozen=True)
class Options:
    start: int = integer(
        MOST_SPOTS,
        "The number of spots of every layout in the first deal.",
        minimum=1,
        maximum=MOST_SPOTS,
    )


@dataclass(slots=True, kw_only=True)
class Trash(State):
    """By seat: `layouts` (the cards on the spots 1, 2, …; spot n is at index n - 1), `face_down`
    (the spots that are), and `won` (deals).

    The first card of `stock` is the next to be drawn, the last of `discards` the top. `held`: the
    card that the seat in turn must play, or the one turned up last when a deal is won; or none.
    """

    deal: int = 0
    dealer: int = 0
    layouts: tuple[tuple[str, ...], ...] = ()
    face_down: tuple[tuple[int, ...], ...] = ()
    stock: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    renewals: int = 0
    turn: int = 0
    held: str = ""
    won: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: Trash) -> str:
    s.dealer = s.players - 2  # the deal passes to the last seat for deal 1
    s.won = (0,) * s.players
    return deal(s)


def deal(s: Trash) -> str:
    s.deal += 1
    s.dealer = (s.dealer + 1) % s.players
    s.discards = ()
    s.renewals = 0
    s.held = ""
    s.deals.begin_deal()  # renewals of the stock belong to it
    s.stock = s.deals.shuffle(DECKS[s.players])
    s.tell("deal", s.dealer, s.deal)
    deal_layouts(s)
    s.turn = (s.dealer + 1) % s.players
    return "turn"


def size(s: Trash, seat: int) -> int:
    """Each deal won makes a seat's layout one spot smaller."""
    start: int = s.options.start
    return start - s.won[seat]


def deal_layouts(s: Trash) -> None:
    """One card at a time to each seat whose layout has such a spot, face down."""
    seats = [(s.dealer + 1 + place) % s.players for place in range(s.players)]
    layouts: list[list[str]] = [[] for _ in seats]
    cards = iter(s.stock)
    for spot in range(1, s.options.start + 1):
        for seat in seats:
            if spot <= size(s, seat):
                layouts[seat].append(next(cards))
    s.layouts = tuple(map(tuple, layouts))
    s.face_down = tuple(tuple(range(1, len(layout) + 1)) for layout in layouts)
    s.stock = tuple(cards)


# The start of a turn ------------------------------------------------------------------------------


def seat_in_turn(s: Trash) -> int:
    return s.turn


def draw_or_take(s: Trash, seat: int) -> tuple[Action[None], ...]:
    if s.discards:
        top = s.discards[-1]
        if fits(s, seat, top):
            return (TAKE,)
        if fits_a_jack(s, seat, top):
            return (DRAW, TAKE)
    return (DRAW,)


def fits(s: Trash, seat: int, card: str) -> bool:
    """True for a natural whose spot is still face down."""
    return SPOT[card] in s.face_down[seat]


def fits_a_jack(s: Trash, seat: int, card: str) -> bool:
    """True if a card that fits no spot face down is a natural whose spot holds a jack."""
    layout, spot = s.layouts[seat], SPOT[card]
    return 0 < spot <= len(layout) and RANK[layout[spot - 1]] == "J"


def begin_play(s: Trash, seat: int, action: Action[None]) -> str | None:
    if action is TAKE:
        s.held, s.discards = s.discards[-1], s.discards[:-1]
        return place(s, seat, SPOT[s.held])
    if not s.stock:
        renew_stock(s)
    s.held, s.stock = s.stock[0], s.stock[1:]
    s.tell("drawn", seat, s.held)
    return play_held(s, seat)


def renew_stock(s: Trash) -> None:
    """All discards but the top one are shuffled."""
    s.renewals += 1
    s.stock = s.deals.shuffle(in_order(s.discards[:-1], PLACE))
    s.discards = s.discards[-1:]
    s.tell("renew", None, len(s.stock))


# The held card ------------------------------------------------------------------------------------


def play_held(s: Trash, seat: int) -> str | None:
    """Without a decision, unless there is a choice."""
    if RANK[s.held] == "J":
        return "jack"
    if fits(s, seat, s.held):
        return place(s, seat, SPOT[s.held])
    if fits_a_jack(s, seat, s.held):
        return "natural"
    return discard(s, seat)


def any_spot_face_down(s: Trash, seat: int) -> list[Action[int]]:
    return [PLACE_ON[spot] for spot in s.face_down[seat]]


def for_the_jack_or_not(s: Trash, seat: int) -> tuple[Action[int], ...]:
    return (PLACE_ON[SPOT[s.held]], DISCARD)


def play_as_chosen(s: Trash, seat: int, action: Action[int]) -> str | None:
    return discard(s, seat) if action is DISCARD else place(s, seat, action.value)


def place(s: Trash, seat: int, spot: int) -> str | None:
    """The seat then holds the card that was there, face down or a jack."""
    layout, card = s.layouts[seat], s.held
    s.held = layout[spot - 1]
    s.layouts = replaced(s.layouts, seat, replaced(layout, spot - 1, card))
    s.tell("placed", seat, card, spot, s.held)
    if spot in s.face_down[seat]:
        s.face_down = replaced(s.face_down, seat, without(s.face_down[seat], spot))
        if not s.face_down[seat]:
            return win_deal(s, seat)
    return play_held(s, seat)


def discard(s: Trash, seat: int) -> str | None:
    """Ends the turn. If the stock is then used up for good, the deal ends without a winner."""
    s.discards += (s.held,)
    s.tell("discarded", seat, s.held)
    s.held = ""
    s.turn = (seat + 1) % s.players
    if not s.stock and s.renewals == RENEWALS:
        s.tell("no-winner")
        return end_deal(s)
    return "turn"


# The end of a deal and of a match -----------------------------------------------------------------


def win_deal(s: Trash, seat: int) -> str | None:
    s.won = replaced(s.won, seat, s.won[seat] + 1)
    s.tell("win", seat, s.won[seat])
    return end_deal(s)


def end_deal(s: Trash) -> str | None:
    return None if is_won(s) or s.deal == most_deals(s) else deal(s)


def is_won(s: Trash) -> bool:
    """A seat has won with a layout of one spot."""
    return max(s.won) == int(s.options.start)


def most_deals(s: Trash) -> int:
    return s.players * int(s.options.start)


def result(s: Trash) -> Result:
    return Result(list(s.won), ranks_by(s.won), "won" if is_won(s) else "limit")


# The view of a seat -------------------------------------------------------------------------------


def view(s: Trash, viewer: int | None) -> Observation:
    """All seats see the same. They know the cards of a renewed stock, but not their order."""
    zones = []
    for seat, layout in enumerate(s.layouts):
        down = s.face_down[seat]
        seen = layout if viewer is None else face_up(layout, down)
        zones.append(Zone("layout", seat, seen, len(layout) - len(seen)))
    zones.append(Zone("held", None, (s.held,) if s.held else ()))
    zones.append(Zone("discards", None, s.discards))
    if viewer is None:
        zones.append(Zone("stock", None, s.stock))
    elif s.renewals:
        zones.append(Zone("stock", None, in_order(s.stock, PLACE)))
    else:
        zones.append(Zone("stock", None, (), len(s.stock)))
    return Observation(tuple(zones), facts(s))


def face_up(layout: Sequence[str], face_down: Sequence[int]) -> tuple[str, ...]:
    return tuple([card for spot, card in enumerate(layout, start=1) if spot not in face_down])


def arrangement(layout: Sequence[str], face_down: Sequence[int]) -> str:
    """The layout as all see it, spot by spot."""
    return " ".join(
        [FACE_DOWN if spot in face_down else card for spot, card in enumerate(layout, start=1)]
    )


def facts(s: Trash) -> Facts:
    return Facts(
        {
            "deal": s.deal,
            "dealer": s.dealer,
            "layouts": tuple(map(arrangement, s.layouts, s.face_down)),
            "phase": s.phase or "over",
            "renewals": s.renewals,
            "start": s.options.start,
            "turn": s.turn if s.phase else -1,
            "won": s.won,
        }
    )


def recall(s: Trash, seen: Seen) -> None:
    s.held = "".join(seen.cards("held"))
    layouts, face_down = [], []
    for seat, text in enumerate(seen.fact("layouts")):
        stand_ins = [*s.layouts[seat][-seen.hidden("layout", seat) :]]
        shown = text.split()
        face_down.append(tuple([n for n, card in enumerate(shown, 1) if card == FACE_DOWN]))
        layouts.append(tuple([stand_ins.pop() if c == FACE_DOWN else c for c in shown]))
    s.layouts, s.face_down = tuple(layouts), tuple(face_down)


def redeal(s: Trash, viewer: int, rng: Random) -> None:
    """Deals the face-down cards and the stock again: together, until the stock is renewed. From
    then on the cards of each are known, but not their order or places."""
    unseen = [
        layout[spot - 1]
        for layout, down in zip(s.layouts, s.face_down, strict=True)
        for spot in down
    ]
    stock = [*s.stock]
    if not s.renewals:
        unseen, stock = shared_out(unseen, stock, rng)
    rng.shuffle(unseen)
    rng.shuffle(stock)
    s.layouts = tuple(
        tuple([unseen.pop() if spot in down else card for spot, card in enumerate(layout, start=1)])
        for layout, down in zip(s.layouts, s.face_down, strict=True)
    )
    s.stock = tuple(stock)


def shared_out(some: list[str], others: list[str], rng: Random) -> tuple[list[str], list[str]]:
    """As many cards as before, but any of them."""
    cards = some + others
    rng.shuffle(cards)
    return cards[: len(some)], cards[len(some) :]


GAME = Game(
    slug="trash",
    title="Trash",
    summary="Race to fill a layout with ace to ten, card by card as they are turned up.",
    how_to_play=(
        "Each player has ten cards face down, in the places for ace to ten.",
        "In turn, draw a card and put it on its place; the card that was there is turned up and "
        "goes to its own place, and so on.",
        "Jacks may go to any place; queens, kings and numbers whose place is filled are discarded "
        "and end the turn.",
        "If the last discard has an open place in your row, take it instead of drawing.",
        "The first player with all places filled wins the deal and has one place less in the "
        "next; the match is won with a single place.",
    ),
    rules_version=1,
    players=(2, 3, 4, 5, 6),
    ladder_players=2,
    ladder_duplicate=True,
    option_fields=Options,
    state=Trash,
    begin=begin,
    phases={
        "turn": Turn(
            rule="A seat must take the top discard if it fits a spot that is face down, and "
            "may if it fits a spot with a jack; otherwise the seat draws from the stock.",
            who=seat_in_turn,
            may=draw_or_take,
            then=begin_play,
        ),
        "jack": Turn(
            rule="A jack is placed on any spot of the layout that is face down.",
            who=seat_in_turn,
            may=any_spot_face_down,
            then=play_as_chosen,
        ),
        "natural": Turn(
            rule="A natural whose spot holds a jack is placed there or discarded.",
            who=seat_in_turn,
            may=for_the_jack_or_not,
            then=play_as_chosen,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=DECKS,
    cards="Rank, then suit: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        "layout": "The cards of a seat's layout that are face up, in the order of the spots, and "
        "the number of those face down.",
        "held": "The card being played, if any; after the last deal, the card turned up last.",
        "discards": "The discard pile; its last card is the top.",
        "stock": "The stock: only the number of its cards; after a renewal its cards, in "
        "canonical order, as then only their order is hidden.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "dealer": "The seat that dealt; the next one has the first turn.",
        "layouts": "By seat, the cards on its spots from 1 on, with ? for one that is face down, "
        "as in AD ? 3C JH ?.",
        "phase": "The phase: turn, jack, natural, or over at the end.",
        "renewals": "The number of times the stock was renewed in this deal.",
        "start": "The number of spots of every layout in the first deal, which is also the "
        "number of deals to win.",
        "turn": "The seat whose turn it is; -1 at the end.",
        "won": "By seat, the deals won; each makes its layout one spot smaller.",
    },
    actions={
        "draw": "Turn up the top card of the stock; not if the top discard fits a spot that is "
        "face down.",
        "take": "Take the top discard, which fits a spot that is face down or holds a jack.",
        "place SPOT": "Put the held card on this spot of your layout: a jack on any spot that is "
        "face down, a natural on its own.",
        "discard": "Put the held card on the discard pile, which ends your turn: a natural whose "
        "spot holds a jack.",
    },
    events={
        "deal": "The dealer; the number of the deal.",
        "drawn": "The seat; the card.",
        "placed": "The seat; the card, the spot, the card that lay there.",
        "discarded": "The seat; the card.",
        "renew": "The number of discards shuffled into a new stock.",
        "win": "The seat; the number of deals it has won.",
        "no-winner": "The deal ends without a winner.",
    },
    reasons={
        "won": "A seat won a deal with a layout of one spot.",
        "limit": "All deals that the match may have were played.",
    },
    layout=Layout(
        score="deal won|deals won",
        groups={"layout": "layouts"},
        clicks={"layout": ("place {part}",), "discards": ("take", "discard")},
        facts={
            "won": by_seat("deals won", "{0} of {start}"),
            "deal": at_table("deal"),
            "renewals": at_table("stock renewed", "{0:time|times}"),
            "layouts": UNSAID,
            "start": UNSAID,
        },
        says={
            "draw": "{actor:draws|draw}",
            "take": "{actor:takes|take} the top discard",
            "place": "{actor:places|place} it on spot {0}",
            "discard": "{actor:discards|discard} it",
            "deal": "{actor:deals|deal} hand {0}",
            "drawn": "{actor:turns|turn} up {0}",
            "placed": "{actor:places|place} {0} on spot {1}",
            "discarded": "{actor:discards|discard} {0}",
            "renew": "{0:discard becomes|discards become} the new stock",
            "win": "{actor:wins|win} the deal, {0} in all",
            "no-winner": "The deal ends without a winner",
        },
    ),
)
