"""The cookie of somebody who has logged in: the id of their token and the time, signed. It never
holds the token itself, and whether that is still valid is looked up at each request."""

from __future__ import annotations

from hashlib import sha256

from itsdangerous import BadData, TimestampSigner

CHALLENGE = 'Cookie realm="Sevens Arena", form-action="/login"'
"""The value of WWW-Authenticate where a valid cookie is missing."""
VALID_S = 14 * 24 * 60 * 60
PURPOSE = b"login cookie"
"""What a signature is for; the same key may sign other things."""


def cookie_name(*, secure: bool) -> str:
    """Returns the cookie's name. Browsers take the one for https over https alone, from this very
    host, and for all of its paths."""
    return "__Host-login" if secure else "login"


def signed(key: bytes, token_id: str) -> str:
    """Returns the cookie for a token's id, which is valid from now on for VALID_S."""
    return _signer(key).sign(token_id).decode()


def token_id_of(key: bytes, cookie: str) -> str | None:
    """Returns the id in a cookie; None if it was not signed by this key or its time is over."""
    try:
        return _signer(key).unsign(cookie, VALID_S).decode()
    except BadData:
        return None


def _signer(key: bytes) -> TimestampSigner:
    return TimestampSigner(key, PURPOSE, key_derivation="hmac", digest_method=sha256)
