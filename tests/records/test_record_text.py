"""A record as text: its canonical form, digest and files; and texts that are not records."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard
from google.protobuf.json_format import MessageToDict

from arena.records import record as record_module
from arena.records.record import (
    BadRecord,
    canonical,
    digest_of,
    load_file,
    read,
    read_compressed,
    seal,
)
from sevens.record.v1.match_record_pb2 import MatchRecord
from tests.support.played_matches import played

MUTATIONS = "0123-.eE{}[]:,ax" + chr(34) + chr(0xDC00)
DOCUMENT = Path(__file__).parents[2] / "docs" / "records.md"


def read_stored(text: str) -> MatchRecord:
    """Reads a text as the store and the queue keep it."""
    return read_compressed(zstandard.compress(text.encode("utf-8", "surrogatepass"))).record


@pytest.fixture
def example() -> str:
    """The example in the documentation."""
    found = re.search("```json\n(.*)\n```", DOCUMENT.read_text(encoding="utf-8"))
    assert found
    return found[1]


def test_the_example_of_the_documentation_is_in_canonical_form(example: str) -> None:
    assert canonical(read(example)) == example


def test_the_example_of_the_documentation_has_its_digest(example: str) -> None:
    values = json.loads(example)
    digest = values.pop("digest")
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == digest
    assert digest_of(read(example)) == digest


def test_the_canonical_form_is_the_one_that_protobuf_prints() -> None:
    record = played("insidious-sevens").record
    values = MessageToDict(
        record, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    assert json.loads(canonical(record)) == values


def test_spaces_and_order_do_not_matter(example: str) -> None:
    values = json.loads(example)
    other = json.dumps(dict(reversed(values.items())), indent=4)
    assert canonical(read(other)) == example
    assert canonical(read(other.encode())) == example


def test_sealing_leaves_the_original_as_it_was() -> None:
    record = played("xeri").record
    unsealed = read(canonical(record))
    unsealed.digest = ""
    sealed = seal(unsealed)
    assert (sealed.record, sealed.text) == (record, canonical(record))
    assert read_compressed(sealed.compressed()) == sealed
    assert unsealed.digest == ""


@pytest.mark.parametrize("name", ["m.json", "m.json.zst"])
def test_a_file_holds_what_was_saved(tmp_path: Path, name: str) -> None:
    record = played("xeri").record
    seal(record).save(tmp_path / name)
    assert load_file(tmp_path / name) == record


def test_a_json_file_is_the_canonical_form_and_a_zst_file_is_smaller(tmp_path: Path) -> None:
    record = played("insidious-sevens").record
    seal(record).save(tmp_path / "m.json")
    seal(record).save(tmp_path / "m.json.zst")
    assert (tmp_path / "m.json").read_text(encoding="utf-8") == canonical(record)
    data = (tmp_path / "m.json.zst").read_bytes()
    assert len(data) < len(canonical(record)) / 3


def test_a_file_too_large_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "SIZE_LIMIT_BYTES", 1000)
    path = tmp_path / "m.json"
    path.write_bytes(b" " * 1001)
    with pytest.raises(BadRecord, match=r"^A record has at most 1000 bytes; this is larger\."):
        load_file(path)
    path.write_bytes(zstandard.compress(b" " * 10**7))
    with pytest.raises(BadRecord, match=r"^A record has at most 1000 bytes; this is larger\."):
        load_file(path)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd and so on")
    with pytest.raises(BadRecord, match=r"^The data cannot be decompressed"):
        load_file(path)
    whole = zstandard.compress(canonical(played("xeri").record).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadRecord):
        load_file(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"^The text is not JSON \(line 1, column 1: Expecting value\)\. Export"),
        ("{", r"^The text is not JSON"),
        (b"\xff{}", r"^Byte 0 of the text is not UTF-8\."),
        ("\ufeff{}", r"^The text is not JSON"),
        ("[" * 100_000, r"^The JSON is nested too deeply"),
        ("[]", r"^This must be an object, not \[\]\."),
        ('{"a": 1, "a": 2}', r"^a: The name appears twice in one object\."),
        ("{}", r"^format: Missing: a record has every field\."),
        ("7" * 5000, r"^This must be an object, not 7777777"),
    ],
)
def test_what_is_no_record_at_all_is_refused(text: str | bytes, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        read(text)


Change = Callable[[Any], None]


def put(value: Any, *path: str | int) -> Change:
    def change(values: Any) -> None:
        *way, last = path
        for step in way:
            values = values[step]
        values[last] = value

    return change


AN_INTEGER = "This must be an integer from 0 to 4294967295 in plain digits, not"
A_SIGNED_INTEGER = "This must be an integer from -2147483648 to 2147483647 in plain digits, not"
A_TEXT = "This must be a text of Unicode characters, not"
AN_OBJECT = "This must be an object, not"
A_LIST = "This must be a list, not"
NO_SUCH_FIELD = "There is no such field here, only"


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        (put("1", "format"), "format", f'{AN_INTEGER} "1".'),
        (put(1.0, "format"), "format", f"{AN_INTEGER} 1.0."),
        (put(True, "format"), "format", f"{AN_INTEGER} true."),
        (put(None, "format"), "format", f"{AN_INTEGER} null."),
        (put(-1, "attempt"), "attempt", f"{AN_INTEGER} -1."),
        (put(2**32, "attempt"), "attempt", f"{AN_INTEGER} 4294967296."),
        (put(2**31, "result", "scores", 1), "result.scores[1]", f"{A_SIGNED_INTEGER} 2147483648."),
        (put(float("nan"), "picks"), "picks", f"{A_LIST} NaN."),
        (put([1e9], "picks"), "picks[0]", f"{AN_INTEGER} 1000000000.0."),
        (put(7, "game"), "game", f"{A_TEXT} 7."),
        (put("\ud800", "seats", 0, "bot"), "seats[0].bot", f'{A_TEXT} "\\ud800".'),
        (put([], "options"), "options", f"{AN_OBJECT} []."),
        (put(1, "options", "deals"), "options.deals", f"{A_TEXT} 1."),
        (put("x", "options", "\udfff"), "options.?", f'{A_TEXT} "\\udfff".'),
        (put({}, "choices"), "choices", f"{A_LIST} {{}}."),
        (put("pass", "choices", 3), "choices[3]", f'{AN_OBJECT} "pass".'),
        (put({}, "choices", 3), "choices[3].seat", "Missing: a record has every field."),
        (put(1, "choices", 3, "note"), "choices[3].note", f"{NO_SUCH_FIELD} seat, action"),
        (put(1, "matchId"), "matchId", f"{NO_SUCH_FIELD} format, match_id"),
        (put("x" * 999, "result"), "result", f'{AN_OBJECT} "{"x" * 39}...'),
    ],
)
def test_a_wrong_field_is_named_with_what_is_wrong_and_what_to_do(
    change: Change, field: str, sentence: str
) -> None:
    values = json.loads(canonical(played("xeri").record))
    change(values)
    with pytest.raises(BadRecord) as raised:
        read(json.dumps(values))
    bad = raised.value
    assert bad.field == field
    assert bad.sentence.startswith(sentence)
    assert re.search(r"(Export the record again|Remove it)", bad.sentence)
    assert str(bad) == f"{bad.field}: {bad.sentence}"


def test_a_stored_record_is_read_if_its_text_is_canonical_and_only_then(seed: int) -> None:
    rng, text = Random(seed), canonical(played("seven-euchre").record)
    assert read_stored(text) == read(text)
    accepted = 0
    for _ in range(2_000):
        at, length = rng.randrange(len(text)), rng.choice([0, 1, 1, 3])
        inserted = "".join(rng.choices(MUTATIONS, k=rng.choice([0, 1, 1, 2])))
        other = text[:at] + inserted + text[at + length :]
        try:
            record = read_stored(other)
        except BadRecord:
            continue
        accepted += 1
        assert record == read(other), other
        assert canonical(record) == other
    assert accepted


@pytest.mark.parametrize("number", ["-0", "1.0", "1e0", "NaN", "Infinity", "1" * 5000])
def test_a_number_has_one_way_to_be_written(number: str) -> None:
    text = canonical(played("xeri").record).replace('"attempt":1', f'"attempt":{number}')
    for reading in (read, read_stored):
        with pytest.raises(BadRecord, match=r"^attempt: This must be an integer .*, not "):
            reading(text)
