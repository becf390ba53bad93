"""The time, for code that runs on an event loop.

`asyncio.sleep`, `asyncio.timeout` and `call_later` all ask their loop for the time. Code that reads
the time asks it too, so that a test has one clock to set: its loop's.
"""

from asyncio import get_running_loop


def monotonic() -> float:
    """Returns the time of the running event loop in seconds, which is `time.monotonic()` unless a
    test has set it."""
    return get_running_loop().time()
