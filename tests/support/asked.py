"""An arena in this process that is asked by HTTP, at the pages' address and at its door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.client.folder_access import opened_to_read
from arena.client.http_arena import opened
from arena.errors import ArenaError
from arena.hosting.door import DOOR, door
from arena.operations.operation import Answer, Given, Operation
from arena.store.data_folder import DataFolder
from arena.store.schema import Role
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.web.app import Site, pages_app
from arena.web.http import listening_at, served


class Asker:
    """Somebody who asks the arena at an address, by HTTP."""

    def __init__(self, server: str, headers: Mapping[str, str]) -> None:
        self.server = server
        self.headers = headers

    async def ask(
        self,
        operation: Operation[Given, Answer],
        *positional: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        def asked() -> Answer:
            with opened(self.server, self.headers) as arena:
                vars(arena)["_is_known"] = True  # the arena is to refuse it, not the client
                return arena.ask(operation, *positional, **named)

        return await asyncio.to_thread(asked)

    async def refused(
        self,
        operation: Operation[Given, Answer],
        *positional: Given.args,
        **named: Given.kwargs,
    ) -> ArenaError:
        """Asks for what is refused."""
        try:
            answer = await self.ask(operation, *positional, **named)
        except ArenaError as error:
            return error
        raise AssertionError(f"not refused: {answer}")


@dataclass
class Asked:
    """An arena that runs. `address`: of its pages. `door`: for those who may enter the folder."""

    store: Store
    data: DataFolder
    address: str
    door: str

    def asker(self, owner: str = "", role: Role = Role.OWNER) -> Asker:
        """Returns somebody with a token who asks by HTTP; a visitor if they have no name."""
        if not owner:
            return Asker(self.address, {})
        with self.store.writing() as session:
            _, text = create_token(session, owner, role)
        return Asker(self.address, {"authorization": f"Bearer {text}"})

    def local(self) -> Asker:
        """Returns somebody who may enter the data folder, and asks at its door."""
        return Asker(self.door, {})


@asynccontextmanager
async def asked_arena(
    store: Store,
    data: DataFolder,
    sockets: Path,
    only: Collection[str] | None = None,
    **others: Any,
) -> AsyncIterator[Asked]:
    """Answers at both addresses while the context lasts, and holds the data folder. It runs the
    competitions `only`; None: all of them. `others`: fields of Holder that it announces."""
    path = sockets / DOOR
    asked = Asked(store, data, "", f"unix:{path}")
    with (
        data.hold() as hold,
        listening_at("127.0.0.1", 0, "web") as pages,
        opened_to_read(data.path) as own,
    ):
        hold.announce("unix:///nowhere", only, door=asked.door, **others)
        host, port = pages.getsockname()
        asked.address = f"{host}:{port}"
        async with door(data, store, path), served(pages_app(Site(data, own)), pages):
            yield asked
