"""Conditional requests: a client that has the newest version already gets a short answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from arena.web.announced import announced
from arena.web.site import site_of
from arena.web.theme import theme_of
from arena.web.viewer import viewer_of

DIGITS = 20
PACKAGE = Path(__file__).parent.parent


def tag_of(*parts: object) -> str:
    """Returns a weak entity tag of the values that an answer depends on. It changes with the code
    and the templates, so that no new version takes an old one's page for unchanged; but not with
    time: pages say moments, and scripts how long ago they were."""
    text = "\0".join(map(str, (version_of(PACKAGE), *parts)))
    return f'W/"{sha256(text.encode()).hexdigest()[:DIGITS]}"'


@cache
def version_of(package: Path) -> str:
    """Returns the digest of all files of a package: code, templates, static files."""
    whole = sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            whole.update(path.relative_to(package).as_posix().encode() + b"\0")
            whole.update(sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def conditional(request: Request, tag: str, make: Callable[[], Response]) -> Response:
    """Returns the answer that `make` makes, with its tag; 304 if the visitor has it already. The
    visitor's name and colours and the announcements are on every page, and become part of the tag.
    Raises ArenaError.

    `make` is not called if the same was made for another visitor a moment ago.
    """
    tag = tag_of(tag, theme_of(request), viewer_of(request), announced(request))
    known = {one.strip() for one in request.headers.get("if-none-match", "").split(",")}
    if {tag, "*"} & known:
        return Response(status_code=304, headers={"ETag": tag})
    key = (str(request.url), request.headers.get("accept-encoding", ""), tag)
    response = site_of(request).answers.answer(key, make)
    response.headers["ETag"] = tag
    return response
