"""Places for submissions: so many at once, so many of one owner, so many of one owner a day."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from arena.server.errors import exhausted
from arena.server.limits import Bounds

DAY_S = 24 * 60 * 60


class Places:
    """Who submits now. Nobody waits for a place: he would hold a stream. The count of a day starts
    anew with the server."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._taken: Counter[str] = Counter()
        self._begun: defaultdict[str, deque[float]] = defaultdict(deque)

    @contextmanager
    def one(self, owner: str) -> Iterator[None]:
        """A place, for as long as the context lasts. Raises Refusal."""
        self._check(owner)
        self._taken[owner] += 1
        self._begun[owner].append(monotonic())
        try:
            yield
        finally:
            self._taken[owner] -= 1

    def _check(self, owner: str) -> None:
        bounds, begun = self._bounds, self._begun[owner]
        while begun and begun[0] < monotonic() - DAY_S:
            begun.popleft()
        if len(begun) >= bounds.submissions_a_day:
            raise exhausted(
                f"You may submit {bounds.submissions_a_day} times in 24 hours, and you have: try"
                " your bot at home with `arena bot check`, and come back tomorrow."
            )
        if self._taken[owner] >= bounds.submissions_an_owner:
            raise exhausted("Another submission of yours is not over yet; wait for it.")
        if self._taken.total() >= bounds.submissions:
            raise exhausted("Many others submit just now; try again in a minute.")
