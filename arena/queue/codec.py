"""Messages as bytes: JSON, compressed, bounded before it is parsed."""

from __future__ import annotations

from typing import TypeVar

import zstandard
from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)

PACKED_LIMIT_BYTES = 16 * 1024 * 1024
UNPACKED_LIMIT_BYTES = 256 * 1024 * 1024


class BadMessage(ValueError):
    """Bytes from a stream that are no message of ours. Its text says what is wrong."""


def packed(message: BaseModel) -> bytes:
    """The message as bytes."""
    return zstandard.compress(message.model_dump_json().encode())


def unpacked(kind: type[M], data: bytes) -> M:
    """The message of that kind. Raises BadMessage, naming the field that is wrong."""
    if len(data) > PACKED_LIMIT_BYTES:
        raise BadMessage(f"{len(data)} bytes are too many; {PACKED_LIMIT_BYTES} are allowed.")
    try:
        size = zstandard.frame_content_size(data)
        if size < 0:
            raise BadMessage("It does not say how large it is unpacked.")
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
