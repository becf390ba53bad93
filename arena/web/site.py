"""Everything that the pages of one arena share: its store, and what the organiser has chosen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

from starlette.requests import Request

from arena.server import Quotas
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.web.http import RecentAnswers
from arena.web.login_cookie import Attempts

DEFAULT_DELAY_S = 60
LOCAL_PROXIES = "127.0.0.1,::1"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The organiser's choices.

    `origin`: the scheme, host and port by which visitors reach the pages, and the path below which
      they are, if any, such as https://arena.example; empty: those of each request.
    `live_delay_s`: how many seconds visitors see a match in play behind its players.
    `proxies`: addresses and networks, by commas, of proxies that are believed which visitor they
      forward.
    `guests`: whether visitors without a login may play at tables.
    `quotas`: those of each owner at the arena that serves these pages; None: of no arena.
    """

    origin: str = ""
    live_delay_s: float = DEFAULT_DELAY_S
    proxies: str = LOCAL_PROXIES
    guests: bool = False
    quotas: Quotas | None = None

    @property
    def path(self) -> str:
        """The path below which visitors reach the pages, such as /arena; empty: the root."""
        return urlsplit(self.origin).path

    def to_json(self) -> str:
        """Returns the settings as a text, for another process of the arena."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """Reads what `to_json` returned."""
        values = json.loads(text)
        quotas = values.pop("quotas")
        return cls(**values, quotas=None if quotas is None else Quotas(**quotas))


DEFAULTS = Settings()


@dataclass(frozen=True)
class Site:
    """The arena that the pages show.

    `folder`: its data folder.
    `store`: its store, open for reading.
    `settings`: the organiser's choices.
    `answers`: made a moment ago, for other visitors who ask for the same.
    `logins`, `secrets`: the attempts to log in, and to do something else without a token.
    """

    folder: DataFolder
    store: Store
    settings: Settings = DEFAULTS
    answers: RecentAnswers = field(default_factory=RecentAnswers)
    logins: Attempts = field(default_factory=Attempts)
    secrets: Attempts = field(default_factory=Attempts)


def site_of(request: Request) -> Site:
    """Returns the site that a request is for."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site
