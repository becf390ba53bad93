"""Webhooks: which news are due to which address, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.schema import News, Webhook, now

FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(hours=1)
"""Between two attempts to send the same news; each pause is twice the one before."""
TRIED_FOR = timedelta(days=1)


def all_webhooks(session: Session) -> Sequence[Webhook]:
    """Returns all webhooks, by name."""
    return session.scalars(sa.select(Webhook).order_by(Webhook.name)).all()


def webhook_named(session: Session, name: str) -> Webhook:
    """Returns a webhook. Raises ArenaError."""
    found = session.get(Webhook, name)
    if found is None:
        names = [one.name for one in all_webhooks(session)]
        raise ArenaError(Kind.NOT_FOUND, no_such("webhook", name, names), "name")
    return found


def last_news(session: Session) -> int:
    """Returns the number of the last news; 0 if there are none."""
    return session.scalar(sa.select(sa.func.max(News.number))) or 0


def due(session: Session) -> list[tuple[Webhook, News]]:
    """Returns the webhooks to which something is to be sent at this time, each with the first news
    that it lacks."""
    found = [(hook, _next(session, hook)) for hook in all_webhooks(session) if _may_try(hook)]
    return [(hook, news) for hook, news in found if news is not None]


def settle(session: Session, name: str, number: int, trouble: str) -> None:
    """Notes an attempt to send the news of that number. `trouble`: the reason if it failed, a
    sentence; then it is tried again after a pause, or given up if they are too old."""
    hook, news = session.get(Webhook, name), session.get_one(News, number)
    if hook is None or hook.after >= number:  # it was removed, or is another of the same name
        return
    hook.trouble = trouble
    if not trouble or now() >= news.at + TRIED_FOR:
        hook.after, hook.attempts, hook.retry_at = number, 0, None
        return
    hook.retry_at = now() + min(FIRST_PAUSE * 2 ** min(hook.attempts, 20), LONGEST_PAUSE)
    hook.attempts += 1


def _may_try(hook: Webhook) -> bool:
    return hook.retry_at is None or now() >= hook.retry_at


def _next(session: Session, hook: Webhook) -> News | None:
    query = sa.select(News).where(News.number > hook.after).order_by(News.number).limit(1)
    if hook.kinds:
        query = query.where(News.kind.in_(hook.kinds))
    return session.scalar(query)
