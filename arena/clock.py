"""The time, for code that runs on an event loop, or in a thread for one.

`asyncio.sleep`, `asyncio.timeout` and `call_later` all ask their loop for the time. Code that reads
the time asks it too, so that a test has one clock to set: its loop's.
"""

import time
from asyncio import get_running_loop


def monotonic() -> float:
    """Returns the time of the running event loop in seconds, which is `time.monotonic()` unless a
    test has set it; in a thread without a loop, `time.monotonic()`."""
    try:
        loop = get_running_loop()
    except RuntimeError:
        return time.monotonic()
    return loop.time()
