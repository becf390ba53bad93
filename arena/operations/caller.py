"""The caller of an operation, and what they may do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from arena.errors import ArenaError, Kind
from arena.store.schema import Role, Token

SCHEME = "bearer"
EVERYBODY: tuple[Role, ...] = ()
"""Also those without a token."""
ORGANISERS = (Role.ORGANISER,)
CONTESTANTS = (Role.OWNER, Role.ORGANISER)
READERS = (Role.READER, *CONTESTANTS)
WORKERS = (Role.WORKER,)
PLAYERS = (Role.WORKER, Role.ORGANISER)


@dataclass(frozen=True)
class Caller:
    """The person or program that asks.

    `owner`: the name in which they act; empty for the local caller and for visitors.
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

    def check_role(self, allowed: Collection[Role]) -> None:
        """Raises ArenaError unless the caller has one of these roles. None allows everybody."""
        if not allowed:
            return
        if self is VISITOR:
            raise no_token()
        if self.role in allowed:
            return
        raise ArenaError(
            Kind.FORBIDDEN,
            f"This call needs the role {' or '.join(allowed)}; the token of {self.owner} has the"
            f" role {self.role}.",
            "token",
        )


LOCAL_CALLER = Caller("", Role.ORGANISER)
"""A user who can enter the data folder needs no token; the folder of sockets is equally private."""
THE_ARENA = Caller("(arena)", Role.ORGANISER)
"""The arena itself, in the audit log: not a valid name of an owner."""
VISITOR = Caller("", Role.READER)
"""A caller without a token."""


def bearer_of(token: Token | None) -> Caller:
    """Returns the caller that a token identifies; None is no valid token. Raises ArenaError."""
    if token is None:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            "The token is unknown or was revoked; ask an organiser for a new one.",
            "token",
        )
    return Caller(token.owner, token.role)


def no_token() -> ArenaError:
    """Returns the refusal of a caller who has none."""
    return ArenaError(
        Kind.UNAUTHENTICATED,
        "The call has no token; ask an organiser for one, and put it into ARENA_USER_TOKEN.",
        "token",
    )


def token_in(authorization: str) -> str | None:
    """Returns the token in a header; None if there is none."""
    scheme, _, text = authorization.partition(" ")
    return text if scheme.lower() == SCHEME else None
