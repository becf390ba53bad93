"""Random play, clones and playouts of every game, in a separate process so that either build's
rules can be loaded. Reads lines (`play xeri`, `clone xeri`, `search xeri`), does some work for each
and prints the amount."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import cache
from random import Random

from sevens_games import Experience, Match, Search, SeededDeals, load

DECISIONS_A_CALL = 5_000
CLONES_A_CALL = 20_000
PLAYOUTS_A_CALL = 100


def play(slug: str) -> int:
    """Plays whole matches; returns the number of decisions."""
    start = load(slug).start
    decisions = 0
    while decisions < DECISIONS_A_CALL:
        decisions += played(start(), random.choice)
    return decisions


def clone(slug: str) -> int:
    """Clones a half-finished match; returns the number of clones."""
    match = half_over(slug)
    for _ in range(CLONES_A_CALL):
        match.clone()
    return CLONES_A_CALL


def search(slug: str) -> int:
    """Searches at the first choice of a match; returns the number of playouts."""
    match = load(slug).start(deals=SeededDeals("bench"))
    while len(match.legal_actions(seat := match.to_act[0])) == 1:
        match.apply(seat, match.legal_actions(seat)[0])
    searching = Search(match, seat, Random(0), Experience(match.game.teams(match.players)))
    for _ in range(PLAYOUTS_A_CALL):
        searching.playout()
    return PLAYOUTS_A_CALL


def played(match: Match, choice: Callable[..., str], most: int | None = None) -> int:
    """Plays at random, to the end or until `most` decisions; returns the number of decisions.

    Where several seats may choose, the first does: in a race its choice can end the match.
    """
    decisions = 0
    while match.to_act and decisions != most:
        seat = match.to_act[0]
        match.apply(seat, choice(match.legal_actions(seat)))
        decisions += 1
    return decisions


@cache
def half_over(slug: str) -> Match:
    """Returns a match after half of its decisions, the same in both builds."""
    for number in range(100):
        deals = SeededDeals(f"bench {number}")
        match = load(slug).start(deals=deals)
        if decisions := played(match, Random(number).choice):
            match = load(slug).start(deals=deals)
            played(match, Random(number).choice, decisions // 2)
            return match
    raise ValueError(f"Every match of {slug} is over at once.")


def main() -> None:
    """Does the work named by each line of stdin."""
    for line in sys.stdin:
        what, slug = line.split()
        print({"play": play, "clone": clone, "search": search}[what](slug), flush=True)


if __name__ == "__main__":
    main()
