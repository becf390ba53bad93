"""Who calls, and what he may do."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import grpc

from arena.server.errors import Context, Refusal
from arena.server.failures import explained
from arena.store.session import Store
from arena.store.tables import Role
from arena.store.tokens import verified

AUTHORIZATION = "authorization"
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


async def caller_of(store: Store, context: Context, allowed: Collection[Role]) -> Caller:
    """Who makes a call, by its token. Raises Refusal."""
    metadata = dict(context.invocation_metadata() or ())
    if context.peer().startswith(LOCAL) and AUTHORIZATION not in metadata:
        return LOCAL_CALLER
    try:
        return await asyncio.to_thread(_bearer, store, _token(metadata), allowed)
    except Exception as failure:
        raise explained(failure) from failure


def _bearer(store: Store, text: str, allowed: Collection[Role]) -> Caller:
    with store.reading() as session:
        token = verified(session, text)
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


def _token(metadata: Mapping[str, str | bytes]) -> str:
    value = metadata.get(AUTHORIZATION)
    if isinstance(value, str):
        scheme, _, text = value.partition(" ")
        if scheme.lower() == SCHEME:
            return text
    raise Refusal(
        grpc.StatusCode.UNAUTHENTICATED,
        "The call has no token; an organiser can give you one. Put it into ARENA_USER_TOKEN.",
        "token",
    )
