"""How often logging in may be tried, from each address and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from time import monotonic

AN_ADDRESS, IN_ALL = 10, 300
WINDOW_S = 60.0


class Attempts:
    """Counts the attempts of a minute, and remembers no more addresses than it allows attempts."""

    def __init__(
        self,
        an_address: int = AN_ADDRESS,
        in_all: int = IN_ALL,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._an_address = an_address
        self._in_all = in_all
        self._clock = clock
        self._lock = Lock()
        self._begun = clock()
        self._made: Counter[str] = Counter()

    def admit(self, network: str) -> bool:
        """Returns whether one more attempt is allowed from a network now, and counts it if so."""
        with self._lock:
            if self._clock() - self._begun >= WINDOW_S:
                self._begun = self._clock()
                self._made.clear()
            if self._made.get(network, 0) >= self._an_address or self._made.total() >= self._in_all:
                return False
            self._made[network] += 1
            return True
