"""Tokens, without their texts."""

from __future__ import annotations

from arena.store.schema import Role
from arena.views.view import Moment, View


class Token(View):
    """A token. `owner`: the name in which its bearer acts. `revoked_at`: None if it was not.
    `expires_at`: None: never."""

    id: str
    owner: str
    role: Role
    created_at: Moment
    revoked_at: Moment | None
    expires_at: Moment | None = None


class Tokens(View):
    """The tokens of an arena, oldest first."""

    tokens: tuple[Token, ...]


class OneToken(View):
    """A token that has been changed."""

    token: Token


class EndedLogin(View):
    """A login to the pages that has been ended."""

    login: str


class NewToken(OneToken):
    """A new token with its text, which is not stored."""

    text: str


class NewTokens(View):
    """New tokens, in the order of the names that were given."""

    tokens: tuple[NewToken, ...]


class Invitation(View):
    """A code by which people create tokens for themselves, without its text. `uses`: how many more
    people can. `expires_at`: None: never."""

    id: str
    uses: int
    created_at: Moment
    expires_at: Moment | None


class Invitations(View):
    """The invitations, oldest first."""

    invitations: tuple[Invitation, ...]


class NewInvitation(View):
    """A new invitation with its code, which is not stored."""

    invitation: Invitation
    code: str


class RevokedInvitation(View):
    """An invitation that has been revoked."""

    id: str
