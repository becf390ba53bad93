"""Tokens: created, listed and revoked by organisers, or created by who has an invitation. Logins by
them are ended by who logged in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.operations.caller import EVERYBODY, ORGANISERS, READERS
from arena.operations.operation import Changing, Reading, Text, changes, reads
from arena.store import schema, tokens
from arena.store.schema import Role, now
from arena.views.matches.match_query import until_of
from arena.views.token import (
    EndedLogin,
    Invitation,
    Invitations,
    NewInvitation,
    NewToken,
    NewTokens,
    OneToken,
    RevokedInvitation,
    Token,
    Tokens,
)

MOST_AT_ONCE = 500
MOST_USES = 1000
Owners = Annotated[tuple[Text, ...], Field(max_length=MOST_AT_ONCE)]
Expires = Annotated[
    Text, Field(description="A moment, or a day with its end, such as 2026-07-07; empty: never.")
]


@changes("POST", "/tokens", ORGANISERS)
def create_token(call: Changing, owner: Text, role: Role, expires: Expires = "") -> NewToken:
    """Create a token. Only this answer has its text."""
    with call.store.writing() as session:
        return _created(session, owner, role, _moment(expires))


@changes("POST", "/tokens/roster", ORGANISERS)
def create_tokens(call: Changing, owners: Owners, role: Role, expires: Expires = "") -> NewTokens:
    """Create a token for each of these owners, or none. Only this answer has their texts."""
    if not owners:
        raise ArenaError(Kind.WRONG_INPUT, "The list has no names.", "owners")
    moment = _moment(expires)
    with call.store.writing() as session:
        made: dict[str, NewToken] = {}
        for owner in owners:
            new = _created(session, owner, role, moment)
            if new.token.owner in made:
                raise ArenaError(
                    Kind.WRONG_INPUT, f"{new.token.owner} is in the list twice.", "owners"
                )
            made[new.token.owner] = new
        return NewTokens(tokens=tuple(made.values()))


def _created(session: Session, owner: str, role: Role, expires_at: datetime | None) -> NewToken:
    token, text = tokens.create_token(session, owner, role, expires_at)
    return NewToken(token=Token.model_validate(token), text=text)


def _moment(expires: str) -> datetime | None:
    """Raises ArenaError."""
    if not expires:
        return None
    moment = until_of("expires", expires)
    if moment <= now():
        raise ArenaError(Kind.WRONG_INPUT, "expires is in the past: give a later time.", "expires")
    return moment


@reads("/tokens", ORGANISERS)
def list_tokens(asked: Reading) -> Tokens:
    """All tokens, oldest first, without their texts."""
    found = tokens.all_tokens(asked.session)
    return Tokens(tokens=tuple(map(Token.model_validate, found)))


@changes("POST", "/tokens/{token_id}/revocation", ORGANISERS)
def revoke_token(call: Changing, token_id: Text) -> OneToken:
    """Revoke a token for good."""
    with naming("id"), call.store.writing() as session:
        return OneToken(token=Token.model_validate(tokens.revoke_token(session, token_id)))


@changes("POST", "/logins/{login}/end", READERS)
def end_login(call: Changing, login: Text) -> EndedLogin:
    """End a login to the pages: its cookie is no longer valid. The pages do so when you log out."""
    with call.store.writing() as session:
        tokens.end_login(session, login)
        return EndedLogin(login=login)


@changes("POST", "/invitations", ORGANISERS)
def create_invitation(
    call: Changing,
    uses: Annotated[
        int, Field(ge=1, le=MOST_USES, description="The number of people who can use it.")
    ] = 1,
    expires: Expires = "",
) -> NewInvitation:
    """Create a code by which people create tokens of the role `owner` for themselves. Only this
    answer has it."""
    moment = _moment(expires)
    with call.store.writing() as session:
        row, code = tokens.create_invitation(session, uses, moment)
        return NewInvitation(invitation=Invitation.model_validate(row), code=code)


@reads("/invitations", ORGANISERS)
def list_invitations(asked: Reading) -> Invitations:
    """All invitations, oldest first, without their codes."""
    row = schema.Invitation
    found = asked.session.scalars(sa.select(row).order_by(row.created_at, row.id))
    return Invitations(invitations=tuple(map(Invitation.model_validate, found)))


@changes("DELETE", "/invitations/{invitation_id}", ORGANISERS)
def revoke_invitation(call: Changing, invitation_id: Text) -> RevokedInvitation:
    """Revoke an invitation. Tokens that were created by it stay."""
    with call.store.writing() as session:
        row = session.get(schema.Invitation, invitation_id)
        if row is None:
            raise ArenaError(
                Kind.NOT_FOUND,
                f"There is no invitation {invitation_id!r}; `arena invitation list` lists them.",
                "invitation_id",
            )
        session.delete(row)
    return RevokedInvitation(id=invitation_id)


@changes("POST", "/join", EVERYBODY)
def join(call: Changing, code: Text, owner: Text) -> NewToken:
    """Create a token of the role `owner` for yourself by the code of an invitation, in a name that
    nobody has. Only this answer has its text. It needs no token, so an address can try it 10 times
    a minute."""
    with call.store.writing() as session:
        token, text = tokens.use_invitation(session, code.strip(), owner)
        return NewToken(token=Token.model_validate(token), text=text)
