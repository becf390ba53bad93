"""Forty Thieves: tidies the columns, looks a few moves ahead, and is slow to use the stock.

The idea: every card of the discard pile returns, so only the columns can lock cards in. A card is
in the way of each lower card under it, because lower ones go home first. The bot moves only where
that leads, within three moves, to more cards home or fewer in the way; otherwise it draws. After a
pass without progress it looks one move further; if that does not help, it stops.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sevens_sdk import Bot, Decision, run

RANKS = "A23456789TJQK"
LOWER = {high + suit: low + suit for low, high in pairwise(RANKS) for suit in "CDHS"}
HIGHER = {low: high for high, low in LOWER.items()}

WASTE = HOME = 10
SOURCES = (*map(str, range(1, 11)), "waste")
TARGETS = (*map(str, range(1, 11)), "foundation")

LOOK_AHEAD = 3  # moves
LOOK_AHEAD_WHEN_STUCK = 4
WORTH_OF_A_CARD_HOME = 10  # in cards in the way
COST_OF_A_MOVE = 0.1


class Position(NamedTuple):
    """Columns and discard pile with their tops last, and the top cards of the foundations (an empty
    text if there is none)."""

    columns: tuple[tuple[str, ...], ...]
    waste: tuple[str, ...]
    tops: tuple[str, ...]
    home: int


class ThiefCatcher(Bot):
    def on_start(self) -> None:
        self.look_ahead = LOOK_AHEAD
        self.has_moved = False  # in this pass through the stock

    def choose(self, decision: Decision) -> str:
        move = best_move(position_of(decision), self.look_ahead)
        if move is not None:
            self.has_moved = True
            source, target = move
            return f"move {SOURCES[source]} {TARGETS[target]}"
        if "draw" in decision.legal:
            return "draw"
        return self.turn_over(decision)

    def turn_over(self, decision: Decision) -> str:
        stuck = not self.has_moved
        looked_further = self.look_ahead == LOOK_AHEAD_WHEN_STUCK
        if (stuck and looked_further) or "redeal" not in decision.legal:
            return "stop"
        self.look_ahead = LOOK_AHEAD_WHEN_STUCK if stuck else LOOK_AHEAD
        self.has_moved = False
        return "redeal"


def position_of(decision: Decision) -> Position:
    cards = {zone.name: zone.cards for zone in decision.observation.zones}
    home = cards["foundations"]
    tops = [card for card, following in pairwise((*home, "A")) if following[0] == "A"]
    return Position(
        columns=tuple(cards[f"column-{number}"] for number in range(1, 11)),
        waste=cards["waste"],
        tops=(*tops, *[""] * (8 - len(tops))),
        home=len(home),
    )


def best_move(position: Position, depth: int) -> tuple[int, int] | None:
    """Returns a move home, or the first move of those that improve the position, or None."""
    best, best_value = None, value(position)
    for move in moves(position):
        if move[1] == HOME:
            return move
        reached = best_within(after(position, move), depth - 1) - COST_OF_A_MOVE
        if reached > best_value:
            best, best_value = move, reached
    return best


def best_within(position: Position, depth: int) -> float:
    """Returns the value of the best position within that many moves."""
    best = value(position)
    if depth:
        for move in moves(position):
            best = max(best, best_within(after(position, move), depth - 1) - COST_OF_A_MOVE)
    return best


def value(position: Position) -> float:
    return WORTH_OF_A_CARD_HOME * position.home - sum(map(in_the_way, position.columns))


@lru_cache(100_000)
def in_the_way(column: tuple[str, ...]) -> int:
    """Counts the pairs of cards in the wrong order, the higher one on the lower."""
    ranks = [RANKS.index(card[0]) for card in column]
    return sum(low < high for place, high in enumerate(ranks) for low in ranks[:place])


def moves(position: Position) -> Iterator[tuple[int, int]]:
    """Yields sources and targets; of several empty columns one is enough."""
    columns, waste, tops, _ = position
    column_tops = [column[-1] if column else "" for column in columns]
    empty = column_tops.index("") if "" in column_tops else None
    for source, card in enumerate((*column_tops, waste[-1] if waste else "")):
        if not card:
            continue
        if LOWER.get(card, "") in tops:
            yield source, HOME
        if HIGHER.get(card) in column_tops:
            for target, top in enumerate(column_tops):
                if top == HIGHER[card]:
                    yield source, target
        if empty is not None and (source == WASTE or len(columns[source]) > 1):
            yield source, empty


def after(position: Position, move: tuple[int, int]) -> Position:
    source, target = move
    columns, waste, tops, home = position
    piles = [*columns, waste]
    card = piles[source][-1]
    piles[source] = piles[source][:-1]
    if target == HOME:
        place = tops.index(LOWER.get(card, ""))
        tops = (*tops[:place], card, *tops[place + 1 :])
        home += 1
    else:
        piles[target] = (*piles[target], card)
    return Position(tuple(piles[:WASTE]), piles[WASTE], tops, home)


if __name__ == "__main__":
    run(ThiefCatcher)
