"""Tokens: secrets that let people act on a server in their own name."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.schema import EndedLogin, Role, Token, now

PREFIX = "sat_"
SECRET_BYTES = 32
ID_BYTES = 4
LOGIN_VALID = timedelta(days=14)
"""A login to the pages lasts so long."""
OWNER = re.compile(r"[^\W_][\w .@-]{0,62}")


def create_token(session: Session, owner: str, role: Role) -> tuple[Token, str]:
    """Returns a new token and its text, which is not stored anywhere. Raises ArenaError."""
    if not OWNER.fullmatch(owner):
        raise ArenaError(
            Kind.WRONG_INPUT,
            "An owner's name begins with a letter or digit and has letters, digits, spaces and any"
            f" of . @ _ -, at most 63; not {owner!r}.",
            "owner",
        )
    text = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    token = Token(id=secrets.token_hex(ID_BYTES), hash=_hash(text), owner=owner, role=role)
    session.add(token)
    session.flush()
    return token, text


def verified(session: Session, text: str) -> Token | None:
    """Returns the token with that text, unless it was revoked."""
    hashed = _hash(text)
    token = session.scalar(sa.select(Token).where(Token.hash == hashed))
    if token is None or token.revoked_at is not None:
        return None
    return token if hmac.compare_digest(token.hash, hashed) else None


def token_with_id(session: Session, token_id: str) -> Token | None:
    """Returns the token with that id, unless it was revoked."""
    token = session.get(Token, token_id)
    return token if token is not None and token.revoked_at is None else None


def all_tokens(session: Session) -> Sequence[Token]:
    """Returns all tokens, oldest first."""
    return session.scalars(sa.select(Token).order_by(Token.created_at, Token.id)).all()


def contestants(session: Session) -> set[str]:
    """Returns the owners who have, or had, a token of the role `owner`."""
    return set(session.scalars(sa.select(Token.owner).where(Token.role == Role.OWNER)))


def revoke_token(session: Session, token_id: str) -> Token:
    """Revokes a token for good. Raises ArenaError."""
    token = session.get(Token, token_id)
    if token is None:
        raise ArenaError(
            Kind.NOT_FOUND, f"There is no token {token_id!r}; `arena token list` lists them.", "id"
        )
    token.revoked_at = token.revoked_at or now()
    return token


def end_login(session: Session, login: str) -> None:
    """Ends a login to the pages for good. Forgets those whose cookies have expired."""
    session.execute(sa.delete(EndedLogin).where(EndedLogin.ended_at < now() - LOGIN_VALID))
    session.merge(EndedLogin(id=login))


def has_ended(session: Session, login: str) -> bool:
    """Returns whether a login has been ended."""
    return session.get(EndedLogin, login) is not None


def _hash(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()
