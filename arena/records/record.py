"""A match record as text: canonical form, digest, reading, and files.

The canonical form is proto3 JSON with proto field names and default values written, keys sorted, no
spaces, UTF-8. `docs/records.md` has an example.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from pathlib import Path

import zstandard
from google.protobuf.json_format import MessageToDict

from arena.foreign_text import NotUtf8, decoded
from arena.records.strict_json import ADVICE, BadRecord, parsed
from sevens.record.v1.match_record_pb2 import MatchRecord

__all__ = [
    "BadRecord",
    "SealedRecord",
    "canonical",
    "digest_of",
    "load_file",
    "read",
    "read_compressed",
    "seal",
]

SIZE_LIMIT_BYTES = 16 * 1024 * 1024
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZSTD_SUFFIX = ".zst"

CANONICAL_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class SealedRecord:
    """A record with its digest, and its canonical form.

    The worker writes the text once; it is sent, verified and stored unchanged.
    """

    record: MatchRecord
    text: str

    def content_digest(self) -> str:
        """Returns the same digest as `digest_of`, from the text."""
        # Quotes within texts are escaped, so only the field itself looks like this.
        field = f'"digest":{quoted(self.record.digest)},'
        return sha256(self.text.replace(field, "", 1).encode()).hexdigest()

    def compressed(self) -> bytes:
        """Returns the text in UTF-8, compressed with zstd."""
        return zstandard.compress(self.text.encode())

    def save(self, path: Path) -> None:
        """Writes the text, compressed if the name ends in `.zst`. Raises OSError."""
        is_compressed = path.suffix == ZSTD_SUFFIX
        path.write_bytes(self.compressed() if is_compressed else self.text.encode())


def seal(record: MatchRecord) -> SealedRecord:
    """Returns a copy of the record with its digest, and its text."""
    sealed = MatchRecord()
    sealed.CopyFrom(record)
    texts = _texts(record)
    sealed.digest = _digest(texts)
    texts["digest"] = CANONICAL_JSON.encode(sealed.digest)
    return SealedRecord(sealed, _joined(texts))


def canonical(record: MatchRecord) -> str:
    """Returns the canonical form of a record."""
    return _joined(_texts(record))


def digest_of(record: MatchRecord) -> str:
    """Returns the SHA-256, in hexadecimal, of the canonical form without the field `digest`."""
    return _digest(_texts(record))


def read(data: bytes | str) -> MatchRecord:
    """Reads a record from its JSON text, whose spaces and order of keys need not be canonical.

    Raises BadRecord. Does not check that the record is true: see `verify`.
    """
    return parsed(MatchRecord, _text(data))


def read_compressed(data: bytes) -> SealedRecord:
    """Reads the data of `SealedRecord.compressed`. Raises BadRecord, also for text that is not
    in canonical form."""
    text = _text(_decompressed(data))
    record = _record(text)
    if record is None or canonical(record) != text:
        read(text)  # finds all other errors
        raise BadRecord("", f"The text is not in canonical form (see docs/records.md). {ADVICE}")
    return SealedRecord(record, text)


def load_file(path: Path) -> MatchRecord:
    """Reads the record in a file, which may be compressed. Raises BadRecord and OSError."""
    with path.open("rb") as file:
        data = file.read(SIZE_LIMIT_BYTES + 1)
    if data.startswith(ZSTD_MAGIC):
        return read(_decompressed(data))
    if path.suffix == ZSTD_SUFFIX:
        sentence = f"The file is named {ZSTD_SUFFIX} but is not compressed with zstd. {ADVICE}"
        raise BadRecord("", sentence)
    try:
        return read(decoded(data))
    except NotUtf8 as mistake:
        raise BadRecord("", f"The file {mistake}") from None


def _record(text: str) -> MatchRecord | None:
    """Returns the record in a canonical text; for other texts the result may be another record,
    or None."""
    try:
        return MatchRecord(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None


def _texts(record: MatchRecord) -> dict[str, str]:
    """Returns the JSON of each field. Choices and shuffles, which make up most of a record, are
    converted by hand: the libraries take several times as long."""
    others = MatchRecord()
    others.CopyFrom(record)
    del others.choices[:], others.shuffles[:]
    values: dict[str, object] = MessageToDict(
        others, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    values["shuffles"] = [{"cards": list(shuffle.cards)} for shuffle in record.shuffles]
    texts = {name: CANONICAL_JSON.encode(value) for name, value in values.items()}
    choices = [
        f'{{"action":{quoted(c.action)},"milliseconds":{c.milliseconds},"seat":{c.seat}}}'
        for c in record.choices
    ]
    texts["choices"] = f"[{','.join(choices)}]"
    return texts


def _digest(texts: Mapping[str, str]) -> str:
    rest = {name: text for name, text in texts.items() if name != "digest"}
    return sha256(_joined(rest).encode()).hexdigest()


def _joined(texts: Mapping[str, str]) -> str:
    """Returns the JSON of an object with these fields."""
    return "{" + ",".join([f'"{name}":{texts[name]}' for name in sorted(texts)]) + "}"


def _text(data: bytes | str) -> str:
    if len(data) > SIZE_LIMIT_BYTES:
        raise BadRecord(
            "", f"A record has at most {SIZE_LIMIT_BYTES} bytes; this is larger. {ADVICE}"
        )
    if isinstance(data, str):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadRecord("", f"Byte {error.start} of the text is not UTF-8. {ADVICE}") from None


def _decompressed(data: bytes) -> bytes:
    """Returns the decompressed data, up to one byte more than the size limit."""
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            return reader.read(SIZE_LIMIT_BYTES + 1)
    except zstandard.ZstdError as error:
        raise BadRecord("", f"The data cannot be decompressed ({error}). {ADVICE}") from None
