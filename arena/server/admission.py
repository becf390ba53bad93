"""Calls of the league's service are let in: known callers only, so many at once, so many of each.

Who calls is found out before anything else is waited for, so that strangers hold nothing. A call
of one request gets its handler at once, too, and not only when the request is there: otherwise a
caller who never sends it would hold his place for ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import grpc
import grpc.aio

from arena.server.errors import Refusal, exhausted, refuse, wrong
from arena.server.limits import Bounds

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Requests: TypeAlias = AsyncIterator[Any]
Identify: TypeAlias = Callable[[Context], Awaitable[str]]
"""Returns in whose name a call is made. Raises Refusal."""

SERVICE = "/sevens.league.v1.LeagueService/"


class Admission(grpc.aio.ServerInterceptor):
    """Stands before the league's service; other services on the same server see to themselves."""

    def __init__(self, identify: Identify, bounds: Bounds) -> None:
        self._identify = identify
        self._bounds = bounds
        self._calls: Counter[str] = Counter()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(details)
        if handler is None or not details.method.startswith(SERVICE):
            return handler
        made_of = (handler.request_deserializer, handler.response_serializer)
        if handler.response_streaming:
            work = self._guarded(handler.unary_stream, one=True)
            return grpc.stream_stream_rpc_method_handler(work, *made_of)
        work = self._guarded(
            handler.stream_unary or handler.unary_unary, one=not handler.request_streaming
        )
        return grpc.stream_unary_rpc_method_handler(work, *made_of)

    def _guarded(self, work: Any, *, one: bool) -> Callable[[Requests, Context], Awaitable[Any]]:
        """The work, done for whoever is let in. `one`: it takes a request, not an iterator."""

        async def answer(requests: Requests, context: Context) -> Any:
            try:
                caller = await self._identify(context)
                with self._place(caller):
                    return await work(await self._first(requests) if one else requests, context)
            except Refusal as refusal:
                await refuse(context, refusal)

        return answer

    @contextmanager
    def _place(self, caller: str) -> Iterator[None]:
        bounds = self._bounds
        if self._calls[caller] >= bounds.calls_a_caller:
            raise exhausted(f"You have {bounds.calls_a_caller} calls open; wait for one to end.")
        if self._calls.total() >= bounds.calls:
            raise exhausted("Many others call just now; try again in a minute.")
        self._calls[caller] += 1
        try:
            yield
        finally:
            self._calls[caller] -= 1

    async def _first(self, requests: Requests) -> Any:
        try:
            async with asyncio.timeout(self._bounds.silence_s):
                request = await anext(requests, None)
        except TimeoutError:
            raise Refusal(
                grpc.StatusCode.DEADLINE_EXCEEDED,
                f"No request came within {self._bounds.silence_s:g} seconds.",
            ) from None
        if request is None:
            raise wrong("The call has no request.", "")
        return request
