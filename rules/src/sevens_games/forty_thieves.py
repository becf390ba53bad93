"""Forty Thieves: a two-deck patience as a race; every seat plays its own copy of the same deal.

Source: "Forty Thieves (Napoleon at St. Helena)" by Denexa Games, for one player.
`docs/games/forty-thieves.md` explains the game to bot authors. Questions that the article leaves
open, and those of turning a patience into a contest, are ruled as follows:

1. The seats race on the same deal and see nothing of each other. More cards home are better; then
   fewer actions up to the last of them.
2. The top of the discard pile may always be moved, and then the card under it.
3. The discard pile may be turned over without limit, unless an option sets one.
4. It may not if no move was legal in the whole pass: none would ever be again, and the seat's game
   is over. A seat that declined a move may turn it over.
5. A seat may stop when its stock is empty. Continuing never costs rank: stopping only saves time.
6. Draws and redeals are actions that count, like moves.
7. Columns are built down in suit: nothing goes on an ace, and a king goes only to an empty column.
   Any available card may go there, also the top discard; none has to.
8. The only card of a column does not go to an empty one: the table would be the same.
9. A card of the stock is drawn, and then moved from the discard pile: two actions.
10. No card returns from the foundations.
11. The columns are dealt row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeAlias

from sevens_games.cards import DECK, RANKS, SUITS, replaced
from sevens_games.engine import (
    UNSAID,
    Action,
    Facts,
    Game,
    Layout,
    Observation,
    Race,
    Result,
    Seen,
    State,
    Zone,
    at_table,
    by_seat,
    copier,
    integer,
    ranks_by,
)

Cards: TypeAlias = tuple[str, ...]

TWO_DECKS = tuple(card for card in DECK for _ in range(2))
COLUMNS = 10
TABLEAU = 4 * COLUMNS  # cards

# The next lower card of the suit: the card onto which a card goes home, and which it takes in a
# column. An ace has none, but goes home onto an empty foundation, whose code is `-C`, say.
NO_RANK = "-"
LOWER = {
    rank + suit: lower + suit
    for suit in SUITS
    for lower, rank in zip(NO_RANK + RANKS, RANKS, strict=False)
}
HIGHER = {lower: card for card, lower in LOWER.items()}
ANY_CARD = "any"  # taken by an empty column
EMPTY_FOUNDATIONS = tuple(NO_RANK + suit for suit in SUITS for _ in range(2))
FOUNDATION = {  # the cards of a foundation, by its top card
    top + suit: tuple(rank + suit for rank in RANKS[:height])
    for suit in SUITS
    for height, top in enumerate(NO_RANK + RANKS)
}


class Move(NamedTuple):
    """`source`: a column, from 0, or WASTE. `target`: a column, or HOME."""

    source: int
    target: int


WASTE = HOME = COLUMNS
NUMBERS = tuple(str(column + 1) for column in range(COLUMNS))
COLUMN_ZONES = tuple(f"column-{number}" for number in NUMBERS)
# By source and target. Other seats are not shown what a seat does.
MOVE = [
    [
        Action[Move](f"move {source} {target}", Move(s, t), public=None)
        for t, target in enumerate((*NUMBERS, "foundation"))
    ]
    for s, source in enumerate((*NUMBERS, "waste"))
]
DRAW = Action[None]("draw", public=None)
REDEAL = Action[None]("redeal", public=None)
STOP = Action[None]("stop", public=None)

Act: TypeAlias = Action[Move] | Action[None]


@dataclass(frozen=True)
class Options:
    redeals: int = integer(
        -1,
        "The number of times that a seat may turn its discard pile over; -1 means without limit.",
        minimum=-1,
        maximum=100,
    )
    max_moves: int = integer(
        1000, "The number of actions after which a seat's game is over.", minimum=1, maximum=10_000
    )


@dataclass(slots=True, kw_only=True)
class Table:
    """One seat's game. A table in the state never changes: a changed copy replaces it.

    The last card of a column is its top. `talon`: the discard pile and the stock, in the order of
    drawing; the first `drawn` of these cards are the discard pile. `foundations`: the top cards.
    `column_takes`: by column, the card it takes.

    `home`: the number of cards home. `actions`: the number made so far; `moves`: the number made
    when the last card went home. `redeals`: the number made so far. `move_was_legal`: whether one
    was in this pass through the stock.
    `column_moves`: the legal moves from columns. `ended`: the way in which the game ended; empty
    before.
    """

    columns: tuple[Cards, ...]
    talon: Cards
    drawn: int = 0
    foundations: Cards = EMPTY_FOUNDATIONS
    home: int = 0
    actions: int = 0
    moves: int = 0
    redeals: int = 0
    move_was_legal: bool = False
    column_takes: Cards = ()
    column_moves: tuple[Act, ...] = ()
    legal: tuple[Act, ...] = ()
    ended: str = ""


copied = copier(Table)


@dataclass(slots=True, kw_only=True)
class FortyThieves(State):
    """`deal`: all cards, the first dealt first. `tables`: by seat. `racing`: the seats whose game
    is not over."""

    deal: Cards = ()
    tables: tuple[Table, ...] = ()
    racing: tuple[int, ...] = ()


# Dealing ------------------------------------------------------------------------------------------


def begin(s: FortyThieves) -> str:
    """One deal for all."""
    s.deals.begin_deal()
    s.deal = s.deals.shuffle(TWO_DECKS)
    s.tables = (dealt(s.deal, s.options),) * s.players
    s.racing = tuple(range(s.players))
    s.tell("deal", None, *s.deal[:TABLEAU])
    return "race"


def dealt(deal: Cards, options: Options) -> Table:
    """The columns are dealt row by row, their tops last; the other cards are the stock."""
    columns = tuple(deal[column:TABLEAU:COLUMNS] for column in range(COLUMNS))
    t = Table(columns=columns, talon=deal[TABLEAU:])
    note_columns(t)
    settle(t, options)
    return t


# Legal actions ------------------------------------------------------------------------------------


def note_columns(t: Table) -> None:
    """Notes the cards that the columns take and the moves of their tops, valid until the columns
    change."""
    t.column_takes = tuple([LOWER[column[-1]] if column else ANY_CARD for column in t.columns])
    taken = {*t.column_takes, *map(HIGHER.get, t.foundations)}
    moves: list[Act] = []
    for source, column in enumerate(t.columns):
        if column and (column[-1] in taken or ANY_CARD in taken):
            moves += moves_of(t, source, column[-1], alone=len(column) == 1)
    t.column_moves = tuple(moves)


def moves_of(t: Table, source: int, card: str, *, alone: bool = False) -> list[Act]:
    """Home, to the columns that take the card, and to empty ones unless it is alone in its own."""
    moves = MOVE[source]
    legal: list[Act] = [moves[HOME]] if LOWER[card] in t.foundations else []
    empty = None if alone else ANY_CARD
    legal += [
        moves[column] for column, taken in enumerate(t.column_takes) if taken in (card, empty)
    ]
    return legal


def stock_actions(t: Table, options: Options) -> tuple[Act, ...]:
    """After a pass without any legal move, turning the discard pile over would bring none."""
    if t.drawn < len(t.talon):
        return (DRAW,)
    if t.drawn and t.move_was_legal and t.redeals != options.redeals:
        return (REDEAL, STOP)
    return (STOP,)


def settle(t: Table, options: Options) -> None:
    """The legal actions, and whether the game is over."""
    moves = t.column_moves
    if t.drawn:
        moves += tuple(moves_of(t, WASTE, t.talon[t.drawn - 1]))
    t.move_was_legal = t.move_was_legal or bool(moves)
    t.legal = moves + stock_actions(t, options)
    if t.home == len(TWO_DECKS):
        t.ended = "won"
    elif t.actions == options.max_moves:
        t.ended = "limit"
    elif t.legal == (STOP,):
        t.ended = "blocked"


# Play ---------------------------------------------------------------------------------------------


def seats_racing(s: FortyThieves) -> tuple[int, ...]:
    return s.racing


def legal_actions(s: FortyThieves, seat: int) -> tuple[Act, ...]:
    return s.tables[seat].legal


def act(s: FortyThieves, seat: int, action: Act) -> str | None:
    """Changes only the seat's own table, at once."""
    t = copied(s.tables[seat])
    card = perform(t, action, s.options)
    if card:
        s.tell_only((seat,), "card", seat, card)
    s.tables = replaced(s.tables, seat, t)
    if t.ended:
        s.racing = tuple([other for other in s.racing if other != seat])
        s.tell_only((seat,), "over", seat, t.ended, t.home, t.moves)
    return "race" if s.racing else None


def perform(t: Table, action: Act, options: Options) -> str:
    """Returns the card that was drawn or moved, if any."""
    if action is STOP:
        t.ended = "stopped"
        return ""
    t.actions += 1
    card = ""
    if action.value is not None:
        card = move(t, *action.value)
    elif action is DRAW:
        card = draw(t)
    else:
        turn_over(t)
    settle(t, options)
    return card


def draw(t: Table) -> str:
    card = t.talon[t.drawn]
    t.drawn += 1
    return card


def turn_over(t: Table) -> None:
    """The discard pile becomes the stock again, with the card that was drawn first on top."""
    t.drawn = 0
    t.redeals += 1
    t.move_was_legal = False


def move(t: Table, source: int, target: int) -> str:
    card = take_from_waste(t) if source == WASTE else take_from_column(t, source)
    if target == HOME:
        bring_home(t, card)
    else:
        t.columns = replaced(t.columns, target, (*t.columns[target], card))
    note_columns(t)
    return card


def take_from_waste(t: Table) -> str:
    t.drawn -= 1
    card = t.talon[t.drawn]
    t.talon = t.talon[: t.drawn] + t.talon[t.drawn + 1 :]
    return card


def take_from_column(t: Table, source: int) -> str:
    *rest, card = t.columns[source]
    t.columns = replaced(t.columns, source, tuple(rest))
    return card


def bring_home(t: Table, card: str) -> None:
    """Onto the first of the suit's two foundations that it fits."""
    t.foundations = replaced(t.foundations, t.foundations.index(LOWER[card]), card)
    t.home += 1
    t.moves = t.actions


# Scoring ------------------------------------------------------------------------------------------


def result(s: FortyThieves) -> Result:
    """Fewer moves decide between equal scores."""
    merits = [(t.home, -t.moves) for t in s.tables]
    return Result([t.home for t in s.tables], ranks_by(merits), "played-out")


# The view of a seat -------------------------------------------------------------------------------


def view(s: FortyThieves, viewer: int | None) -> Observation:
    """A seat sees its own table and nothing of the other tables."""
    if viewer is not None:
        zones = zones_of(s.tables[viewer], viewer, knows_stock(s.tables[viewer]))
        zones.append(dealt_zone(s, unseen_in_stock(s.tables[viewer])))
        return Observation(tuple(zones), facts(s, viewer))
    zones = [zone for seat, t in enumerate(s.tables) for zone in zones_of(t, seat, True)]
    zones.append(dealt_zone(s, 0))
    return Observation(tuple(zones), facts(s, None))


def knows_stock(t: Table) -> bool:
    """A seat that has turned the discard pile over has seen its cards."""
    return t.redeals > 0


def unseen_in_stock(t: Table) -> int:
    return 0 if knows_stock(t) else len(t.talon) - t.drawn


def dealt_zone(s: FortyThieves, unseen: int) -> Zone:
    return Zone("dealt", None, s.deal[: len(s.deal) - unseen], unseen)


def zones_of(t: Table, seat: int, stock_seen: bool) -> list[Zone]:
    zones = [Zone(name, seat, column) for name, column in zip(COLUMN_ZONES, t.columns, strict=True)]
    home = tuple([card for top in t.foundations for card in FOUNDATION[top]])
    stock = t.talon[t.drawn :]
    zones.append(Zone("waste", seat, t.talon[: t.drawn]))
    zones.append(Zone("stock", seat, stock) if stock_seen else Zone("stock", seat, (), len(stock)))
    zones.append(Zone("foundations", seat, home))
    return zones


def facts(s: FortyThieves, viewer: int | None) -> Facts:
    """A seat's own; the spectator has all of them, by seat."""
    shown = s.tables if viewer is None else (s.tables[viewer],)
    by_seat: dict[str, tuple[int, ...] | tuple[str, ...]] = {
        "actions": tuple([t.actions for t in shown]),
        "ended": tuple([t.ended for t in shown]),
        "home": tuple([t.home for t in shown]),
        "move_was_legal": tuple([int(t.move_was_legal) for t in shown]),
        "moves": tuple([t.moves for t in shown]),
        "redeals_made": tuple([t.redeals for t in shown]),
    }
    own = by_seat if viewer is None else {name: values[0] for name, values in by_seat.items()}
    over = s.phase is None if viewer is None else shown[0].ended
    return Facts(
        {
            **own,
            "max_moves": s.options.max_moves,
            "phase": "over" if over else "race",
            "redeals": s.options.redeals,
        }
    )


def recall(s: FortyThieves, seen: Seen) -> None:
    """The games of all other seats go on, as far as the viewer knows."""
    waste, stock = seen.cards("waste", seen.seat), seen.cards("stock", seen.seat)
    own = Table(
        columns=tuple([seen.cards(column, seen.seat) for column in COLUMN_ZONES]),
        talon=waste + stock,
        drawn=len(waste),
        foundations=tops_of(seen.cards("foundations", seen.seat)),
        home=seen.fact("home"),
        actions=seen.fact("actions"),
        moves=seen.fact("moves"),
        redeals=seen.fact("redeals_made"),
        move_was_legal=bool(seen.fact("move_was_legal")),
    )
    note_columns(own)
    settle(own, s.options)
    s.tables = (own,) * s.players
    s.racing = tuple(range(s.players))
    dealt = seen.cards("dealt")
    s.deal = dealt if knows_stock(own) else dealt + stock


def tops_of(home: Cards) -> Cards:
    """The top cards of the foundations; each pile is listed from its ace up."""
    tops, pile = list(EMPTY_FOUNDATIONS), 0
    for card in home:
        if LOWER[card][0] == NO_RANK:
            pile = tops.index(LOWER[card])
        tops[pile] = card
    return tuple(tops)


def redeal(s: FortyThieves, viewer: int, rng: Random) -> None:
    """Shuffles the stock that the viewer has not drawn yet. The other seats' games become any
    that the deal allows."""
    t = copied(s.tables[viewer])
    unseen = unseen_in_stock(t)
    seen = len(s.deal) - unseen
    s.deal = s.deal[:seen] + tuple(rng.sample(s.deal[seen:], unseen))
    t.talon = t.talon[: len(t.talon) - unseen] + s.deal[seen:]
    s.tables = tuple(
        t if seat == viewer else played_anew(s, rng, to_the_end=seat not in s.racing)
        for seat in range(s.players)
    )


def played_anew(s: FortyThieves, rng: Random, *, to_the_end: bool) -> Table:
    """The deal after random play: any moment of that game, its end included."""
    course = [dealt(s.deal, s.options)]
    while not course[-1].ended:
        t = copied(course[-1])
        perform(t, rng.choice(t.legal), s.options)
        course.append(t)
    return course[-1] if to_the_end else rng.choice(course[:-1])


GAME = Game(
    slug="forty-thieves",
    title="Forty Thieves",
    summary="A patience as a race on the same deal: bring home most cards, in fewest actions.",
    how_to_play=(
        "All players play the same patience, each on a table of their own, without seeing the "
        "others.",
        "Two packs are dealt: ten columns of four cards, face up, and the rest as the stock.",
        "Bring the cards home by suit, from ace to king: one card at a time, from the end of a "
        "column or from the discard pile.",
        "A card may also go onto the next higher card of its suit at the end of a column, and any "
        "card into an empty column.",
        "You may always turn the next card of the stock onto the discard pile, and turn that pile "
        "over when the stock is empty.",
        "The player with the most cards home wins, and of equal players the one with fewer moves.",
    ),
    rules_version=1,
    players=(1, 2, 3, 4, 5, 6, 7, 8),
    ladder_players=4,
    option_fields=Options,
    state=FortyThieves,
    begin=begin,
    phases={
        "race": Race(
            rule="A card goes home onto the next lower one of its suit, in the columns onto the "
            "next higher one or into an empty column; the stock must be empty to redeal or stop.",
            who=seats_racing,
            may=legal_actions,
            then=act,
        ),
    },
    view=view,
    recall=recall,
    redeal=redeal,
    result=result,
    deck=TWO_DECKS,
    copies=("dealt",),
    cards="Rank, then suit, each twice: A 2 3 4 5 6 7 8 9 T J Q K; C D H S.",
    zones={
        **{
            zone: f"Column {number} of your table; its last card is the top, which may be moved."
            for zone, number in zip(COLUMN_ZONES, NUMBERS, strict=True)
        },
        "waste": "Your discard pile; its last card is the top, which may be moved.",
        "stock": "Your stock, the next card first; only the number of its cards until you have "
        "turned the discard pile over once.",
        "dealt": "The deal, the same for all seats: the columns row by row, then the stock as far "
        "as you have seen it; a record.",
        "foundations": "Your cards that are home, pile by pile, each from its ace up: AC 2C 3C AC "
        "AS 2S are three piles.",
    },
    facts={
        "actions": "The number of actions you have made. The spectator sees a list by seat, as for "
        "ended, home, moves, move_was_legal and redeals_made.",
        "ended": "The end of your game: won, limit, blocked or stopped; empty while you play.",
        "home": "The number of your cards that are home.",
        "max_moves": "The number of actions after which your game is over.",
        "move_was_legal": "1 if a move was legal in this pass through the stock, otherwise 0; the "
        "discard pile may be turned over only if it is 1.",
        "moves": "The number of actions you had made when your last card went home; 0 if none did.",
        "phase": "The phase: race, or over when your game is.",
        "redeals": "The number of times you may turn the discard pile over; -1 means without "
        "limit.",
        "redeals_made": "The number of times you have turned the discard pile over.",
    },
    actions={
        "move SOURCE foundation": "Bring home the top card of a column, 1 to 10, or of the "
        "discard pile, `waste`.",
        "move SOURCE COLUMN": "Move such a card to a column.",
        "draw": "Turn up the next card of the stock, while there is one.",
        "redeal": "Turn the discard pile over to become the stock again; only if the stock is "
        "empty, a move was legal in this pass, and the option allows it.",
        "stop": "End your game; only if the stock is empty. It does not count as an action.",
    },
    events={
        "deal": "The forty cards of the columns, row by row; the same for all seats.",
        "card": "You; the card that you drew or moved.",
        "over": "You; the way your game ended, the number of your cards home, your moves.",
    },
    reasons={"played-out": "The game of every seat is over."},
    layout=Layout(
        score="card home|cards home",
        ace_piles=("foundations",),
        records=("dealt",),
        clicks={"foundations": ("move * foundation",), "stock": ("draw", "redeal")},
        facts={
            "home": by_seat("cards home", zeros=False),
            "actions": by_seat("moves", "{0} of at most {max_moves}"),
            "moves": by_seat("moves to the last card home", zeros=False),
            "ended": by_seat("the end", "{0:end}"),
            "redeals_made": by_seat("times through the stock", zeros=False),
            "redeals": at_table("redeals allowed"),
            "max_moves": UNSAID,
            "move_was_legal": UNSAID,
        },
        words={
            "place": {
                "waste": "the discard pile",
                "foundation": "a foundation",
                **{str(column): f"column {column}" for column in range(1, 11)},
            },
            "end": {"limit": "out of moves"},
        },
        titles={"waste": "discard pile"},
        says={
            "move": "{actor:moves|move} from {0:place} to {1:place}",
            "draw": "{actor:draws|draw}",
            "redeal": "{actor:turns|turn} the discard pile over",
            "stop": "{actor:stops|stop}",
            "deal": "Dealt: {all}",
            "card": "{actor}: {0}",
            "over": ("{actor:is|are} done: {0:end}, {1:card|cards} home in {2:move|moves}"),
        },
    ),
)
