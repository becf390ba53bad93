"""The status of a refused call: its sentence, bounded, and the field at fault."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

import grpc
import grpc.aio

from arena.errors import ArenaError

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

FIELD = "sevens-field"
SENTENCE_BYTES = 1500  # the status of a call travels in a header


async def refuse(context: Context, refusal: ArenaError) -> NoReturn:
    """Ends a call by raising. The field marks the sentence as ours, even when it is empty; gRPC's
    own errors carry none."""
    await context.abort(
        grpc.StatusCode[refusal.kind.grpc],
        sendable(refusal.sentence, SENTENCE_BYTES),
        ((FIELD, refusal.field),),
    )


def sendable(text: str, limit_bytes: int | None = None) -> str:
    """Returns the text as valid UTF-8, cut to the limit; file names need not be Unicode."""
    return text.encode(errors="backslashreplace")[:limit_bytes].decode(errors="ignore")
