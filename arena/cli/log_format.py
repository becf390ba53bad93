"""The form of log lines: one line per event, even if it quotes strangers' text."""

from __future__ import annotations

import logging
from typing import Any

from arena.foreign_text import visible

TIMED = "%(asctime)s %(levelname)s %(message)s"
INDENT = "    "


class LogFormatter(logging.Formatter):
    """Writes each message on one line, and a traceback on indented ones, so that no quoted text
    can pose as another line or control the reader's terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return visible(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return _indented(super().formatStack(stack_info))


def log_to(handler: logging.Handler, level: int, format: str = TIMED) -> None:
    """Sends all log lines from that level on to a handler."""
    handler.setFormatter(LogFormatter(format))
    logging.basicConfig(level=level, handlers=[handler])


def _indented(text: str) -> str:
    return "\n".join(INDENT + visible(line) for line in text.split("\n"))
