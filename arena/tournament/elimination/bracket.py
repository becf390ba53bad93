"""Brackets of tables of two: that of an elimination, and the losers' bracket next to it.

The losers' bracket has a round fewer than the tournament. Its odd rounds are played among those who
are in it; in its even ones they meet those who have just lost in the winners' bracket, so that the
loser of round *k* there comes in with round 2(*k* - 1), and the one of its final with the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Table = tuple[int, int]


@dataclass(frozen=True)
class Beaten:
    """An entrant that has lost once.

    `lost_in`: the round. `byes`: those so far. `met`: whom it has met before.
    """

    number: int
    lost_in: int
    byes: int
    met: frozenset[int]


def bracket_order(count: int) -> list[int]:
    """Returns the seeds in the order of the bracket, 0 for an empty place: 1 and 2 can only meet in
    the final, 1 to 4 not before the semi-finals, and so on."""
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, size - one)]
    return [seed if seed <= count else 0 for seed in order]


def bracket_tables(
    slots: Sequence[int], number: int, alive: Sequence[int]
) -> tuple[list[Table], list[int]]:
    """Pairs those who are left in each part of the bracket; who is alone there has a bye. Returns
    tables and byes."""
    tables, byes = [], []
    for start in range(0, len(slots), 2**number):
        here = sorted(one for one in slots[start : start + 2**number] if one in alive)
        if len(here) == 2:
            tables.append((here[0], here[1]))
        else:
            byes += here
    return tables, byes


def losers_tables(
    size: int, number: int, beaten: Sequence[Beaten]
) -> tuple[list[Table], list[int]]:
    """Pairs the losers' bracket in a round of the tournament: the best against the worst, with as
    few repeats as possible. Returns tables and byes. `size`: the places of the winners' bracket.

    Who has paused least pauses first, then the better seed. Of two who have met, one exchanges its
    place with the nearest entrant with whom there are fewer repeats; with one who pauses if no
    other helps.
    """
    stage = number - 1
    present = [one for one in beaten if 2 * (one.lost_in - 1) <= stage]
    waiting = [one.number for one in beaten if one not in present]
    remain = max(1, size >> ((stage + 1) // 2 + 1))
    playing = 2 * max(0, min(len(present) - remain, len(present) // 2))
    pausing = sorted(present, key=lambda one: (one.byes, one.number))[: len(present) - playing]
    order = sorted(
        (one for one in present if one not in pausing),
        key=lambda one: (2 * (one.lost_in - 1) < stage, one.number),
    )
    order = _with_fewest_repeats([*order, *pausing], playing)
    tables = [
        (min(one.number, other.number), max(one.number, other.number))
        for one, other in zip(order[: playing // 2], order[:playing][::-1], strict=False)
    ]
    return sorted(tables), waiting + [one.number for one in order[playing:]]


def _with_fewest_repeats(order: Sequence[Beaten], playing: int) -> list[Beaten]:
    """Exchanges two places as long as that avoids repeats. `playing`: how many of the order play,
    the first of them against the last."""
    best = [*order]
    while better := next(_improved(best, playing), None):
        best = better
    return best


def _improved(order: Sequence[Beaten], playing: int) -> Iterator[list[Beaten]]:
    """Yields the orders with fewer repeats that differ by one exchange."""
    repeated = _repeated(order, playing)
    for place in reversed(repeated):  # the worse of the two goes first
        others = sorted(
            range(len(order)), key=lambda other: (other >= playing, abs(other - place), other)
        )
        for other in others:
            exchanged = [*order]
            exchanged[place], exchanged[other] = order[other], order[place]
            if len(_repeated(exchanged, playing)) < len(repeated):
                yield exchanged


def _repeated(order: Sequence[Beaten], playing: int) -> list[int]:
    """Returns the places whose entrants have met their opponents before."""
    return [
        place for place in range(playing) if order[playing - 1 - place].number in order[place].met
    ]
