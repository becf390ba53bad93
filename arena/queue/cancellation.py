"""Detects cancellations that an awaited call swallowed.

In Python 3.11 `asyncio.wait_for`, which redis-py uses, can swallow a cancellation
(python/cpython#86296), so code that awaits an answer of Redis has to check.
"""

from __future__ import annotations

import asyncio


def cancellations() -> int:
    """Returns the number of times that the running task has been cancelled."""
    task = asyncio.current_task()
    return task.cancelling() if task is not None else 0


def raise_swallowed(before: int) -> None:
    """Raises CancelledError if the running task has been cancelled since `cancellations()` returned
    `before`."""
    if cancellations() > before:
        raise asyncio.CancelledError from None
