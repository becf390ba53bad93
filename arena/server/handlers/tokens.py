"""Tokens: create, list and revoke them."""

from __future__ import annotations

from arena.errors import ArenaError, Kind, naming
from arena.server.handlers.call import Call
from arena.server.messages import ROLES, token_message
from arena.store import tokens
from arena.store.schema import Role
from sevens.league.v1 import token_pb2
from sevens.league.v1.token_pb2 import (
    CreateTokenRequest,
    CreateTokenResponse,
    ListTokensRequest,
    ListTokensResponse,
    RevokeTokenRequest,
    RevokeTokenResponse,
)


def create_token(call: Call, request: CreateTokenRequest) -> CreateTokenResponse:
    """Creates a token; only this response holds its text. Raises ArenaError."""
    role = _role(request.role)
    with call.store.writing() as session:
        token, text = tokens.create_token(session, request.owner, role)
        return CreateTokenResponse(token=token_message(token), text=text)


def list_tokens(call: Call, request: ListTokensRequest) -> ListTokensResponse:
    """Returns all tokens, oldest first, without their texts."""
    with call.store.reading() as session:
        return ListTokensResponse(tokens=map(token_message, tokens.all_tokens(session)))


def revoke_token(call: Call, request: RevokeTokenRequest) -> RevokeTokenResponse:
    """Revokes a token for good. Raises ArenaError."""
    with naming("id"), call.store.writing() as session:
        token = tokens.revoke_token(session, request.id)
        return RevokeTokenResponse(token=token_message(token))


def _role(role: token_pb2.Role) -> Role:
    for known, number in ROLES.items():
        if number == role:
            return known
    raise ArenaError(Kind.WRONG_INPUT, f"A token's role is one of {', '.join(Role)}.", "role")
