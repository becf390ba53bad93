"""Tokens: secrets that let people act on a server in their own name; and the names of owners, who
have tokens or bots. Two names that differ only by case are one, in the spelling that came first."""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.moment import minute
from arena.nearest import no_such
from arena.store.schema import NOBODY, Ban, Bot, EndedLogin, Invitation, Role, Token, now

PREFIX = "sat_"
INVITATION_PREFIX = "inv_"
SECRET_BYTES = 32
ID_BYTES = 4
LOGIN_VALID = timedelta(days=14)
"""A login to the pages lasts so long."""
LONGEST = 63
# Besides letters, marks and digits of any script; the last two are typographic apostrophes.
SIGNS = frozenset(" .@_-&'\N{RIGHT SINGLE QUOTATION MARK}\N{HEBREW PUNCTUATION GERESH}")


def create_token(
    session: Session, owner: str, role: Role, expires_at: datetime | None = None
) -> tuple[Token, str]:
    """Returns a new token and its text, which is not stored anywhere. The token of a known owner
    has the stored spelling of the name. `expires_at`: None: never. Raises ArenaError, also for a
    banned one."""
    name = normalised_name(owner)
    name = known_spelling(session, name) or name
    check_not_banned(session, name)
    text = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    token = Token(
        id=secrets.token_hex(ID_BYTES),
        hash=_hash(text),
        owner=name,
        role=role,
        expires_at=expires_at,
    )
    session.add(token)
    session.flush()
    return token, text


def create_invitation(
    session: Session, uses: int, expires_at: datetime | None
) -> tuple[Invitation, str]:
    """Returns a new invitation and its code, which is not stored anywhere."""
    code = INVITATION_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    row = Invitation(
        id=secrets.token_hex(ID_BYTES), hash=_hash(code), uses=uses, expires_at=expires_at
    )
    session.add(row)
    session.flush()
    return row, code


def use_invitation(session: Session, code: str, owner: str) -> tuple[Token, str]:
    """Returns a new token for an owner whom nobody knows yet, and its text. Raises ArenaError."""
    row = session.scalar(sa.select(Invitation).where(Invitation.hash == _hash(code)))
    if row is None or not row.uses or (row.expires_at is not None and now() >= row.expires_at):
        raise ArenaError(
            Kind.FORBIDDEN,
            "The invitation is unknown, used up or over; ask an organiser for another.",
            "code",
        )
    known = known_spelling(session, normalised_name(owner))
    if known is not None:
        raise ArenaError(
            Kind.TAKEN,
            f"There is an owner {known} already: choose another name. If you are {known}, ask an"
            " organiser for a new token.",
            "owner",
        )
    row.uses -= 1
    return create_token(session, owner, Role.OWNER)


def verified(session: Session, text: str) -> Token | None:
    """Returns the token with that text, unless it was revoked. Raises ArenaError with the reason if
    that was because its owner is banned, and if it has expired."""
    hashed = _hash(text)
    token = session.scalar(sa.select(Token).where(Token.hash == hashed))
    if token is None or not hmac.compare_digest(token.hash, hashed):
        return None
    return _in_force(session, token)


def token_with_id(session: Session, token_id: str) -> Token | None:
    """Returns the token with that id, unless it was revoked. Raises ArenaError as `verified`
    does."""
    token = session.get(Token, token_id)
    return None if token is None else _in_force(session, token)


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


def ban_of(session: Session, owner: str) -> Ban | None:
    """Returns the ban of an owner, given as the name is stored; None if they may take part."""
    return session.get(Ban, owner)


def check_not_banned(session: Session, owner: str) -> None:
    """Raises ArenaError, which has the reason, if the owner is banned."""
    ban = ban_of(session, owner)
    if ban is not None:
        raise ArenaError(Kind.FORBIDDEN, f"{owner} is banned: {ban.reason}", "token")


def end_login(session: Session, login: str) -> None:
    """Ends a login to the pages for good. Forgets those whose cookies have expired."""
    session.execute(sa.delete(EndedLogin).where(EndedLogin.ended_at < now() - LOGIN_VALID))
    session.merge(EndedLogin(id=login))


def has_ended(session: Session, login: str) -> bool:
    """Returns whether a login has been ended."""
    return session.get(EndedLogin, login) is not None


def normalised_name(text: str) -> str:
    """Returns the name in Unicode's normal form C. Raises ArenaError if no owner may have it."""
    name = unicodedata.normalize("NFC", text)
    begins = unicodedata.category(name[0])[0] if name else ""
    is_good = len(name) <= LONGEST and begins in ("L", "N") and all(map(_is_taken, name))
    if not is_good or visible(name) != name:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "An owner's name begins with a letter or digit and has letters, marks, digits, spaces,"
            f" apostrophes and any of . @ _ - &, at most {LONGEST}; not {text!r}.",
            "owner",
        )
    return name


def known_spelling(session: Session, name: str) -> str | None:
    """Returns the name of an owner as it is stored: that name, or else one that differs from it by
    case or normal form; None if there is none."""
    known = (
        sa.select(Bot.name).where(Bot.owner == name),
        sa.select(Token.id).where(Token.owner == name),
    )
    if any(session.scalars(query.limit(1)).first() is not None for query in known):
        return name
    owners = sa.union(sa.select(Token.owner), sa.select(Bot.owner).where(Bot.owner != NOBODY))
    wanted = _folded(name)
    return min((one for one in session.scalars(owners) if _folded(one) == wanted), default=None)


def owner_named(session: Session, name: str) -> str:
    """Returns the name of an owner as it is stored. Raises ArenaError, naming similar ones, if
    nobody of that name has a bot or a token."""
    known = known_spelling(session, name)
    if known is None:
        with_bots = sa.select(Bot.owner).where(Bot.owner != NOBODY).distinct().order_by(Bot.owner)
        raise ArenaError(
            Kind.NOT_FOUND, no_such("owner", name, session.scalars(with_bots).all()), "owner"
        )
    return known


def _in_force(session: Session, token: Token) -> Token | None:
    if token.revoked_at is not None:
        check_not_banned(session, token.owner)
        return None
    if token.expires_at is not None and now() >= token.expires_at:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            f"The token expired at {minute(token.expires_at)}; ask an organiser for a new one.",
            "token",
        )
    return token


def _hash(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


def _is_taken(character: str) -> bool:
    return character in SIGNS or unicodedata.category(character)[0] in ("L", "M", "N")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
