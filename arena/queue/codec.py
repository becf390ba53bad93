"""Messages as bytes: compressed JSON, bounded before it is parsed."""

from __future__ import annotations

from typing import TypeVar

import zstandard
from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)

PACKED_LIMIT_BYTES = 16 * 1024 * 1024
UNPACKED_LIMIT_BYTES = 256 * 1024 * 1024


class BadMessage(ValueError):
    """Bytes on a stream that are not one of our messages. Its text says what is wrong."""


def packed(message: BaseModel) -> bytes:
    """Returns the message as bytes."""
    return zstandard.compress(message.model_dump_json().encode())


def unpacked(kind: type[M], data: bytes) -> M:
    """Returns the message of type `kind`. Raises BadMessage, naming the wrong field."""
    if len(data) > PACKED_LIMIT_BYTES:
        raise BadMessage(f"It has {len(data)} bytes; at most {PACKED_LIMIT_BYTES} are allowed.")
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
