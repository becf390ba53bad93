"""When an endless task must end."""

from __future__ import annotations

import asyncio


def must_end() -> bool:
    """Whether the running task has been cancelled, be it that the cancellation was swallowed: in
    Python 3.11 `asyncio.wait_for`, which redis-py uses, can do so (python/cpython#86296)."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
