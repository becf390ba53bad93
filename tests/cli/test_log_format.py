"""The form of log lines: text and JSON, with the fields of their context."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from arena.cli.log_format import TIMED, JsonFormatter, LogFormatter
from arena.log_fields import log_fields


def record(message: str, *, failed: bool = False) -> logging.LogRecord:
    error = None
    if failed:
        try:
            raise ValueError("a\nb")
        except ValueError:
            error = sys.exc_info()
    made = logging.LogRecord("arena.x", logging.WARNING, "x.py", 1, message, (), error)
    made.created = 1_783_407_600.125
    return made


def test_a_line_of_text_has_its_zone_and_its_fields() -> None:
    formatter = LogFormatter(TIMED)
    with log_fields(worker="host-1"), log_fields(competition="main", game="xeri"):
        line = formatter.format(record("job 7: done"))
    assert line == (
        "2026-07-07T07:00:00.125Z WARNING job 7: done [worker=host-1 competition=main game=xeri]"
    )
    assert formatter.format(record("done")) == "2026-07-07T07:00:00.125Z WARNING done"


@pytest.mark.parametrize("failed", [False, True])
def test_a_json_line_is_one_document_whatever_it_quotes(failed: bool) -> None:
    with log_fields(game="xeri"):
        line = JsonFormatter().format(record("a\nb \x1b[31m", failed=failed))
    assert "\n" not in line
    assert line.isascii()
    document = json.loads(line)
    exception = document.pop("exception", "")
    assert ("ValueError: a\nb" in exception) is failed
    assert document == {
        "time": "2026-07-07T07:00:00.125Z",
        "level": "warning",
        "logger": "arena.x",
        "message": "a\nb \x1b[31m",
        "game": "xeri",
    }
