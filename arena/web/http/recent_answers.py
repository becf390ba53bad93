"""Answers made a moment ago: all who watch the same page get the same bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock

from starlette.responses import Response

MOST_BYTES = 32_000_000


class RecentAnswers:
    """The latest answers by their keys, of at most so many bytes together.

    A key stands for all that an answer depends on. An answer awaited by many is made once.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._made: OrderedDict[Hashable, Response] = OrderedDict()
        self._bytes = 0
        self._being_made: dict[Hashable, Future[Response]] = {}

    def answer(self, key: Hashable, make: Callable[[], Response]) -> Response:
        """Returns a copy of the answer of that key, which `make` makes if there is none. Raises
        what `make` raises."""
        with self._lock:
            made, awaited = self._made.get(key), self._being_made.get(key)
            if made is not None:
                self._made.move_to_end(key)
            elif awaited is None:
                self._being_made[key] = Future()
        if made is None:
            made = self._make(key, make) if awaited is None else awaited.result()
        return _copy(made)

    def _make(self, key: Hashable, make: Callable[[], Response]) -> Response:
        try:
            made = make()
        except BaseException as failure:
            self._being_made.pop(key).set_exception(failure)
            raise
        with self._lock:
            self._made[key] = made
            self._bytes += len(made.body)
            while self._bytes > self._most_bytes:
                _, oldest = self._made.popitem(last=False)
                self._bytes -= len(oldest.body)
            awaiting = self._being_made.pop(key)
        awaiting.set_result(made)
        return made


def _copy(answer: Response) -> Response:
    """Returns the same answer, whose headers may be changed on its way out."""
    copy = Response(answer.body, answer.status_code)
    copy.raw_headers = list(answer.raw_headers)
    return copy
