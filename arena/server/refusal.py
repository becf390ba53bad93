"""How the server says no."""

from __future__ import annotations

import grpc


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
