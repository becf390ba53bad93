"""Long texts survive compression, and damage to them is detected."""

import pytest
import zstandard

from arena.store.texts import SIZE_LIMIT_BYTES, DamagedText, packed, unpacked


@pytest.mark.parametrize("text", ["", "Ξερή ♥", '{"a":1}' * 10_000])
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert unpacked(packed(text)) == text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no zstd at all",
        packed("a text" * 100)[:-3],
        zstandard.compress(b"\xff\xfe"),  # not UTF-8
    ],
    ids=["empty", "garbage", "cut off", "not UTF-8"],
)
def test_damaged_bytes_are_named_as_such(body: bytes) -> None:
    with pytest.raises(DamagedText):
        unpacked(body)


def test_a_text_beyond_the_limit_is_refused_before_it_is_unpacked() -> None:
    bomb = zstandard.compress(bytes(SIZE_LIMIT_BYTES + 1))
    assert len(bomb) < 10_000
    with pytest.raises(DamagedText, match=f"more than {SIZE_LIMIT_BYTES} bytes"):
        unpacked(bomb)
