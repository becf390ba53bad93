"""A server in this process, with a temporary store, and its callers."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from arena.bots.remote.remote_gateway import RemoteGateway
from arena.bots.source.archive import pack
from arena.bots.source.files import digest, list_content
from arena.store.data_folder import DataFolder
from arena.store.schema import Role
from arena.store.session import Store
from arena.store.tokens import create_token
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest, SubmitResponse

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


class Person:
    """Somebody who calls the server, with a token or without."""

    def __init__(self, stub: Any, token: str | None) -> None:
        self.stub = stub
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
            field = dict(error.trailing_metadata()).get(FIELD, "")
            return Refused(error.code(), error.details() or "", str(field))
        raise AssertionError(f"not refused: {answer}")

    async def submits(self, content: bytes, ladder: str = "main") -> SubmitResponse:
        response: SubmitResponse = await self.call("Submit", self.parts(content, ladder))
        return response

    async def submits_in_vain(self, content: bytes, ladder: str = "main") -> Refused:
        return await self.refused("Submit", self.parts(content, ladder))

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


class Served:
    """A running server. `socket`: the address for callers who may enter the data folder."""

    def __init__(
        self, store: Store, data: DataFolder, port: int, socket: Path, gateway: RemoteGateway
    ) -> None:
        self.gateway = gateway
        self.address = f"127.0.0.1:{port}"
        self.store = store
        self.data = data
        self.socket = socket
        self._channel = grpc.aio.insecure_channel(self.address)
        self.stub = LeagueServiceStub(self._channel)

    def person(self, owner: str, role: Role = Role.OWNER) -> Person:
        """Returns somebody with a token."""
        with self.store.writing() as session:
            return Person(self.stub, create_token(session, owner, role)[1])

    def stranger(self, token: str | None) -> Person:
        """Returns somebody with such a token, or none."""
        return Person(self.stub, token)

    def kept(self) -> list[str]:
        """Returns the contents of versions/, and any temporary files next to it."""
        places = [*self.data.versions.glob("*"), *self.data.path.glob("incoming-*")]
        return sorted(place.name for place in places)

    async def close(self) -> None:
        await self._channel.close()


Serve = Callable[..., AbstractAsyncContextManager[Served]]
