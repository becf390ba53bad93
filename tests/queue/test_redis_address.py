"""Valid and invalid addresses of a Redis, and the messages about them."""

from __future__ import annotations

import pytest

from arena.errors import Kind
from arena.queue.redis_address import check_address, without_password
from arena.queue.redis_queue import FIRST_PATIENCE_S, PATIENCE_S, Queue
from tests.support.failing import failing
from tests.support.queue_messages import KEY


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://user:word@10.0.0.7:6380/3",
        "rediss://queue.example.org:6379",
        "redis://[::1]:6379",
        "unix:///run/valkey.sock?password=x",
    ],
)
def test_a_good_address_is_taken(url: str) -> None:
    check_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "garbage",
        "localhost:6379",
        "http://localhost",
        "redis://",
        "redis://:6379",
        "redis://localhost:x",
        "redis://localhost:70000",
        "redis://[::1",
        "redis://localhost?db=x",
        "unix://",
    ],
)
def test_a_wrong_address_is_refused_before_anything_is_sent(url: str) -> None:
    with failing(Kind.WRONG_INPUT, match="is redis://HOST:PORT"):
        Queue(url, KEY)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://u:s3cret@h:1/0", "redis://h:1/0"),
        ("redis://u:s3cr@et@h:1/0", "redis://h:1/0"),
        ("unix:///a.sock?password=s3cret", "unix:///a.sock"),
        ("u:s3cret@h", "h"),
        ("garbage", "garbage"),
    ],
)
def test_no_password_is_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_a_redis_that_has_never_answered_is_not_waited_for_like_one_that_has() -> None:
    assert FIRST_PATIENCE_S < PATIENCE_S / 5
