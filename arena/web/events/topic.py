"""Something that visitors watch. One task looks at it for all of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class State:
    """A topic at a moment.

    `id`: the same for the same state, also after a restart of the pages: a visitor who comes back
      with it has missed nothing.
    `data`: the text for visitors, on one line.
    """

    id: str
    data: str


Look = Callable[[], Awaitable[State]]
"""Returns the present state of a topic."""


class Topic:
    """A topic, looked at every `period_s` seconds for as long as it has watchers.

    `watchers`: their number. Only the newest state is kept, so a slow visitor misses states and
    delays nobody.
    """

    def __init__(self, name: str, look: Look, period_s: float) -> None:
        self.name = name
        self.watchers = 0
        self._newest: State | None = None
        self._news = asyncio.Event()
        self._watch = asyncio.create_task(self._keep_looking(look, period_s))
        self._watch.add_done_callback(self._ended)

    @property
    def is_over(self) -> bool:
        """True once it is not looked at any more."""
        return self._watch.done()

    async def after(self, known: str) -> State | None:
        """Waits for a state with another id than `known`; None if there will be none."""
        while not self._watch.done():
            if self._newest is not None and self._newest.id != known:
                return self._newest
            await self._news.wait()
        return None

    def end(self) -> None:
        """Stops looking, and wakes all who wait."""
        self._watch.cancel()

    async def _keep_looking(self, look: Look, period_s: float) -> None:
        while True:
            state = await look()
            if self._newest is None or state.id != self._newest.id:
                self._newest = state
                self._tell()
            await asyncio.sleep(period_s)

    def _ended(self, watch: asyncio.Task[None]) -> None:
        if not watch.cancelled() and (failure := watch.exception()) is not None:
            # Its visitors come back after a while, and a new topic begins.
            log.error("the events of %s ended", self.name, exc_info=failure)
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
