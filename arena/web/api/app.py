"""The application under /api, and the description of it."""

from __future__ import annotations

from fastapi import FastAPI

from arena import __version__
from arena.web.api import bots, competitions, events, ladders, live, matches
from arena.web.api.error_answer import HANDLERS
from arena.web.events import Streams
from arena.web.live import Receiver
from arena.web.site import Site

DESCRIPTION = """
What the pages show, for programs. Everything is read by GET, and public unless it says otherwise;
for what is yours, send `Authorization: Bearer TOKEN`. Answers have an `ETag`; with `If-None-Match`
an unchanged one is not sent again. Lists have `next`, to be passed on as `after`. Addresses that
end in `/events` are server-sent events: at most 64 streams are open to an address, 2,000 in all.
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
    )
    app.state.site = site
    app.state.streams = streams
    app.state.receiver = receiver
    # Before the matches: one of them could be asked for by the name "events".
    for part in (events, live, ladders, bots, matches, competitions):
        app.include_router(part.router)
    return app
