"""The layer between browsers and pages: sockets, headers, forms, static files, recent answers."""

from arena.web.http.below import Below
from arena.web.http.connection import network_of
from arena.web.http.failure import failure_of
from arena.web.http.forms import bounded, own_address, read_body, read_form
from arena.web.http.middleware import EMBED, SAFE, SameOrigin, SecurityHeaders
from arena.web.http.packed_json import packed_answer, packed_json
from arena.web.http.recent_answers import RecentAnswers
from arena.web.http.serving import PagesListener, listening_at, serve_pages, served
from arena.web.http.static_files import FOLDER, StaticFiles, static_address, tree_digest

__all__ = [
    "EMBED",
    "FOLDER",
    "SAFE",
    "Below",
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
    "packed_answer",
    "packed_json",
    "read_body",
    "read_form",
    "serve_pages",
    "served",
    "static_address",
    "tree_digest",
]
