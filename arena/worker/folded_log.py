"""A log in which the same warning appears at most once a minute."""

from __future__ import annotations

import logging
import re

from arena.clock import monotonic

FOLDED_S = 60.0
KINDS = 100


class FoldedLog:
    """Writes a warning, then counts further warnings with the same cause for a minute."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        # By cause without its numbers: the time of the last line, and the warnings left out since.
        self._last: dict[str, tuple[float, int]] = {}

    def warning(self, text: str, cause: str, error: BaseException | None = None) -> None:
        """Writes `text` with its cause and, for an error, the traceback."""
        now, kind = monotonic(), re.sub(r"\d+", "", cause)
        written, folded = self._last.pop(kind, (None, 0))
        if written is not None and now < written + FOLDED_S:
            self._last[kind] = (written, folded + 1)
            return
        more = f" ({folded} more times in between)" if folded else ""
        self._log.warning("%s: %s%s", text, cause, more, exc_info=error)
        self._last[kind] = (now, 0)
        if len(self._last) > KINDS:
            del self._last[next(iter(self._last))]
