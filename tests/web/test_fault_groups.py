"""Faults of one cause are folded."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arena.views.matches.fault import Fault
from arena.web.pages.own.fault_groups import exception_in, folded

AT = datetime(2026, 7, 7, tzinfo=UTC)


def fault(match: str, version: str = "v1", kind: str = "crashed", words: str = "") -> Fault:
    return Fault(
        match=match,
        competition="main",
        competition_kind="ladder",
        finished_at=AT,
        seat=0,
        bot="bot",
        number=1,
        version=version,
        owner="Ann",
        kind=kind,
        decision=3,
        sentence="s",
        words=words,
    )


def test_faults_of_one_version_kind_and_exception_are_one_group() -> None:
    found = [
        fault("m-9", words="ValueError: 7"),
        fault("m-8", words="KeyError: 'x'"),
        fault("m-7", words="ValueError: 9"),
        fault("m-6", kind="timeout"),
        fault("m-5", version="v2", words="ValueError: 7"),
        fault("m-4", words="KeyError: 'y'"),
    ]
    groups, count = folded(found, 10)
    names = [(one.exception, [each.match for each in one.faults]) for one in groups]
    assert names == [
        ("ValueError", ["m-9", "m-7"]),
        ("KeyError", ["m-8", "m-4"]),
        ("", ["m-6"]),
        ("ValueError", ["m-5"]),
    ]
    assert count == 6
    groups, count = folded(found, 2)
    assert ([len(one.faults) for one in groups], count) == ([2, 1], 3)
    assert folded([], 2) == ([], 0)


@pytest.mark.parametrize(
    ("words", "exception"),
    [
        ("Traceback:\n  KeyError: 1\nDuring it:\nmy.pkg.BadCardError: no", "my.pkg.BadCardError"),
        (
            'Exception in thread "main" java.lang.NullPointerException',
            "java.lang.NullPointerException",
        ),
        ("thread 'main' panicked at src/main.rs:7", "panicked"),
        ("panic: runtime error: index out of range", "panic"),
        ("TypeError: cards is not iterable", "TypeError"),
        ("killed", ""),
        ("", ""),
    ],
)
def test_the_exception_is_the_last_that_the_words_name(words: str, exception: str) -> None:
    assert exception_in(words) == exception
