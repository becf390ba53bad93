"""Decisions of several matches, aligned by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.views.matches.match import Match
from arena.web.deal.decision_log import Decision, DecisionLog

MOST_ROWS, MOST_CELLS, FEWEST_ROWS = 200, 1600, 50
"""On a page: decisions, and decisions of all matches together."""


@dataclass(frozen=True)
class Column:
    """A match and its decisions."""

    match: Match
    log: DecisionLog


@dataclass(frozen=True)
class Row:
    """The decisions of one number, a cell for each match; None where a match was over before.

    `parts`: for each cell, True if it is another decision than in the first match.
    `news`: for each cell, the scores if they have just changed, as text; else empty.
    """

    number: int
    cells: Sequence[Decision | None]
    parts: Sequence[bool]
    news: Sequence[str]

    @property
    def differs(self) -> bool:
        """True if the decision is not the same in all matches."""
        return any(self.parts)


def aligned(columns: Sequence[Column], start: int, end: int) -> list[Row]:
    """Returns the decisions from number `start` up to and without `end`; they count from 1."""
    longest = max((len(column.log.decisions) for column in columns), default=0)
    return [_row(columns, number) for number in range(start, min(end, longest + 1))]


def first_difference(columns: Sequence[Column]) -> int | None:
    """Returns the number of the first decision that is not the same in all matches; None if there
    is none. Matches without a record do not count."""
    known = [column.log.decisions for column in columns if column.log.decisions]
    if len(known) < 2:
        return None
    for at in range(max(map(len, known))):
        made = {_choice(decisions, at) for decisions in known}
        if len(made) > 1:
            return at + 1
    return None


def page_of(number: int, matches: int) -> tuple[int, int]:
    """Returns the first decision of the page that has this one, and how many a page has."""
    size = max(FEWEST_ROWS, min(MOST_ROWS, MOST_CELLS // max(matches, 1)))
    return (number - 1) // size * size + 1, size


def _row(columns: Sequence[Column], number: int) -> Row:
    at = number - 1
    cells = [_at(column.log.decisions, at) for column in columns]
    leading = next((column.log.decisions for column in columns if column.log.decisions), ())
    return Row(
        number=number,
        cells=cells,
        parts=[
            bool(column.log.decisions) and _choice(column.log.decisions, at) != _choice(leading, at)
            for column in columns
        ],
        news=[_news(column.log.decisions, at) for column in columns],
    )


def _at(decisions: Sequence[Decision], at: int) -> Decision | None:
    return decisions[at] if at < len(decisions) else None


def _choice(decisions: Sequence[Decision], at: int) -> tuple[int, str] | None:
    one = _at(decisions, at)
    return None if one is None else (one.seat, one.action)


def _news(decisions: Sequence[Decision], at: int) -> str:
    own = _at(decisions, at)
    if own is None or own.scores is None or at == 0 or own.scores == decisions[at - 1].scores:
        return ""
    return " : ".join(map(str, own.scores))
