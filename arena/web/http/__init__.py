"""What lies between a browser and the pages: sockets, headers, forms, static files, answers made a
moment ago."""

from arena.web.http.failure import failure_of
from arena.web.http.forms import bounded, own_address, read_form
from arena.web.http.headers import EMBED, SecurityHeaders
from arena.web.http.origin import SAFE, SameOrigin
from arena.web.http.recent_answers import RecentAnswers
from arena.web.http.serving import PagesListener, listening_at, serve_pages
from arena.web.http.static_files import FOLDER, StaticFiles, static_address, tree_digest
from arena.web.http.visitor import network_of

__all__ = [
    "EMBED",
    "FOLDER",
    "SAFE",
    "PagesListener",
    "RecentAnswers",
    "SameOrigin",
    "SecurityHeaders",
    "StaticFiles",
    "bounded",
    "failure_of",
    "listening_at",
    "network_of",
    "own_address",
    "read_form",
    "serve_pages",
    "static_address",
    "tree_digest",
]
