"""What a caller is told of a failure."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import grpc
from sqlalchemy import exc

from arena.server.errors import Refusal
from arena.store.queries import NotFound
from arena.store.tokens import WrongOwner
from arena.store.versions import NotYours

log = logging.getLogger(__name__)

# What the parts raise for a caller's mistakes, and which argument that is about.
MISTAKES: Mapping[type[Exception], tuple[grpc.StatusCode, str]] = {
    NotFound: (grpc.StatusCode.NOT_FOUND, "name"),
    NotYours: (grpc.StatusCode.ALREADY_EXISTS, "name"),
    WrongOwner: (grpc.StatusCode.INVALID_ARGUMENT, "owner"),
}
# What the store raises where it is locked for long, its disk is full, or its database is away.
STORE_TROUBLE = (exc.OperationalError, exc.TimeoutError)


def explained(failure: Exception) -> Refusal:
    """What the caller is told of a failure. The arena's own are for its log."""
    if isinstance(failure, Refusal):
        return failure
    if type(failure) in MISTAKES:
        code, field = MISTAKES[type(failure)]
        return Refusal(code, str(failure), field)
    log.error("a call failed", exc_info=failure)
    if isinstance(failure, STORE_TROUBLE):
        return Refusal(
            grpc.StatusCode.UNAVAILABLE,
            "The arena's store cannot be used just now, for a reason that its log has; try again in"
            " a minute, and if it stays so, tell the organiser.",
        )
    sentence = "The arena itself failed, which its log explains; tell the organiser."
    return Refusal(grpc.StatusCode.INTERNAL, sentence)
