"""The cookie of somebody who has logged in: the id of their token and an end, signed. It never
holds the token itself, and whether that is still valid is looked up at each request."""

from __future__ import annotations

import hmac
from hashlib import sha256

CHALLENGE = 'Cookie realm="Sevens Arena", form-action="/login"'
"""What a page without a valid cookie answers with, in WWW-Authenticate."""
VALID_S = 14 * 24 * 60 * 60
PURPOSE = b"login cookie\0"
"""What a signature is for; the same key may sign other things."""


def cookie_name(*, secure: bool) -> str:
    """Returns the cookie's name. Browsers take the one for https over https alone, from this very
    host, and for all of its paths."""
    return "__Host-login" if secure else "login"


def signed(key: bytes, token_id: str, end: int) -> str:
    """Returns the cookie for a token's id. `end`: until when it is valid, in Unix seconds."""
    text = f"{token_id}.{end}"
    return f"{text}.{_signature(key, text)}"


def token_id_of(key: bytes, cookie: str, now: float) -> str | None:
    """Returns the id in a cookie; None if it was not signed by this key or its time is over."""
    text, _, signature = cookie.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(key, text).encode()):
        return None
    token_id, _, end = text.rpartition(".")
    return token_id if now < int(end) else None


def _signature(key: bytes, text: str) -> str:
    return hmac.new(key, PURPOSE + text.encode(errors="replace"), sha256).hexdigest()
