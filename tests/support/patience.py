"""How tests wait for what must happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 120.0  # where all cores are busy, a server may take half of it to start


def until(
    happened: Callable[[], T | None],
    what: str,
    patience_s: float = PATIENCE_S,
    said: Callable[[], str] = str,
) -> T:
    """Asks until an answer is true, and returns it.

    `what`: what is waited for, in words. `said`: what to show if it is in vain, such as a log.
    """
    give_up_at = time.monotonic() + patience_s
    while not (answer := happened()):
        assert time.monotonic() < give_up_at, f"in vain: {what}\n{said()}"
        time.sleep(0.05)
    return answer
