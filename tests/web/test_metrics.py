"""The readers of /metrics, and the answer of pages without a league."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from arena.store.data_folder import DataFolder
from arena.store.schema import Role
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.web import Settings
from arena.web.app import Site, pages_app
from tests.support.new_store import new_store

HERE, ELSEWHERE = "127.0.0.1", "203.0.113.7"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path / "data")
    yield store
    store.close()


async def asked(
    store: Store, client: str, headers: dict[str, str] | None = None, origin: str = ""
) -> httpx.Response:
    """Returns what a program at an address is answered."""
    folder = DataFolder(Path(str(store.engine.url.database).removeprefix("file:")).parent)
    app = pages_app(Site(folder, store, Settings(origin=origin)))
    transport = httpx.ASGITransport(app, client=(client, 7))
    async with httpx.AsyncClient(base_url="http://pages", transport=transport) as asking:
        return await asking.get("/metrics", headers=headers)


async def test_programs_of_this_machine_read_them_without_a_token(store: Store) -> None:
    for client in (HERE, "::1"):
        answer = await asked(store, client)
        assert answer.status_code == 200
        assert "sevens_up 0.0" in answer.text
        assert "sevens_event_streams 0.0" in answer.text


@pytest.mark.parametrize(
    ("client", "headers", "origin"),
    [
        (ELSEWHERE, {}, ""),
        (HERE, {"X-Forwarded-For": ELSEWHERE}, ""),
        (HERE, {}, "https://arena.example"),
    ],
)
async def test_all_others_need_a_token_of_an_organiser_or_reader(
    store: Store, client: str, headers: dict[str, str], origin: str
) -> None:
    answer = await asked(store, client, headers, origin)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    allowed = {Role.ORGANISER: 200, Role.READER: 200, Role.OWNER: 403, Role.WORKER: 403}
    for role, status in allowed.items():
        with store.writing() as session:
            _, token = create_token(session, "Ann", role)
        bearer = {"Authorization": f"Bearer {token}"}
        assert (await asked(store, client, headers | bearer, origin)).status_code == status
