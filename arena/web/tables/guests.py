"""People who sit down: with a login, or as a guest by their address."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from arena.errors import ArenaError, Kind
from arena.web.http import network_of
from arena.web.site import site_of
from arena.web.viewer import viewer_of

NO_GUESTS = (
    "On this arena only people with a token play at tables: log in first. (An organiser lets"
    " everybody play by `arena serve --guests`.)"
)


@dataclass(frozen=True)
class Sitter:
    """`person`: the name of a person with a login; empty for a guest. `address`: a guest's
    machine or network."""

    person: str
    address: str


def sitter_of(request: Request) -> Sitter:
    """Returns the person who asks to sit down. Raises ArenaError, also if guests may not."""
    viewer = viewer_of(request)
    if viewer is not None:
        return Sitter(viewer.owner, "")
    if not site_of(request).settings.guests:
        raise ArenaError(Kind.FORBIDDEN, NO_GUESTS)
    return Sitter("", network_of(request))


def may_sit(request: Request) -> bool:
    """True if the visitor may sit down. Raises ArenaError."""
    return viewer_of(request) is not None or site_of(request).settings.guests
