"""Webhooks: added, tried and removed by organisers, who may name any address, also one of their own
network."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

import httpx
import sqlalchemy as sa
from pydantic import Field

from arena.errors import ArenaError, Kind
from arena.operations.caller import ORGANISERS
from arena.operations.operation import Changing, Reading, Text, changes, reads
from arena.signed_post import signed_post
from arena.store import schema
from arena.store.notices.webhooks import all_webhooks, last_news, webhook_named
from arena.store.schema import NewsKind, now
from arena.views.notices.webhook import (
    NewWebhook,
    RemovedWebhook,
    Trial,
    TriedWebhook,
    Webhook,
    Webhooks,
)
from arena.views.view import canonical_json

PREFIX = "whs_"
SECRET_BYTES = 32
MOST_WEBHOOKS = 20
LONGEST_NAME, LONGEST_URL = 63, 2000

Kinds = Annotated[tuple[NewsKind, ...], Field(max_length=len(NewsKind))]


@reads("/webhooks", ORGANISERS)
def list_webhooks(asked: Reading) -> Webhooks:
    """All webhooks, by name, without their secrets."""
    return Webhooks(webhooks=tuple(map(Webhook.model_validate, all_webhooks(asked.session))))


@changes("POST", "/webhooks", ORGANISERS)
def add_webhook(
    call: Changing,
    name: Annotated[Text, Field(min_length=1, max_length=LONGEST_NAME)],
    url: Annotated[str, Field(max_length=LONGEST_URL)],
    kinds: Kinds = (),
) -> NewWebhook:
    """Send the news of these kinds to an address, from now on; all kinds if none is given. Each is
    a JSON document, signed with the secret that only this answer has."""
    _check_url(url)
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    with call.store.writing() as session:
        if session.get(schema.Webhook, name) is not None:
            raise ArenaError(Kind.TAKEN, f"There is a webhook {name} already.", "name")
        if session.scalar(sa.select(sa.func.count(schema.Webhook.name))) == MOST_WEBHOOKS:
            raise ArenaError(
                Kind.NOT_NOW, f"There are {MOST_WEBHOOKS} webhooks: remove one first.", "name"
            )
        chosen = list(dict.fromkeys(kinds))
        after = last_news(session)
        row = schema.Webhook(name=name, url=url, secret=secret, kinds=chosen, after=after)
        session.add(row)
        session.flush()
        return NewWebhook(webhook=Webhook.model_validate(row), secret=secret)


@changes("DELETE", "/webhooks/{name}", ORGANISERS)
def remove_webhook(call: Changing, name: Text) -> RemovedWebhook:
    """Send nothing more to an address."""
    with call.store.writing() as session:
        session.delete(webhook_named(session, name))
    return RemovedWebhook(name=name)


@changes("POST", "/webhooks/{name}/trial", ORGANISERS)
def try_webhook(call: Changing, name: Text) -> TriedWebhook:
    """Send a trial to an address, once, and say whether it was accepted."""
    with call.store.reading() as session:
        hook = webhook_named(session, name)
        url, secret = hook.url, hook.secret
    body = canonical_json(Trial(at=now())).encode()
    return TriedWebhook(name=name, trouble=asyncio.run(signed_post(url, body, secret)))


def _check_url(url: str) -> None:
    """Raises ArenaError."""
    try:
        parts = httpx.URL(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.host) and " " not in url
    except (httpx.InvalidURL, ValueError):
        is_good = False
    if not is_good:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A webhook's address is a URL such as https://example.org/hook, not {url!r}.",
            "url",
        )
