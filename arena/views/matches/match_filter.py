"""The choice of finished matches: one object for lists, counts, charts and addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Result(StrEnum):
    """A bot's result in a match. A tie is neither."""

    WON = "won"
    LOST = "lost"


class Order(StrEnum):
    """The order of a list: the latest first; or those first that a bot lost, or won, by the most
    points."""

    LATEST = "latest"
    WORST = "worst"
    BEST = "best"


@dataclass(frozen=True)
class MatchFilter:
    """The matches wanted; what is empty, 0 or None does not matter.

    `competition`: the name of a ladder, say. `kind`: ladder, tournament or comparison, if it must
      be one.
    `number`: of the version of `bot`.
    `against`: a bot that sat on another side than `bot`. `against_number`: of its version.
    `result`: of `bot`, compared with `against` if that is given, else with everybody.
    `faulted`: only those in which `bot`, or any bot, was at fault. `fault`: by a fault of this
      kind.
    `seat`: only those in which `bot` sat there, from 0.
    `seats`: at tables of so many.
    `since`, `until`: finished at or after the first moment, and before the second.
    `slowest_ms`: `bot`, or any bot, took at least so long for a decision of its own.
    `void`: only those that are void, which are left out otherwise.
    `order`: of a list; only one by time can do without `bot`.
    """

    competition: str = ""
    kind: str = ""
    game: str = ""
    bot: str = ""
    number: int = 0
    against: str = ""
    against_number: int = 0
    result: Result | None = None
    faulted: bool = False
    fault: str = ""
    seat: int | None = None
    seats: int = 0
    since: datetime | None = None
    until: datetime | None = None
    slowest_ms: int = 0
    void: bool = False
    order: Order = Order.LATEST


EVERY_MATCH = MatchFilter()
