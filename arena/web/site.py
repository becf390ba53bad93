"""Everything that the pages of one arena share."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request

from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.web.http import RecentAnswers
from arena.web.settings import Settings

DEFAULTS = Settings()


@dataclass(frozen=True)
class Site:
    """The arena that the pages show.

    `folder`: its data folder.
    `store`: its store, open for reading.
    `settings`: the organiser's choices.
    `answers`: made a moment ago, for whoever asks for the same.
    """

    folder: DataFolder
    store: Store
    settings: Settings = DEFAULTS
    answers: RecentAnswers = field(default_factory=RecentAnswers)


def site_of(request: Request) -> Site:
    """Returns the site that a request is for."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site
