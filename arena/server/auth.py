"""Authentication: who makes a call, and in which role."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from arena.failures import answer_to
from arena.operations.acting import ACTING
from arena.operations.caller import LOCAL_CALLER, Caller, bearer_of, no_token, token_in
from arena.server.connections import KNOWN_PEERS
from arena.server.lookups import LOOKUPS
from arena.server.status import Context
from arena.store.schema import Role, Token
from arena.store.session import Store
from arena.store.tokens import token_with_id, verified

AUTHORIZATION = "authorization"
LOCAL = "unix:"


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
    caller = bearer_of(token)
    caller.check_role(allowed)
    return caller


def _token(metadata: Mapping[str, str | bytes]) -> str:
    value = metadata.get(AUTHORIZATION)
    text = token_in(value) if isinstance(value, str) else None
    if text is None:
        raise no_token()
    return text
