"""Messages as bytes: compressed JSON, bounded and authenticated before it is parsed.

Redis only carries them. Each has a signature (HMAC-SHA256) over its type, its subject and its
body, with a key that only the league and its workers have: others who can write to Redis can
neither invent a message nor change one, nor pass it off as a message about another subject.
"""

from __future__ import annotations

import hmac
from typing import TypeVar

import zstandard
from pydantic import ValidationError

from arena.queue.job import SignedMessage

M = TypeVar("M", bound=SignedMessage)

SIGNATURE_BYTES = 32
PACKED_LIMIT_BYTES = 16 * 1024 * 1024
UNPACKED_LIMIT_BYTES = 256 * 1024 * 1024


class BadMessage(ValueError):
    """Bytes on a stream that are not one of our messages. The text names the error."""


class NotSigned(BadMessage):
    """Bytes without a signature by the key: their author is unknown."""


def packed(message: SignedMessage, key: bytes) -> bytes:
    """Returns the message as bytes, signed with the key."""
    body = zstandard.compress(message.model_dump_json().encode())
    return _signature(type(message), message.about, body, key) + body


def unpacked(kind: type[M], about: str, data: bytes, key: bytes) -> M:
    """Returns the message of type `kind` about a subject.

    Raises NotSigned unless it was packed with that key about that, and BadMessage with the wrong
    field if it is invalid.
    """
    signature, body = data[:SIGNATURE_BYTES], data[SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(kind, about, body, key)):
        raise NotSigned("It is not signed with this arena's key.")
    if len(body) > PACKED_LIMIT_BYTES:
        raise BadMessage(f"It has {len(body)} bytes; at most {PACKED_LIMIT_BYTES} are allowed.")
    return _decompressed(kind, body)


def _signature(kind: type[SignedMessage], about: str, body: bytes, key: bytes) -> bytes:
    subject = f"{kind.__name__} {len(about)} {about} ".encode()
    return hmac.digest(key, subject + body, "sha256")


def _decompressed(kind: type[M], data: bytes) -> M:
    try:
        size = zstandard.frame_content_size(data)
        if size < 0:
            raise BadMessage("It does not state its unpacked size.")
        if size > UNPACKED_LIMIT_BYTES:
            raise BadMessage(
                f"It would unpack to {size} bytes; {UNPACKED_LIMIT_BYTES} are allowed."
            )
        return kind.model_validate_json(zstandard.decompress(data))
    except zstandard.ZstdError as error:
        raise BadMessage(f"It cannot be unpacked: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise BadMessage(f"Field {field or 'message'}: {first['msg']}.") from None
