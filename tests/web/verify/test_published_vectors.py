"""The page's JavaScript gives every published value: SHA-256, deals, seeds, digests."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sevens_games.cards.standard import DECK
from tests.support.deal_vectors import vectors
from tests.support.javascript import Call, answers_of

pytestmark = pytest.mark.needs("node")

RECORDS = Path(__file__).parents[3] / "docs" / "records.md"
STREAM = Path(__file__).with_name("stream.mjs")

# From NIST's examples for FIPS 180 and its validation suite.
NIST = [
    (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        b"lmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ),
    (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    (bytes.fromhex("bd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
    (bytes.fromhex("c98c8e55"), "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"),
]


def as_hex(data: bytes) -> dict[str, str]:
    return {"hex": data.hex()}


def test_sha_256_is_that_of_nist() -> None:
    calls = [Call("verify/sha256.js", "sha256", [as_hex(message)]) for message, _ in NIST]
    assert answers_of(calls) == [{"hex": digest} for _, digest in NIST]


def test_sha_256_of_every_length_around_a_block() -> None:
    messages = [bytes(range(length)) for length in range(140)]
    calls = [Call("verify/sha256.js", "sha256", [as_hex(message)]) for message in messages]
    assert answers_of(calls) == [as_hex(sha256(message).digest()) for message in messages]


def test_the_deals_are_those_of_the_document() -> None:
    asked, right = [], []
    for seed_line, requests in vectors():
        _, kind, *value = seed_line.split(" ", 2)
        seed = "".join(value).encode() if kind == "text" else bytes.fromhex("".join(value))
        for line, answer in requests:
            asked.append(request_of(line, answer, as_hex(seed)))
            right.append(value_of(line, answer))
    assert answers_of([Call(STREAM.as_posix(), "answers", [asked])]) == [right]


def request_of(line: str, answer: str, seed: dict[str, str]) -> dict[str, Any]:
    request, *arguments = line.split()
    if request == "deal":
        return {"deal": int(arguments[0]), "seed": seed}
    if request == "words":
        return {"words": len(answer.split())}
    if request == "pick":
        return {"pick": int(arguments[0])}
    return {"shuffle": list(DECK) if arguments == ["standard"] else arguments}


def value_of(line: str, answer: str) -> Any:
    if line.startswith("pick"):
        return int(answer)
    return None if line.startswith("deal") else answer.split()


def published(quantity: str) -> str:
    found = re.search(rf"\| {re.escape(quantity)} \| `([0-9a-f]+)` \|", RECORDS.read_text("utf-8"))
    assert found
    return found[1]


def test_the_seeds_are_those_of_the_document() -> None:
    secret = as_hex(bytes(range(32)))
    text = as_hex(b"7/1")
    right = {
        "commitment": Call("verify/deals.js", "commitmentOf", [secret]),
        "seed of the deals": Call(
            "verify/deals.js", "dealSeed", [secret, [as_hex(b"\7" * 7), as_hex(b"")]]
        ),
        "seed of seat 0 in match 1": Call("verify/deals.js", "seatSeed", [secret, 1, 0]),
        "seed of seat 1 in match 1": Call("verify/deals.js", "seatSeed", [secret, 1, 1]),
        "seed of seat 3 in match 258": Call("verify/deals.js", "seatSeed", [secret, 258, 3]),
        "seed of seat 0 in match 1, seed text `7/1`": Call(
            "verify/deals.js", "seatSeed", [text, 1, 0]
        ),
    }
    assert answers_of(list(right.values())) == [{"hex": published(name)} for name in right]


def test_the_example_record_has_its_digest_and_its_seeds() -> None:
    example = RECORDS.read_text("utf-8").partition("```json\n")[2].partition("\n```")[0]
    [read] = answers_of([Call("verify/verify.js", "verify", [example])])
    found = {check["name"]: check["passed"] for check in read["checks"]}
    # The match is invented: two cards cannot be a shuffle of the deck of Xeri.
    assert [name for name, passed in found.items() if passed is False] == ["shuffles"]
    assert found["digest"]
    assert found["commitment"]
    assert found["seat seeds"]
