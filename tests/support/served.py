"""A server in this process, with a temporary store, and its callers."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from arena.bots.remote.remote_gateway import RemoteGateway
from arena.bots.source.archive import pack
from arena.bots.source.files import digest, list_content
from arena.store.schema import Role
from arena.store.tokens import create_token
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitOutcome, SubmitRequest, SubmitResponse
from tests.support.asked import Asked

SAMPLES = Path(__file__).parents[2] / "sample_bots"
FIELD = "sevens-field"
CHUNK_BYTES = 64 * 1024


def archive_of(folder: Path) -> bytes:
    file = io.BytesIO()
    pack(list_content(folder), file)
    return file.getvalue()


def version_of(folder: Path) -> str:
    return digest(list_content(folder))


def head(content: bytes, ladder: str = "main", version: str = "") -> SubmitRequest:
    return SubmitRequest(
        head=SubmitHead(ladder=ladder, version=version, archive_bytes=len(content))
    )


def chunks(content: bytes) -> Iterable[SubmitRequest]:
    for i in range(0, len(content), CHUNK_BYTES):
        yield SubmitRequest(chunk=content[i : i + CHUNK_BYTES])


@dataclass(frozen=True)
class Refused:
    """The status of a failed call."""

    code: grpc.StatusCode
    sentence: str
    field: str


def refusal_of(error: Any) -> Refused:
    field = dict(error.trailing_metadata()).get(FIELD, "")
    return Refused(error.code(), error.details() or "", str(field))


class Person:
    """Somebody who calls the server, with a token or without."""

    def __init__(self, stub: Any, token: str | None, blocking: Any = None) -> None:
        self.stub = stub
        self.blocking = blocking
        self.metadata: tuple[tuple[str, str], ...] = ()
        if token is not None:
            self.metadata = (("authorization", f"Bearer {token}"),)

    async def call(self, name: str, request: object) -> Any:
        return await getattr(self.stub, name)(request, metadata=self.metadata)

    async def refused(self, name: str, request: object) -> Refused:
        """Makes a call that fails."""
        try:
            answer = await self.call(name, request)
        except grpc.aio.AioRpcError as error:
            return refusal_of(error)
        raise AssertionError(f"not refused: {answer}")

    async def submits(self, content: bytes, ladder: str = "main") -> SubmitOutcome:
        *_, last = await self.submitted(self.parts(content, ladder))
        return last.outcome

    async def submits_in_vain(self, content: bytes, ladder: str = "main") -> Refused:
        return await self.refused_submission(self.parts(content, ladder))

    async def submitted(self, parts: AsyncIterator[SubmitRequest]) -> list[SubmitResponse]:
        """Makes a submission, and returns all that happens. Not by grpc.aio, which puts a status of
        its own in the place of one that arrives while it sends."""
        loop = asyncio.get_running_loop()
        call = self.blocking.Submit(_in_thread(parts, loop), metadata=self.metadata)
        try:
            return await asyncio.to_thread(list, call)
        finally:
            call.cancel()

    async def refused_submission(self, parts: AsyncIterator[SubmitRequest]) -> Refused:
        """Makes a submission that fails."""
        try:
            events = await self.submitted(parts)
        except grpc.RpcError as error:
            return refusal_of(error)
        raise AssertionError(f"not refused: {events}")

    async def parts(self, content: bytes, ladder: str = "main") -> AsyncIterator[SubmitRequest]:
        yield head(content, ladder)
        for chunk in chunks(content):
            yield chunk

    async def slowly(self, content: bytes, pause_s: float) -> AsyncIterator[SubmitRequest]:
        """Yields the same as `parts`, a tenth of the archive at a time."""
        yield head(content)
        step = len(content) // 10 + 1
        for i in range(0, len(content), step):
            await asyncio.sleep(pause_s)
            yield SubmitRequest(chunk=content[i : i + step])


def _in_thread(
    parts: AsyncIterator[SubmitRequest], loop: asyncio.AbstractEventLoop
) -> Iterator[SubmitRequest]:
    """Yields the same in another thread than that of the event loop."""
    while True:
        part = asyncio.run_coroutine_threadsafe(_next(parts), loop).result()
        if part is None:
            return
        yield part


async def _next(parts: AsyncIterator[SubmitRequest]) -> SubmitRequest | None:
    return await anext(parts, None)


class Served(Asked):
    """A running server: also asked by gRPC. `socket`: for callers who may enter the data folder."""

    def __init__(
        self, asked: Asked, grpc_address: str, socket: Path, gateway: RemoteGateway
    ) -> None:
        super().__init__(asked.store, asked.data, asked.address, asked.door)
        self.gateway = gateway
        self.grpc = grpc_address
        self.socket = socket
        self._channel = grpc.aio.insecure_channel(self.grpc)
        self.stub = LeagueServiceStub(self._channel)
        self._blocking = grpc.insecure_channel(self.grpc)
        self.blocking = LeagueServiceStub(self._blocking)

    def person(self, owner: str, role: Role = Role.OWNER) -> Person:
        """Returns somebody with a token."""
        with self.store.writing() as session:
            return Person(self.stub, create_token(session, owner, role)[1], self.blocking)

    def stranger(self, token: str | None) -> Person:
        """Returns somebody with such a token, or none."""
        return Person(self.stub, token, self.blocking)

    def kept(self) -> list[str]:
        """Returns the contents of versions/, and any temporary files next to it."""
        places = [*self.data.versions.glob("*"), *self.data.path.glob("incoming-*")]
        return sorted(place.name for place in places)

    async def close(self) -> None:
        await self._channel.close()
        self._blocking.close()


Serve = Callable[..., AbstractAsyncContextManager[Served]]
