"""/healthz and /readyz, of pages without an arena and of an arena whose league answers or hangs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import arena.web.door
import arena.web.health as health
from arena.hosting.door import door
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.views.condition import AT_THE_DOOR, Part, PartName, condition_of
from arena.web.app import Site, pages_app
from tests.support.new_store import new_store

LEAGUE = Part(part=PartName.LEAGUE, ok=True, sentence="It looked.")
LEFT_ALONE = Part(part=PartName.WORKERS, ok=False, sentence="Nobody works.")


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def store(data: DataFolder) -> Iterator[Store]:
    store = new_store(data.path)
    yield store
    store.close()


def parts(answer: httpx.Response) -> dict[str, tuple[bool, str]]:
    return {one["part"]: (one["ok"], one["sentence"]) for one in answer.json()["parts"]}


async def got(path: str, store: Store, data: DataFolder) -> httpx.Response:
    """Returns the answer of the pages of a data folder."""
    transport = httpx.ASGITransport(pages_app(Site(data, store)))
    async with httpx.AsyncClient(base_url="http://pages", transport=transport) as client:
        return await client.get(path)


async def test_pages_without_an_arena_are_alive_and_not_ready(
    store: Store, data: DataFolder
) -> None:
    alive = await got("/healthz", store, data)
    assert (alive.status_code, alive.text) == (200, "ok\n")
    ready = await got("/readyz", store, data)
    assert ready.status_code == 503
    found = parts(ready)
    assert found["store"][0]
    assert found["disk"][0]
    assert found["league"] == (
        False,
        "No arena runs on this data folder: start it with `arena serve`.",
    )
    without = await got("/readyz?exclude=league", store, data)
    assert (without.status_code, set(parts(without))) == (200, {"store", "disk"})
    wrong = await got("/readyz?exclude=leauge", store, data)
    assert wrong.status_code == 400
    assert "Did you mean league?" in wrong.text


async def test_a_full_disk_and_a_store_that_cannot_be_read_are_named(
    store: Store, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 1 << 60)
    with store.writing() as session:
        session.execute(sa.text("DROP TABLE alembic_version"))
    answer = await got("/readyz?exclude=league", store, data)
    found = parts(answer)
    assert (answer.status_code, found["disk"][0]) == (503, False)
    assert found["store"] == (False, "The store cannot be read.")


async def test_a_store_that_hangs_is_named_and_takes_one_thread(
    store: Store, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, looks = threading.Event(), []

    def hangs(store: Store) -> Part:
        looks.append(store)
        go_on.wait()
        return Part(part=PartName.STORE, ok=True, sentence="It can be read.")

    monkeypatch.setattr(health, "_store", hangs)
    monkeypatch.setattr(health, "ANSWER_WITHIN_S", 0.2)
    watched = health.Health(Site(data, store))
    for _ in range(3):
        [found] = [one for one in (await watched.look()).parts if one.part is PartName.STORE]
        assert (found.ok, found.sentence) == (False, "No answer within 0.2 seconds.")
    assert len(looks) == 1
    go_on.set()


async def asked(
    path: str,
    store: Store,
    data: DataFolder,
    answer: Any,
    over: Callable[[], None] = lambda: None,
) -> httpx.Response:
    """Returns the answer of the pages of an arena whose league answers so. `over`: called then."""
    socket = data.path.parent / "door.sock"
    with data.hold() as hold:
        hold.announce("unix:///nowhere", door=f"unix:{socket}")
        async with door(data, store, socket, [Route(AT_THE_DOOR, answer)]):
            answered = await got(path, store, data)
            over()
    socket.unlink()
    return answered


async def test_the_league_speaks_for_the_parts_that_it_sees(store: Store, data: DataFolder) -> None:
    async def answer(request: Request) -> Response:
        return Response(condition_of((LEAGUE, LEFT_ALONE)).model_dump_json())

    ready = await asked("/readyz", store, data, answer)
    assert ready.status_code == 503
    assert parts(ready)["workers"] == (False, "Nobody works.")
    ready = await asked("/readyz?exclude=workers", store, data, answer)
    assert ready.status_code == 200
    assert parts(ready)["league"] == (True, "It looked.")


async def test_a_league_that_gives_no_answer_is_named(
    store: Store, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = asyncio.Event()

    async def answer(request: Request) -> Response:
        await over.wait()
        return Response()

    monkeypatch.setattr(arena.web.door, "ANSWER_WITHIN_S", 0.5)
    found = await asked("/readyz", store, data, answer, over.set)
    assert found.status_code == 503
    assert "the league, gives no answer" in parts(found)["league"][1]
    assert "queue" not in parts(found)
