"""The application under /api, and the description of it."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from arena import __version__
from arena.web.api import events, live, matches
from arena.web.api.answers import answer
from arena.web.api.bounded_body import BoundedBody
from arena.web.api.error_answer import HANDLERS
from arena.web.api.operations import add_operations
from arena.web.events import Streams
from arena.web.live import Receiver
from arena.web.site import Site

DESCRIPTION = """
The data of the pages and the changes of their forms, for programs. GET requests are public unless
their description says otherwise; to read your own data, send `Authorization: Bearer TOKEN`. Changes
need a running arena, and are refused without one. Answers have an `ETag`; with `If-None-Match`
an unchanged one is not sent again. Lists have `next`, to be passed on as `after`. Addresses that
end in `/events` are server-sent events: at most 64 may be open per IP address, 2,000 in all. Pages
of other sites may read what is public.
"""


def api_app(site: Site, streams: Streams, receiver: Receiver) -> FastAPI:
    """Returns the application that answers programs. It shares event streams, and the sight of
    matches in play, with the pages."""
    app = FastAPI(
        title="Sevens Arena",
        version=__version__,
        description=DESCRIPTION,
        # The pages that FastAPI has for them load scripts from other hosts.
        docs_url=None,
        redoc_url=None,
        exception_handlers=dict(HANDLERS),
        servers=[{"url": f"{site.settings.path}/api"}],
        root_path_in_servers=False,
    )
    app.state.site = site
    app.state.streams = streams
    app.state.receiver = receiver
    # Before the matches: one of them could be asked for by the name "events".
    for part in (events, live, matches):
        app.include_router(part.router)
    add_operations(app, answer)
    app.add_middleware(BoundedBody)
    # Pages of other sites may read public data, without their visitors' logins.
    app.add_middleware(CORSMiddleware, allow_origins=["*"], expose_headers=["ETag", "Retry-After"])
    return app
