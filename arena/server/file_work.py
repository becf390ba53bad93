"""Work on the files of strangers, which may take long: in threads of its own, each task within a
time limit, so that the rest of the server goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from arena.errors import ArenaError, Kind
from arena.failures import answer_to
from arena.server.limits import ServerLimits

T = TypeVar("T")

# A caller that is cancelled, or removes a folder, waits this long for the work to end.
REST_S = 5.0


class FileWork:
    """A few threads. Tasks wait for one in the order in which they come."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limit_s = limits.file_work_s
        self._threads = ThreadPoolExecutor(limits.file_threads, "files")

    async def do(self, work: Callable[[], T]) -> T:
        """Returns the result of the work. Raises ArenaError if it takes too long, with the time
        that it waited for a thread; then it goes on, but nobody waits for it.

        If the caller is cancelled, work that has not begun never will; otherwise the caller waits a
        little for its end, because it may use a folder that the caller removes next.
        """
        begun = self.begin(work)
        task = asyncio.wrap_future(begun)
        try:
            async with asyncio.timeout(self._limit_s):
                return await asyncio.shield(task)
        except TimeoutError:
            if not begun.cancel():
                task.add_done_callback(_ended_unseen)
            raise ArenaError(
                Kind.TOO_SLOW,
                f"The server could not process the files within {self._limit_s:g} seconds; try"
                " again later.",
            ) from None
        except asyncio.CancelledError:
            if not begun.cancel():
                task.add_done_callback(_ended_unseen)
                await asyncio.wait((task,), timeout=REST_S)
            raise

    async def tidy(self, work: Callable[[], object]) -> None:
        """Begins work that does not matter to the caller, and waits a little for its end."""
        await asyncio.wait((asyncio.wrap_future(self.begin(work)),), timeout=REST_S)

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Begins work as soon as a thread is free."""
        return self._threads.submit(work)


def _ended_unseen(task: asyncio.Future[T]) -> None:
    """Logs the failure of work whose caller has gone, if it is one of the arena's own."""
    if not task.cancelled() and isinstance(failure := task.exception(), Exception):
        answer_to(failure)
