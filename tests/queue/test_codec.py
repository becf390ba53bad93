"""Messages as bytes, and bytes that are not messages."""

import json
from typing import Any

import pytest
import zstandard

from arena.queue import codec
from arena.queue.codec import BadMessage, packed, unpacked
from arena.queue.job import Job, Outcome
from tests.support.queue_messages import new_job


def test_a_message_comes_back_as_it_was() -> None:
    assert unpacked(Job, packed(new_job("a"))) == new_job("a")


def test_too_many_bytes_are_refused_before_they_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codec, "PACKED_LIMIT_BYTES", 10)
    with pytest.raises(BadMessage, match=r"^It has 11 bytes; at most 10 are allowed\.$"):
        unpacked(Job, b"x" * 11)


def test_a_bomb_is_refused_before_it_goes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(data: bytes) -> bytes:
        raise AssertionError

    bomb = zstandard.compress(b" " * (codec.UNPACKED_LIMIT_BYTES + 1))
    assert len(bomb) < 100_000
    monkeypatch.setattr(zstandard, "decompress", explode)
    with pytest.raises(BadMessage, match=r"^It would unpack to 268435457 bytes; 268435456 are"):
        unpacked(Job, bomb)


def test_a_message_that_hides_its_size_is_refused() -> None:
    nameless = zstandard.ZstdCompressor(write_content_size=False).compress(b"{}")
    with pytest.raises(BadMessage, match=r"^It does not state its unpacked size\.$"):
        unpacked(Job, nameless)


@pytest.mark.parametrize("data", [b"", b"garbage", packed(new_job("a"))[:-5]])
def test_bytes_that_are_not_compressed_are_refused(data: bytes) -> None:
    with pytest.raises(BadMessage, match=r"^It (cannot be unpacked|does not say)"):
        unpacked(Job, data)


@pytest.mark.parametrize("text", [b"", b"nonsense", b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(BadMessage, match=r"^Field message: Invalid JSON"):
        unpacked(Job, zstandard.compress(text))


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
    with pytest.raises(BadMessage, match=problem):
        unpacked(Outcome, zstandard.compress(json.dumps(fields).encode()))
