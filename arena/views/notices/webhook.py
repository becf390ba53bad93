"""Webhooks, without their secrets."""

from __future__ import annotations

from arena.views.view import Moment, View


class Webhook(View):
    """An address to which news are sent.

    `kinds`: of the news that are sent; all if empty.
    `after`: the number of the last news that were sent, or given up.
    `attempts`: how often the next have been tried in vain. `retry_at`: when they are tried again;
      None: nothing waits for that.
    `trouble`: the reason why the last attempt failed, a sentence; empty if it succeeded.
    """

    name: str
    url: str
    kinds: tuple[str, ...]
    created_at: Moment
    after: int
    attempts: int
    retry_at: Moment | None
    trouble: str


class Webhooks(View):
    """The webhooks, by name."""

    webhooks: tuple[Webhook, ...]


class NewWebhook(View):
    """A new webhook with the secret that signs what it is sent; only this answer has it."""

    webhook: Webhook
    secret: str


class RemovedWebhook(View):
    """A webhook that has been removed."""

    name: str


class TriedWebhook(View):
    """An attempt to send something. `trouble`: the reason why it failed, a sentence; empty if it
    was accepted."""

    name: str
    trouble: str


class Trial(View):
    """The document that tries a webhook. `number`: 0, which no news have."""

    number: int = 0
    at: Moment
    kind: str = "trial"
    sentence: str = "This is a trial of the webhook."
