"""A running arena sends news to webhooks, in their order, until they are accepted."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from socket import create_server

import pytest

from arena import signed_post
from arena.hosting import webhooks as sending
from arena.store.notices import webhooks
from arena.store.notices.news import add_news
from arena.store.schema import News, NewsKind, Webhook, now
from arena.store.session import Store
from tests.support.new_store import new_store
from tests.support.news_receiver import Receiver, receiver
from tests.support.seats import until

SECRET = "whs_secret"
PARKED, OVER = NewsKind.JOB_PARKED, NewsKind.SEASON_OVER


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(sending, "LOOK_EVERY_S", 0.01)
    store = new_store(tmp_path / "data")
    yield store
    store.close()


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def add_hook(store: Store, name: str, url: str, *kinds: NewsKind) -> None:
    with store.writing() as session:
        session.add(Webhook(name=name, url=url, secret=SECRET, kinds=list(kinds), after=0))


def happen(store: Store, *kinds: NewsKind) -> None:
    for kind in kinds:
        with store.writing() as session:
            add_news(session, kind, f"It is {kind}.", competition="main")


def hook_in(store: Store, name: str) -> Webhook:
    with store.reading() as session:
        found = webhooks.webhook_named(session, name)
        session.expunge_all()
        return found


def numbers(there: Receiver) -> list[int]:
    return [json.loads(body)["number"] for _, _, body in there.received]


async def send_until(store: Store, is_enough: Callable[[], bool]) -> None:
    """Runs an arena's task, and stops it then."""
    task = asyncio.create_task(sending.keep_sending(store))
    try:
        await until(is_enough)
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_news_arrive_signed_in_their_order_and_each_hook_has_its_kinds(
    store: Store, there: Receiver
) -> None:
    add_hook(store, "all", f"{there.address}/all")
    add_hook(store, "some", f"{there.address}/some", OVER)
    happen(store, PARKED, OVER, PARKED)
    await send_until(store, lambda: len(there.received) == 4)
    for _, signature, body in there.received:
        wanted = hmac.new(SECRET.encode(), body, sha256).hexdigest()
        assert signature == f"sha256={wanted}"
    by_path: dict[str, list[tuple[int, str, str]]] = {path: [] for path, *_ in there.received}
    for path, _, body in there.received:
        document = json.loads(body)
        by_path[path].append((document["number"], document["kind"], document["sentence"]))
    parked, over = "It is job-parked.", "It is season-over."
    assert by_path == {
        "/all": [(1, "job-parked", parked), (2, "season-over", over), (3, "job-parked", parked)],
        "/some": [(2, "season-over", over)],
    }


async def test_what_was_refused_is_sent_again_after_a_restart_too(
    store: Store, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", timedelta(milliseconds=1))
    there.statuses = [500, 302, 429]
    add_hook(store, "hook", f"{there.address}/hook")
    happen(store, PARKED, OVER)
    await send_until(store, lambda: len(there.received) >= 2)
    await send_until(store, lambda: 2 in numbers(there))  # another arena, later
    assert numbers(there) == sorted(numbers(there))
    assert numbers(there).count(1) >= 4
    assert {path for path, *_ in there.received} == {"/hook"}  # no redirect is followed


async def test_an_address_that_does_not_answer_delays_no_other(
    store: Store, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with create_server(("127.0.0.1", 0)) as silent:
        add_hook(store, "silent", f"http://127.0.0.1:{silent.getsockname()[1]}/")
        add_hook(store, "there", f"{there.address}/")
        happen(store, PARKED, OVER, PARKED)
        await send_until(store, lambda: numbers(there) == [1, 2, 3])
        assert hook_in(store, "silent").after == 0
        monkeypatch.setattr(signed_post, "WITHIN_S", 0.01)
        await send_until(store, lambda: hook_in(store, "silent").trouble != "")
    hook = hook_in(store, "silent")
    assert hook.trouble == "It did not answer within 0.01 seconds."
    assert hook.attempts == 1
    assert hook.retry_at is not None


def test_pauses_grow_and_end_after_a_day(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add_hook(store, "hook", "http://127.0.0.1:1/")
    happen(store, PARKED)
    clock = [now()]
    monkeypatch.setattr(webhooks, "now", lambda: clock[-1])
    with store.writing() as session:
        hook, news = session.get_one(Webhook, "hook"), session.get_one(News, 1)
        news.at = clock[0]
        while hook.after == 0:
            assert [one.number for _, one in webhooks.due(session)] == [1]
            webhooks.settle(session, "hook", 1, "It answered with status 500.")
            if hook.retry_at is not None:
                assert webhooks.due(session) == []
                clock.append(hook.retry_at)
        assert hook.trouble == "It answered with status 500."
        assert (hook.retry_at, webhooks.due(session)) == (None, [])
    pauses = [(later - one).total_seconds() for one, later in pairwise(clock)]
    assert pauses[:4] == [10, 20, 40, 80]
    assert max(pauses) == 3600
    assert timedelta(days=1) <= clock[-1] - clock[0] < timedelta(days=1, hours=1)
