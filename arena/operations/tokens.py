"""Tokens: created, listed and revoked by organisers. Logins by them are ended by who logged in."""

from __future__ import annotations

from arena.errors import naming
from arena.operations.caller import ORGANISERS, READERS
from arena.operations.operation import Changing, Reading, Text, changes, reads
from arena.store import tokens
from arena.store.schema import Role
from arena.views.token import EndedLogin, NewToken, OneToken, Token, Tokens


@changes("POST", "/tokens", ORGANISERS)
def create_token(call: Changing, owner: Text, role: Role) -> NewToken:
    """Create a token. Only this answer has its text."""
    with call.store.writing() as session:
        token, text = tokens.create_token(session, owner, role)
        return NewToken(token=Token.model_validate(token), text=text)


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
