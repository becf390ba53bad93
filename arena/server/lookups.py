"""Lookups of tokens in the store, where strangers do not delay those who are known."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TypeVar

from arena.errors import ArenaError, Kind

T = TypeVar("T")

# Lookups of unknown tokens that may wait for each other, one or two seconds of them.
STRANGERS = 1024
# Lookups of one token at a time.
ONE_TOKEN = 64
REMEMBERED = 4096

TOO_MANY = "Too many calls with unknown tokens arrive at the moment; try again in a minute."
TOO_MANY_OF_ONE = (
    f"More than {ONE_TOKEN} calls with your token arrive at once; make them one after another."
)


class Lookups:
    """Runs lookups in threads: those of tokens that were valid the last time in asyncio's, those
    of all others one after another in a thread of their own, so that tokens made up by the
    thousand hold up nobody who has a real one."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()  # the latest last
        self._running: Counter[bytes] = Counter()
        self._waiting = 0  # of strangers
        self._for_strangers = ThreadPoolExecutor(1, "strangers")

    async def find(self, token: str, find: Callable[[], T]) -> T:
        """Returns what `find` returns. Raises what it raises, which means that the token is not
        valid, and ArenaError if too many are being looked up."""
        key = sha256(token.encode(errors="replace")).digest()
        if self._running[key] >= ONE_TOKEN:
            raise ArenaError(Kind.TOO_MANY, TOO_MANY_OF_ONE)
        self._running[key] += 1
        try:
            known = key in self._known
            found = await (asyncio.to_thread(find) if known else self._find_for_stranger(find))
        except Exception:
            self._known.pop(key, None)
            raise
        finally:
            self._running[key] -= 1
            if not self._running[key]:
                del self._running[key]
        self._remember(key)
        return found

    def _remember(self, key: bytes) -> None:
        self._known[key] = None
        self._known.move_to_end(key)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def _find_for_stranger(self, find: Callable[[], T]) -> T:
        if self._waiting >= STRANGERS:
            raise ArenaError(Kind.TOO_MANY, TOO_MANY)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._for_strangers, find)
        finally:
            self._waiting -= 1


LOOKUPS = Lookups()
"""The lookups of this process."""
