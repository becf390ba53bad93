"""The door of a data folder: programs that may enter the folder reach its arena by HTTP, at a Unix
socket. The pages are among them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.web.http import served

DOOR = "door.sock"


@asynccontextmanager
async def door(
    folder: DataFolder, store: Store, path: Path, routes: Sequence[Route] = ()
) -> AsyncIterator[None]:
    """Answers at a Unix socket for as long as the context lasts. `routes`: besides the
    operations."""
    app = Starlette(routes=[*routes, Mount("/api", _Operations(folder, store))])
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        async with served(app, listener):
            yield


class _Operations:
    """The operations of an arena, loaded at the first request: a start would take a third longer
    with them, and matches go on meanwhile."""

    def __init__(self, folder: DataFolder, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._app: ASGIApp | None = None
        self._loading = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._loading:
            if self._app is None:
                self._app = await asyncio.to_thread(self._loaded)
        await self._app(scope, receive, send)

    def _loaded(self) -> ASGIApp:
        from arena.hosting.door_operations import operations_app

        return operations_app(self._folder, self._store)
