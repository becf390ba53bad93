"""The application: the table of all addresses, and what applies to every answer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount

from arena.web import health, metrics, pages, tables, theme
from arena.web.api import api_app
from arena.web.events import StreamBounds, Streams
from arena.web.http import Below, SameOrigin, SecurityHeaders, StaticFiles
from arena.web.live import Receiver
from arena.web.site import Site
from arena.web.tv_programme import Programme

SMALLEST_COMPRESSED = 800  # bytes; a smaller answer fits into one packet anyway
DEFAULT_BOUNDS = StreamBounds()


def pages_app(site: Site, bounds: StreamBounds = DEFAULT_BOUNDS) -> Starlette:
    """Returns the application that serves the pages of a site. `bounds`: of its event streams."""
    streams, receiver, settings = Streams(bounds), Receiver(site.folder), site.settings
    app = Starlette(
        routes=[
            *pages.ROUTES,
            *tables.ROUTES,
            *theme.ROUTES,
            *health.ROUTES,
            *metrics.ROUTES,
            _whole("/api", api_app(site, streams, receiver)),
            Mount("/static", StaticFiles(), name="static"),
        ],
        middleware=[
            Middleware(GZipMiddleware, minimum_size=SMALLEST_COMPRESSED, compresslevel=5),
            *([Middleware(Below, path=settings.path)] if settings.path else []),
            Middleware(SecurityHeaders),
            Middleware(SameOrigin, public=settings.origin.removesuffix(settings.path)),
        ],
        exception_handlers=pages.HANDLERS,
        lifespan=_lifespan,
    )
    app.state.site = site
    app.state.health = health.Health(site)
    app.state.streams = streams
    app.state.receiver = receiver
    app.state.programme = Programme(site.store)
    app.state.attendance = tables.Attendance(site.store, site.folder)
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    yield
    await app.state.receiver.close()


def _whole(path: str, app: FastAPI) -> Mount:
    """Mounts an application for all addresses below a path: Starlette leaves out those with a line
    break, which a name may have."""
    mount = Mount(path, app)
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)
    return mount
