"""The last trick, which is still worth a look while the next one has no card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games import Event, Layout


class LastTrick:
    """Follows the events of a view."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._playing: list[tuple[int | None, str]] = []
        self._last: dict[str, Any] | None = None

    def after(self, events: Sequence[Event]) -> dict[str, Any] | None:
        """Returns the last trick if none has begun since: its cards, who played each (None: nobody
        who sits at the table), and the seat that took it."""
        for event in events:
            verb, actor, arguments = event
            if verb == self._layout.deal:
                self._playing, self._last = [], None
            elif verb in self._layout.plays:
                self._playing += [(actor, str(card)) for card in arguments]
            elif verb in self._layout.trick_ends and self._playing:
                self._last = {
                    "cards": " ".join(card for _, card in self._playing),
                    "seats": [seat for seat, _ in self._playing],
                    "taker": actor,
                }
                self._playing = []
        return None if self._playing else self._last
