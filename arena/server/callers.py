"""Who calls, and what he may do."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import grpc
from sqlalchemy.orm import Session

from arena.server.refusal import Refusal
from arena.store.tables import Role
from arena.store.tokens import verified

SCHEME = "bearer"
LOCAL = "unix:"


@dataclass(frozen=True)
class Caller:
    """Who calls."""

    owner: str
    role: Role

    def check_may_change(self, what: str, owner: str) -> None:
        """Raises Refusal if it is somebody else's."""
        if self.role is not Role.ORGANISER and self.owner != owner:
            raise Refusal(
                grpc.StatusCode.PERMISSION_DENIED, f"{what} belongs to {owner}, not to you."
            )


LOCAL_CALLER = Caller("", Role.ORGANISER)
"""Who may enter the data folder needs no token: its socket is in a folder as private."""


def caller_of(
    session: Session, metadata: Iterable[tuple[str, str | bytes]], allowed: Collection[Role]
) -> Caller:
    """Who bears the token that a call's metadata has. Raises Refusal."""
    token = verified(session, _bearer(metadata))
    if token is None:
        raise Refusal(
            grpc.StatusCode.UNAUTHENTICATED,
            "The token is unknown or was revoked; ask an organiser for a new one.",
            "token",
        )
    if token.role not in allowed:
        roles = " or ".join(allowed)
        raise Refusal(
            grpc.StatusCode.PERMISSION_DENIED,
            f"The token is {token.owner}'s as {token.role}, and this takes one as {roles}.",
            "token",
        )
    return Caller(token.owner, token.role)


def _bearer(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    for key, value in metadata:
        if key == "authorization" and isinstance(value, str):
            scheme, _, text = value.partition(" ")
            if scheme.lower() == SCHEME:
                return text
    raise Refusal(
        grpc.StatusCode.UNAUTHENTICATED,
        "The call has no token; an organiser can give you one. Put it into ARENA_USER_TOKEN.",
        "token",
    )
