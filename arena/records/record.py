"""A match record as text: its canonical form, its digest, reading it back, keeping it in a file.

The canonical form is proto3 JSON with proto field names and default values written, keys sorted, no
spaces, UTF-8. `docs/records.md` has an example.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import zstandard
from google.protobuf.json_format import MessageToDict

from arena.records.strict_json import MEND, BadRecord, parsed
from sevens.record.v1.match_record_pb2 import MatchRecord

__all__ = ["BadRecord", "canonical", "digest_of", "load_file", "read", "save_file", "sealed"]

SIZE_LIMIT_BYTES = 16 * 1024 * 1024
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZSTD_SUFFIX = ".zst"


def canonical(record: MatchRecord) -> str:
    """The one text of a record."""
    return _canonical(_values(record))


def digest_of(record: MatchRecord) -> str:
    """SHA-256, in hexadecimal, of the canonical form without the field `digest`."""
    values = _values(record)
    del values["digest"]
    return sha256(_canonical(values).encode()).hexdigest()


def sealed(record: MatchRecord) -> MatchRecord:
    """A copy of the record with its digest."""
    copy = MatchRecord()
    copy.CopyFrom(record)
    copy.digest = digest_of(record)
    return copy


def read(data: bytes | str) -> MatchRecord:
    """The record whose JSON text (not necessarily canonical in its spaces and order) this is.

    Raises BadRecord. Says nothing about whether the record is true: see `verify`.
    """
    return parsed(MatchRecord, _text(data))


def load_file(path: Path) -> MatchRecord:
    """The record in a file, which may be compressed with zstd. Raises BadRecord and OSError."""
    with path.open("rb") as file:
        data = file.read(SIZE_LIMIT_BYTES + 1)
    if data.startswith(ZSTD_MAGIC):
        return read(_decompressed(data))
    if path.suffix == ZSTD_SUFFIX:
        sentence = f"The file is named {ZSTD_SUFFIX} and is not compressed with zstd. {MEND}"
        raise BadRecord("", sentence)
    return read(data)


def save_file(record: MatchRecord, path: Path) -> None:
    """Writes the canonical form, compressed if the name ends in `.zst`."""
    data = canonical(record).encode()
    path.write_bytes(zstandard.compress(data) if path.suffix == ZSTD_SUFFIX else data)


def _values(record: MatchRecord) -> dict[str, object]:
    """The choices, most of a record, are written out here: the general printer takes ten times as
    long for them."""
    others = MatchRecord()
    others.CopyFrom(record)
    del others.choices[:]
    values: dict[str, object] = MessageToDict(
        others, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    values["choices"] = [
        {"seat": choice.seat, "action": choice.action, "milliseconds": choice.milliseconds}
        for choice in record.choices
    ]
    return values


def _canonical(values: dict[str, object]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _text(data: bytes | str) -> str:
    if len(data) > SIZE_LIMIT_BYTES:
        raise BadRecord(
            "", f"A record has at most {SIZE_LIMIT_BYTES} bytes; this is larger. {MEND}"
        )
    if isinstance(data, str):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadRecord("", f"Byte {error.start} of the text is not UTF-8. {MEND}") from None


def _decompressed(data: bytes) -> bytes:
    """What the zstd data hold, as far as the size limit and one byte more."""
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            return reader.read(SIZE_LIMIT_BYTES + 1)
    except zstandard.ZstdError as error:
        raise BadRecord("", f"The file cannot be decompressed ({error}). {MEND}") from None
