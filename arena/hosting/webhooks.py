"""Sends news to webhooks. What is due and what was sent is in the store, so that a restart loses
nothing; each webhook waits for its own address only."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import OperationalError

from arena.disk import DiskFull
from arena.signed_post import signed_post
from arena.store.notices import webhooks
from arena.store.schema import News, Webhook
from arena.store.session import Store
from arena.views.notices.news import OneNews
from arena.views.view import canonical_json

log = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0


async def keep_sending(store: Store) -> None:
    """Sends until cancelled."""
    under_way: dict[str, asyncio.Task[None]] = {}
    async with asyncio.TaskGroup() as group:
        while True:
            # Asked before the store is: what is sent meanwhile would be found once more.
            busy = {name for name, task in under_way.items() if not task.done()}
            for hook, news in await asyncio.to_thread(_due, store):
                if hook.name not in busy:
                    under_way[hook.name] = group.create_task(_send(store, hook, news))
            await asyncio.sleep(LOOK_EVERY_S)


def _due(store: Store) -> list[tuple[Webhook, News]]:
    with store.reading() as session:
        found = webhooks.due(session)
        session.expunge_all()
        return found


async def _send(store: Store, hook: Webhook, news: News) -> None:
    body = canonical_json(OneNews.model_validate(news)).encode()
    trouble = await signed_post(hook.url, body, hook.secret)
    if trouble and trouble != hook.trouble:
        log.warning("the webhook %s was not sent news %d: %s", hook.name, news.number, trouble)
    try:
        await asyncio.to_thread(_settle, store, hook.name, news.number, trouble)
    except (DiskFull, OperationalError) as failure:  # it is sent again, with the same number
        log.warning("the webhook %s may be sent news %d twice: %s", hook.name, news.number, failure)


def _settle(store: Store, name: str, number: int, trouble: str) -> None:
    with store.writing() as session:
        webhooks.settle(session, name, number, trouble)
