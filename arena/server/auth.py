"""Authentication: who makes a call, and in which role."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from arena.errors import ArenaError, Kind
from arena.failures import answer_to
from arena.server.connections import KNOWN_PEERS
from arena.server.lookups import LOOKUPS
from arena.server.status import Context
from arena.store.schema import Role, Token
from arena.store.session import Store
from arena.store.tokens import token_with_id, verified

AUTHORIZATION = "authorization"
SCHEME = "bearer"
LOCAL = "unix:"
ACTING = "acting-token-id"
"""The metadata in which a local caller names the token in whose bearer's name it calls."""


@dataclass(frozen=True)
class Caller:
    """The person or program that makes a call.

    `owner`: the name in which they act; empty for the local caller.
    `role`: what they may do.
    """

    owner: str
    role: Role

    def check_may_change(self, what: str, owner: str) -> None:
        """Raises ArenaError if `what` belongs to another owner, unless the caller is an
        organiser."""
        if self.role is not Role.ORGANISER and self.owner != owner:
            raise ArenaError(Kind.FORBIDDEN, f"{what} belongs to {owner}, not to you.")

    def may_read_private(self, owner: str) -> bool:
        """Returns whether the caller may read what the bots of that owner wrote. A reader's token
        never lets them, whatever name it is in."""
        return self.role is Role.ORGANISER or (self.role is Role.OWNER and self.owner == owner)

    def check_can_own(self) -> None:
        """Raises ArenaError for the local caller, in whose name no bot can be entered."""
        if self is LOCAL_CALLER:
            raise ArenaError(
                Kind.UNAUTHENTICATED,
                "A bot needs an owner: submit it with its owner's token.",
                "token",
            )


LOCAL_CALLER = Caller("", Role.ORGANISER)
"""Anybody who can enter the data folder needs no token; the socket's folder is equally private."""


async def authenticate(store: Store, context: Context, allowed: Collection[Role]) -> Caller:
    """Returns the caller that a call's token stands for. Raises ArenaError."""
    metadata = dict(context.invocation_metadata() or ())
    if context.peer().startswith(LOCAL) and AUTHORIZATION not in metadata:
        if ACTING not in metadata:
            return LOCAL_CALLER
        return await asyncio.to_thread(_acting, store, str(metadata[ACTING]), allowed)
    try:
        text = _token(metadata)
        caller = await LOOKUPS.find(text, lambda: _bearer(store, text, allowed))
    except Exception as failure:
        raise answer_to(failure) from failure
    KNOWN_PEERS.add(context.peer())
    return caller


def _bearer(store: Store, text: str, allowed: Collection[Role]) -> Caller:
    with store.reading() as session:
        return _caller(verified(session, text), allowed)


def _acting(store: Store, token_id: str, allowed: Collection[Role]) -> Caller:
    with store.reading() as session:
        return _caller(token_with_id(session, token_id), allowed)


def _caller(token: Token | None, allowed: Collection[Role]) -> Caller:
    """Returns whom a token stands for, None being no token. Raises ArenaError."""
    if token is None:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            "The token is unknown or was revoked; ask an organiser for a new one.",
            "token",
        )
    if token.role not in allowed:
        raise ArenaError(
            Kind.FORBIDDEN,
            f"This call needs the role {' or '.join(allowed)}; the token of {token.owner} has the"
            f" role {token.role}.",
            "token",
        )
    return Caller(token.owner, token.role)


def _token(metadata: Mapping[str, str | bytes]) -> str:
    value = metadata.get(AUTHORIZATION)
    if isinstance(value, str):
        scheme, _, text = value.partition(" ")
        if scheme.lower() == SCHEME:
            return text
    raise ArenaError(
        Kind.UNAUTHENTICATED,
        "The call has no token; ask an organiser for one, and put it into ARENA_USER_TOKEN.",
        "token",
    )
