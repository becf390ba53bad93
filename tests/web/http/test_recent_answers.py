"""Answers that were made a moment ago."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from starlette.responses import Response

from arena.web.http import RecentAnswers

WAITING = 4
LONGEST_S = 10


def test_the_same_is_made_once() -> None:
    answers = RecentAnswers()
    made = [Response("one"), Response("two")]
    first, again = (answers.answer("key", made.pop) for _ in range(2))
    assert first.body == again.body == b"two"
    assert answers.answer("other", made.pop).body == b"one"


def test_what_many_wait_for_is_made_once() -> None:
    answers = RecentAnswers()
    asking, may_go_on = Barrier(WAITING + 1), Event()

    def make() -> Response:
        assert may_go_on.wait(LONGEST_S)
        return Response(made.pop())

    def ask() -> bytes:
        asking.wait(LONGEST_S)
        return bytes(answers.answer("key", make).body)

    made = ["only"]
    with ThreadPoolExecutor(WAITING) as pool:
        asked = [pool.submit(ask) for _ in range(WAITING)]
        asking.wait(LONGEST_S)
        may_go_on.set()
        assert [one.result(LONGEST_S) for one in asked] == [b"only"] * WAITING


def test_a_failure_is_told_and_not_kept() -> None:
    answers = RecentAnswers()

    def fail() -> Response:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        answers.answer("key", fail)
    assert answers.answer("key", lambda: Response("now")).body == b"now"


def test_headers_added_to_one_are_not_on_the_next() -> None:
    answers = RecentAnswers()
    answers.answer("key", lambda: Response("text")).headers["Content-Encoding"] = "gzip"
    assert "Content-Encoding" not in answers.answer("key", Response).headers


def test_the_oldest_are_forgotten_when_there_are_too_many_bytes() -> None:
    answers = RecentAnswers(most_bytes=25)
    for key in "abc":
        answers.answer(key, lambda: Response(bytes(10)))
    anew = [key for key in "cba" if answers.answer(key, lambda: Response("new")).body == b"new"]
    assert anew == ["a"]


def test_an_answer_that_is_too_long_is_not_kept() -> None:
    answers = RecentAnswers(most_bytes=5)
    assert len(answers.answer("key", lambda: Response(bytes(10))).body) == 10
    assert answers.answer("key", lambda: Response("new")).body == b"new"
