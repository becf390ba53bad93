"""The test vectors of docs/records.md, and cases that they do not cover."""

import re
from pathlib import Path

import pytest

from arena.protocol.fairness import commitment_of, deal_seed, seat_seed

DOCUMENT = Path(__file__).parents[2] / "docs" / "records.md"
VECTORS = dict(re.findall(r"^\| (.+) \| `([0-9a-f]{64})` \|$", DOCUMENT.read_text(), re.MULTILINE))
SECRET = bytes(range(32))


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("commitment", commitment_of(SECRET)),
        ("seed of the deals", deal_seed(SECRET, [b"\x07" * 7, b""])),
        ("seed of seat 0 in match 1", seat_seed(SECRET, 1, 0)),
        ("seed of seat 1 in match 1", seat_seed(SECRET, 1, 1)),
        ("seed of seat 3 in match 258", seat_seed(SECRET, 258, 3)),
        ("seed of seat 0 in match 1, seed text `7/1`", seat_seed(b"7/1", 1, 0)),
    ],
)
def test_the_vectors_of_the_documentation(what: str, value: bytes) -> None:
    assert VECTORS[what] == value.hex()


def test_there_are_no_other_vectors() -> None:
    assert len(VECTORS) == 6


def test_nonces_cannot_be_shifted_from_one_entrant_to_the_next() -> None:
    assert deal_seed(SECRET, [b"ab", b"c"]) != deal_seed(SECRET, [b"a", b"bc"])


def test_a_nonce_has_at_most_32_bytes() -> None:
    deal_seed(SECRET, [bytes(32)])
    with pytest.raises(ValueError, match="at most 32 bytes, not 33"):
        deal_seed(SECRET, [bytes(33)])
