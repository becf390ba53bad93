"""The announcements at the head of every page."""

from __future__ import annotations

from starlette.requests import Request

from arena.store.notices.announcements import current_announcements
from arena.web.site import site_of


def announced(request: Request) -> tuple[str, ...]:
    """Returns the sentences that everybody is to see, looked up once a request."""
    if not hasattr(request.state, "announced"):
        request.state.announced = ()  # also for the page that says that the store cannot be read
        with site_of(request).store.reading() as session:
            found = current_announcements(session)
            request.state.announced = tuple(one.sentence for one in found)
    sentences: tuple[str, ...] = request.state.announced
    return sentences
