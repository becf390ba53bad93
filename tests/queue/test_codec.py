"""Messages as bytes, and bytes that are not messages."""

import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
import zstandard

from arena.queue import codec
from arena.queue.codec import BadMessage, NotSigned, packed, unpacked
from arena.queue.job import Job, Outcome
from tests.support.queue_messages import KEY, new_job


def signed(body: bytes, kind: str = "Job") -> bytes:
    """Returns a message about the job "a" as somebody with the key could send it."""
    return hmac.digest(KEY, f"{kind} 1 a ".encode() + body, "sha256") + body


def test_a_message_comes_back_as_it_was() -> None:
    assert unpacked(Job, "a", packed(new_job("a"), KEY), KEY) == new_job("a")


@pytest.mark.parametrize(
    ("kind", "job_id", "change", "key"),
    [
        (Outcome, "a", lambda data: data, KEY),
        (Job, "b", lambda data: data, KEY),
        (Job, "", lambda data: data, KEY),
        (Job, "a", lambda data: data, KEY[:-1]),
        (Job, "a", lambda data: data, bytes(32)),
        (Job, "a", lambda data: data[:-1] + bytes([data[-1] ^ 1]), KEY),
        (Job, "a", lambda data: bytes([data[0] ^ 1]) + data[1:], KEY),
        (Job, "a", lambda data: data + b"x", KEY),
        (Job, "a", lambda data: data[32:], KEY),
        (Job, "a", lambda data: bytes(32) + data[32:], KEY),
        (Job, "a", lambda data: data[:31], KEY),
        (Job, "a", lambda _: b"", KEY),
    ],
)
def test_what_nobody_signed_like_this_is_not_looked_at(
    kind: type[Any],
    job_id: str,
    change: Callable[[bytes], bytes],
    key: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = change(packed(new_job("a"), KEY))
    monkeypatch.setattr(zstandard, "decompress", pytest.fail)
    with pytest.raises(NotSigned, match=r"^It is not signed with this arena's key\.$"):
        unpacked(kind, job_id, data, key)


def test_no_part_of_a_message_passes_for_another_jobs_name() -> None:
    data = packed(new_job("a b"), KEY)
    for name in ("a", "a b 3", "b", "Job"):
        with pytest.raises(NotSigned):
            unpacked(Job, name, data, KEY)


def test_too_many_bytes_are_refused_before_they_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codec, "PACKED_LIMIT_BYTES", 10)
    with pytest.raises(BadMessage, match=r"^It has 11 bytes; at most 10 are allowed\.$"):
        unpacked(Job, "a", signed(b"x" * 11), KEY)


def test_a_bomb_is_refused_before_it_goes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(data: bytes) -> bytes:
        raise AssertionError

    bomb = zstandard.compress(b" " * (codec.UNPACKED_LIMIT_BYTES + 1))
    assert len(bomb) < 100_000
    monkeypatch.setattr(zstandard, "decompress", explode)
    with pytest.raises(BadMessage, match=r"^It would unpack to 268435457 bytes; 268435456 are"):
        unpacked(Job, "a", signed(bomb), KEY)


def test_a_message_that_hides_its_size_is_refused() -> None:
    nameless = zstandard.ZstdCompressor(write_content_size=False).compress(b"{}")
    with pytest.raises(BadMessage, match=r"^It does not state its unpacked size\.$"):
        unpacked(Job, "a", signed(nameless), KEY)


@pytest.mark.parametrize("data", [b"", b"garbage", packed(new_job("a"), KEY)[32:-5]])
def test_bytes_that_are_not_compressed_are_refused(data: bytes) -> None:
    with pytest.raises(BadMessage, match=r"^It (cannot be unpacked|does not say)"):
        unpacked(Job, "a", signed(data), KEY)


@pytest.mark.parametrize("text", [b"", b"nonsense", b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(BadMessage, match=r"^Field message: Invalid JSON"):
        unpacked(Job, "a", signed(zstandard.compress(text)), KEY)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"attempt": "x"}, r"^Field attempt: Input should be a valid integer"),
        ({"ladder": "main"}, r"^Field ladder: Extra inputs are not permitted\.$"),
        ({"matches": [{"record": ""}]}, r"^Field matches\.0\.private_log: Field required\.$"),
    ],
)
def test_the_refusal_names_the_field_that_is_wrong(change: dict[str, Any], problem: str) -> None:
    fields = {"job_id": "a", "attempt": 1, "worker": "w1", "result_token": "t"} | change
    body = zstandard.compress(json.dumps(fields).encode())
    with pytest.raises(BadMessage, match=problem):
        unpacked(Outcome, "a", signed(body, "Outcome"), KEY)
