"""`python -m bench restore`: the cost of restoring a match from an observation, compared with a
redeal of the match, in the middle of matches of every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

from rich.table import Table

from bench.side_by_side import measured
from sevens_games import Match, SeededDeals, load, own_slugs

POSITIONS = 20
MOST_DECISIONS = 400  # of the match before a position
A_CALL = 20


def tables() -> Iterator[Table]:
    """Yields the table, whose figures `docs/compiled.md` has."""
    table = Table(title="restore and redeal, ladder format, in the middle of random matches")
    for column in ("game", "restores/s", "redeals/s", "times as long"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for slug in sorted(own_slugs()):
        matches = positions(slug)
        figures = measured(
            {"restore": repeated(matches, restore), "redeal": repeated(matches, redeal)}
        )
        ours, theirs = figures["restore"], figures["redeal"]
        table.add_row(slug, str(ours), str(theirs), f"{theirs.median / ours.median:.1f}")
    yield table


def positions(slug: str) -> list[Match]:
    rng = Random(slug)
    found: list[Match] = []
    for number in range(POSITIONS):
        match = load(slug).start(deals=SeededDeals(f"{slug}/{number}"))
        for _ in range(rng.randrange(1, MOST_DECISIONS)):
            found[number:] = [match.clone()]
            seat = rng.choice(match.to_act)
            match.apply(seat, rng.choice(match.legal_actions(seat)))
            if not match.to_act:
                break
    return found


def restore(match: Match, rng: Random) -> None:
    seat = match.to_act[0]
    match.game.restore(match.observe(seat), seat, rng, players=match.players, options=match.options)


def redeal(match: Match, rng: Random) -> None:
    match.redeal(match.to_act[0], rng)


def repeated(matches: list[Match], act: Callable[[Match, Random], None]) -> Callable[[], int]:
    """Returns the contestant that goes round the matches."""
    rng, following = Random(0), cycle(matches)

    def work() -> int:
        for _ in range(A_CALL):
            act(next(following), rng)
        return A_CALL

    return work
