"""The `arena` command, but its process dies, or is paused, at one exact point.

    python dying_arena.py POINT COUNT SIGNAL ARGUMENTS...

It sends itself the signal (KILL or STOP) when the point is reached for the COUNTth time. POINT
"nowhere" is never reached.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from arena.bots.process.process import Process
from arena.cli.app import main
from arena.league import recorder, scheduler
from arena.match.referee import Referee
from arena.queue.redis_queue import Lease, Queue
from arena.worker import version_cache, worker
from arena.worker.worker import Worker

# How long a worker asks for a version, and waits after a job that it leaves to others.
version_cache.PATIENCE_S, worker.STEP_BACK_S = 2.0, 1.0
scheduler.PUT_AGAIN_EVERY_S = 1.0  # requeues what Redis lost; usually every minute


class Death:
    """Sends the signal when the point is reached."""

    def __init__(self, count: int, number: signal.Signals) -> None:
        self.count = count
        self.number = number

    def __call__(self) -> None:
        self.count -= 1
        if self.count == 0:
            print(f"{self.number.name} at the point", file=sys.stderr, flush=True)
            os.kill(os.getpid(), self.number)


def before(owner: Any, name: str, death: Death, *, if_: Callable[..., bool] | None = None) -> None:
    real = getattr(owner, name)

    @functools.wraps(real)
    def dying(*arguments: Any, **named: Any) -> Any:
        if if_ is None or if_(*arguments):
            death()
        return real(*arguments, **named)

    setattr(owner, name, dying)


def after(owner: Any, name: str, death: Death) -> None:
    real = getattr(owner, name)

    @functools.wraps(real)
    def dying(*arguments: Any, **named: Any) -> Any:
        answer = real(*arguments, **named)
        death()
        return answer

    setattr(owner, name, dying)


def after_awaited(owner: Any, name: str, death: Death) -> None:
    real = getattr(owner, name)

    @functools.wraps(real)
    async def dying(*arguments: Any, **named: Any) -> Any:
        answer = await real(*arguments, **named)
        death()
        return answer

    # A class method is only called on its class, so a plain function can replace it.
    setattr(owner, name, dying)


def second_attempt(queue: Queue, lease: Lease, outcome: object) -> bool:
    return lease.attempt == 2


POINTS: dict[str, Callable[[Death], None]] = {
    "nowhere": lambda death: None,
    "leased": lambda death: before(Worker, "_work", death),
    "bots start": lambda death: after_awaited(Process, "start", death),
    "mid-match": lambda death: before(Referee, "seat_answered", death),
    "before the result": lambda death: before(Queue, "finish", death),
    "after the result": lambda death: after_awaited(Queue, "finish", death),
    "result of attempt 2": lambda death: before(Queue, "finish", death, if_=second_attempt),
    "row before stream": lambda death: before(Queue, "put", death),
    "before commit": lambda death: after(recorder, "rate_job", death),
    "after commit": lambda death: before(Queue, "acknowledge", death),
}

if __name__ == "__main__":
    point, count, number, *arguments = sys.argv[1:]
    POINTS[point](Death(int(count), signal.Signals[f"SIG{number}"]))
    main(arguments)
