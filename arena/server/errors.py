"""How the server says no."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc
import grpc.aio

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

FIELD = "sevens-field"
SENTENCE_BYTES = 1500  # the status of a call travels in a header


class Refusal(Exception):
    """Ends a call. Its text is a sentence for the caller: what was wrong and what to do. `field`:
    the argument that was wrong, if one was."""

    def __init__(self, code: grpc.StatusCode, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.field = field


def wrong(sentence: str, field: str) -> Refusal:
    """The refusal of an argument that could not be right at any time."""
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, sentence, field)


def exhausted(sentence: str) -> Refusal:
    """The refusal of what would be too much now."""
    return Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence)


async def refuse(context: Context, refusal: Refusal) -> None:
    """Ends a call, by raising, so that the caller is told why. By the field, be it empty, he knows
    the sentence from what gRPC says."""
    await context.abort(
        refusal.code,
        sendable(str(refusal), SENTENCE_BYTES),
        ((FIELD, refusal.field),),
    )


def sendable(text: str, limit_bytes: int | None = None) -> str:
    """The text, or its beginning, as it can be sent: odd names of files are no Unicode."""
    return text.encode(errors="backslashreplace")[:limit_bytes].decode(errors="ignore")
