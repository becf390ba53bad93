"""Warnings of which the same one is written once a minute."""

from __future__ import annotations

import logging
from time import monotonic

FOLDED_S = 60.0
KINDS = 100


class FoldedLog:
    """Writes a warning, and counts the further ones with the same cause until a minute has
    passed."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._last: dict[str, tuple[float, int]] = {}  # by cause: when it was written, and how many

    def warning(self, text: str, cause: str, error: BaseException | None = None) -> None:
        """Writes `text`, its cause and, if there is an error, that with its traceback."""
        now = monotonic()
        written, folded = self._last.pop(cause, (None, 0))
        if written is not None and now < written + FOLDED_S:
            self._last[cause] = (written, folded + 1)
            return
        more = f" ({folded} more times in between)" if folded else ""
        self._log.warning("%s: %s%s", text, cause, more, exc_info=error)
        self._last[cause] = (now, 0)
        if len(self._last) > KINDS:
            del self._last[next(iter(self._last))]
