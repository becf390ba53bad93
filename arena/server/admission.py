"""Admission of calls to the league's service: authenticated callers only, within limits.

Callers are authenticated before anything else is awaited, so an unauthenticated caller ties up no
resources. A call with a single request gets its handler at once, not when the request arrives;
otherwise a caller who never sends it would occupy a slot for ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import grpc
import grpc.aio

from arena.errors import ArenaError, Kind
from arena.server.limits import ServerLimits
from arena.server.requests import Requests, check_texts, readable, tolerant
from arena.server.status import Context, refuse

Identify: TypeAlias = Callable[[Context], Awaitable[str]]
"""Returns the name in which a call is made. Raises ArenaError."""

SERVICE = "/sevens.league.v1.LeagueService/"


class Admission(grpc.aio.ServerInterceptor):
    """Guards the league's service; other services of the same server guard themselves."""

    def __init__(self, identify: Identify, limits: ServerLimits) -> None:
        self._identify = identify
        self._limits = limits
        self._calls: Counter[str] = Counter()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(details)
        if handler is None or handler.request_deserializer is None:
            return handler
        codecs = (tolerant(handler.request_deserializer), handler.response_serializer)
        if not details.method.startswith(SERVICE):
            return self._for_strangers(handler, codecs)
        if handler.response_streaming:
            work = self._guarded(
                handler.stream_stream or handler.unary_stream, one=not handler.request_streaming
            )
            return grpc.stream_stream_rpc_method_handler(work, *codecs)
        work = self._guarded(
            handler.stream_unary or handler.unary_unary, one=not handler.request_streaming
        )
        return grpc.stream_unary_rpc_method_handler(work, *codecs)

    def _for_strangers(self, handler: Any, codecs: tuple[Any, Any]) -> Any:
        """Returns the handler of a service whose callers need not be known here. None: it is not
        offered, because a stranger could hold it open with a single request."""
        if handler.unary_stream is not None:
            return None
        if handler.unary_unary is not None:
            work = self._answering_strangers(handler.unary_unary)
            return grpc.stream_unary_rpc_method_handler(work, *codecs)
        work = _refusing(handler.stream_stream)
        return grpc.stream_stream_rpc_method_handler(work, *codecs)

    def _guarded(self, work: Any, *, one: bool) -> Callable[[Requests, Context], Awaitable[Any]]:
        """Returns the work, done for admitted callers. `one`: it takes a request, not a stream."""

        async def answer(requests: Requests, context: Context) -> Any:
            try:
                caller = await self._identify(context)
                with self._slot(caller):
                    read = readable(requests, context.peer())
                    return await work(await self._first(read) if one else read, context)
            except ArenaError as refusal:
                await refuse(context, refusal)

        return answer

    def _answering_strangers(self, work: Any) -> Callable[[Requests, Context], Awaitable[Any]]:
        """Returns the work on one request of a caller who need not be known."""

        async def answer(requests: Requests, context: Context) -> Any:
            try:
                return await work(await self._first(readable(requests, context.peer())), context)
            except ArenaError as refusal:
                await refuse(context, refusal)

        return answer

    @contextmanager
    def _slot(self, caller: str) -> Iterator[None]:
        limits = self._limits
        if self._calls[caller] >= limits.calls_a_caller:
            raise ArenaError(
                Kind.TOO_MANY, f"You have {limits.calls_a_caller} calls open; wait for one to end."
            )
        if self._calls.total() >= limits.calls:
            raise ArenaError(
                Kind.TOO_MANY, "The server is busy with other calls; try again in a minute."
            )
        self._calls[caller] += 1
        try:
            yield
        finally:
            self._calls[caller] -= 1

    async def _first(self, requests: Requests) -> Any:
        try:
            async with asyncio.timeout(self._limits.silence_s):
                request = await anext(requests, None)
        except TimeoutError:
            raise ArenaError(
                Kind.TOO_SLOW, f"No request arrived within {self._limits.silence_s:g} seconds."
            ) from None
        if request is None:
            raise ArenaError(Kind.WRONG_INPUT, "The call has no request.")
        check_texts(request)
        return request


def _refusing(work: Any) -> Callable[[Requests, Context], Awaitable[Any]]:
    """Returns the work of a service that guards itself, for requests that can be read."""

    async def answer(requests: Requests, context: Context) -> Any:
        try:
            return await work(readable(requests, context.peer()), context)
        except ArenaError as refusal:
            await refuse(context, refusal)

    return answer
