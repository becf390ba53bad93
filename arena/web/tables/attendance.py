"""The seats whose programs run in this process, and the pages that follow them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from arena.clock import monotonic
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.people import table_with_key
from arena.store.schema import CompetitionState
from arena.store.session import Store
from arena.web.tables.seat_program import Seat

ABSENT_S = 240.0
"""A person who has had no page of the table open for so long has left it, in seconds."""
LOOK_EVERY_S = 2.0
MOST_PAGES = 8
"""The pages that may follow one seat; each holds a connection."""
KEPT_S = 600.0
"""The time for which a seat is remembered after its end, in seconds."""


class _Attended:
    """A seat. `pages`: how many pages follow it now; `seen_at`: when one last did."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.pages = 0
        self.seen_at = monotonic()

    def unseen_s(self) -> float:
        return 0.0 if self.pages else monotonic() - self.seen_at


class Attendance:
    """The seats by their keys, of tables that are being played.

    A process that is replaced loses them; the next one dials in again at the first request
    for the table. `absent_s`: see ABSENT_S.
    """

    def __init__(self, store: Store, folder: DataFolder, absent_s: float = ABSENT_S) -> None:
        self._store = store
        self._folder = folder
        self._absent_s = absent_s
        self._seats: dict[str, _Attended] = {}
        self._looking: asyncio.Task[None] | None = None

    async def seat(self, key: str) -> Seat | None:
        """Returns the seat with that key; None if its match is over. Raises ArenaError."""
        if key not in self._seats:
            if not await asyncio.to_thread(self._is_running, key):
                return None
            if key not in self._seats:  # another request may have been faster
                self._seats[key] = _Attended(Seat(self._folder.server, key))
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
        attended = self._seats[key]
        attended.seen_at = monotonic()
        return attended.seat

    def is_crowded(self, key: str) -> bool:
        """True if no more pages may follow a seat."""
        return self._seats[key].pages >= MOST_PAGES

    @contextmanager
    def following(self, key: str) -> Iterator[None]:
        """Counts an open page of a seat, for as long as the context lasts."""
        attended = self._seats[key]
        attended.pages += 1
        try:
            yield
        finally:
            attended.pages -= 1
            attended.seen_at = monotonic()

    def _is_running(self, key: str) -> bool:
        with self._store.reading() as session:
            table = table_with_key(session, key)
            if table is None:
                raise ArenaError(
                    Kind.NOT_FOUND,
                    "There is no such table. Only the person who sat down at it has its address.",
                )
            return table.state is CompetitionState.RUNNING

    async def _look(self) -> None:
        """Removes seats without a page, until there are none."""
        while self._seats:
            await asyncio.sleep(LOOK_EVERY_S)
            for key, attended in tuple(self._seats.items()):
                unseen_s, over = attended.unseen_s(), attended.seat.transcript.over
                if not over and unseen_s > self._absent_s:
                    attended.seat.leave()
                if over and unseen_s > KEPT_S:
                    del self._seats[key]
        self._looking = None
