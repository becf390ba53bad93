"""The form of log lines: one line per event, even if it quotes strangers' text."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from arena.foreign_text import visible
from arena.log_fields import current_fields
from arena.moment import rfc3339

TIMED = "%(asctime)s %(levelname)s %(message)s"
INDENT = "    "
VARIABLE = "ARENA_LOG_FORMAT"
"""The variable by which an arena passes its format on to its workers and its pages."""


class LogFormat(StrEnum):
    """The form of log lines."""

    TEXT = "text"
    JSON = "json"


LogFormatOption = Annotated[
    LogFormat, typer.Option(envvar=VARIABLE, help="Form of log lines: one JSON document each.")
]


class LogFormatter(logging.Formatter):
    """Writes each message on one line, with its fields at the end, and a traceback on indented
    ones, so that no quoted text can pose as another line or control the reader's terminal."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return _moment(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value}" for name, value in current_fields().items())
        return visible(super().formatMessage(record) + (f" [{fields}]" if fields else ""))

    def formatException(self, ei: Any) -> str:
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return _indented(super().formatStack(stack_info))


class JsonFormatter(logging.Formatter):
    """Writes each message as one JSON document on one line."""

    def format(self, record: logging.LogRecord) -> str:
        document = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **current_fields(),
        }
        if record.exc_info:
            document["exception"] = self.formatException(record.exc_info)
        return json.dumps(document)


def log_to(handler: logging.Handler, level: int, format: str = TIMED) -> None:
    """Sends all log lines from that level on to a handler."""
    handler.setFormatter(LogFormatter(format))
    logging.basicConfig(level=level, handlers=[handler])


def log_to_stderr(level: int, form: LogFormat) -> None:
    """Sends all log lines from that level on to stderr, in that form."""
    log_to(handler := logging.StreamHandler(), level)
    if form is LogFormat.JSON:
        handler.setFormatter(JsonFormatter())


def _moment(record: logging.LogRecord) -> str:
    return rfc3339(datetime.fromtimestamp(record.created, UTC))


def _indented(text: str) -> str:
    return "\n".join(INDENT + visible(line) for line in text.split("\n"))
