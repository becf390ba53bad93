"""Cancellations that an awaited call swallowed."""

from __future__ import annotations

import asyncio


def cancellations() -> int:
    """Returns how often the running task has been cancelled.

    In Python 3.11 `asyncio.wait_for`, which redis-py uses, can swallow a cancellation
    (python/cpython#86296), so a loop around the queue has to ask.
    """
    task = asyncio.current_task()
    return task.cancelling() if task is not None else 0
