"""What the organiser has chosen for the pages."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from arena.server import Quotas

LONGEST_DELAY_S = 900
DEFAULT_DELAY_S = 60


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The organiser's choices.

    `origin`: the scheme, host and port by which visitors reach the pages, such as
      https://arena.example; empty: those of each request.
    `live_delay_s`: how many seconds visitors see a match in play behind its players.
    `guests`: whether visitors without a login may play at tables.
    `quotas`: those of each owner at the arena that serves these pages; None: of no arena.
    """

    origin: str = ""
    live_delay_s: float = DEFAULT_DELAY_S
    guests: bool = False
    quotas: Quotas | None = None

    def to_json(self) -> str:
        """Returns the settings as a text, for another process of the arena."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """Reads what `to_json` returned."""
        values = json.loads(text)
        quotas = values.pop("quotas")
        return cls(**values, quotas=None if quotas is None else Quotas(**quotas))
