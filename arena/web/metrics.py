"""/metrics at the pages' address: what the league counts, and the event streams of the pages.

Programs of this machine may read it, unless a proxy may speak for others; all others need a token.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from ipaddress import ip_address

import httpx
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.operations.caller import VISITOR
from arena.store.data_folder import DataFolder
from arena.store.schema import Role
from arena.views.condition import METRICS
from arena.web.door import answer_at_the_door
from arena.web.events import Streams
from arena.web.site import site_of
from arena.web.viewer import viewer_of

ROLES = (Role.ORGANISER, Role.READER)
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


async def metrics(request: Request) -> Response:
    """Returns all metrics in the form of Prometheus."""
    try:
        await asyncio.to_thread(_check_reader, request)
    except ArenaError as refusal:
        return PlainTextResponse(
            f"{refusal.sentence}\n", refusal.kind.http, {"WWW-Authenticate": "Bearer"}
        )
    league = await _of_the_league(site_of(request).folder)
    return Response(
        _of_the_pages(request.app.state.streams, up=bool(league)) + league,
        HTTPStatus.OK,
        media_type=CONTENT_TYPE_LATEST,
    )


def _check_reader(request: Request) -> None:
    """Raises ArenaError unless a request comes from this machine, or with a token of ROLES."""
    if not _is_from_here(request):
        (viewer_of(request) or VISITOR).check_role(ROLES)


def _is_from_here(request: Request) -> bool:
    """Returns whether a program of this machine asks for itself, as far as can be seen."""
    behind_proxy = bool(site_of(request).settings.origin)
    forwarded = any(name in request.headers for name in FORWARDED)
    client = request.client
    return (
        not (behind_proxy or forwarded)
        and client is not None
        and ip_address(client.host).is_loopback
    )


async def _of_the_league(folder: DataFolder) -> bytes:
    """Returns the metrics of the league; nothing while it gives no answer."""
    holder = await asyncio.to_thread(folder.holder)
    if holder is None or not holder.door:
        return b""
    try:
        return await answer_at_the_door(holder, METRICS)
    except (httpx.HTTPError, TimeoutError):
        return b""


def _of_the_pages(streams: Streams, *, up: bool) -> bytes:
    registry = CollectorRegistry()
    Gauge("sevens_up", "1 if the league answers.", registry=registry).set(up)
    Gauge("sevens_event_streams", "Open event streams of the pages.", registry=registry).set(
        streams.open_streams
    )
    return generate_latest(registry)


ROUTES = [Route(METRICS, metrics)]
