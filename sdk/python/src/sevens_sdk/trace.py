"""Tracebacks without the frames of the SDK: an error in a bot begins in the bot's own file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from types import TracebackType

# The modules that call the bot's code; the others are called by it.
CALLERS = {
    str(Path(__file__).with_name(f"{name}.py"))
    for name in ("run", "interrupt", "sync", "aio", "session")
}


def hide_own_frames() -> None:
    """Leaves the SDK's frames, and those of what it runs on, out of the traceback that ends the
    program, unless the program prints its tracebacks itself."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = print_error


def print_error(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Prints an error that nobody has caught, as Python does."""
    if sys.stderr is None:
        return
    whole = TracebackException(kind, error, traceback)
    for part in chain(whole):
        part.stack = StackSummary.from_list(without_sdk(part.stack))
    print("".join(whole.format()), end="", file=sys.stderr, flush=True)


def chain(error: TracebackException) -> Iterator[TracebackException]:
    """Yields an error, its causes and contexts, and those in its group."""
    waiting = [error]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [one for one in (part.__cause__, part.__context__) if one is not None]
        waiting += part.exceptions or []


def without_sdk(stack: StackSummary) -> list[FrameSummary]:
    """Returns the frames of the bot's code, once the SDK has called it. If there are none, the SDK
    has raised the error: on purpose, then those before its first; else all of them."""
    callers = [i for i, frame in enumerate(stack) if frame.filename in CALLERS]
    if not callers:
        return stack
    if callers[-1] + 1 < len(stack):
        return stack[callers[-1] + 1 :]
    on_purpose = (stack[-1].line or "").startswith("raise ")
    return stack[: callers[0]] if on_purpose else stack
