"""Logging in by token: the cookie, and how often it may be tried.

The cookie holds an id of the login, the id of the token and the time, signed. It never holds the
token itself. Whether both are still valid is looked up at each request.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from time import monotonic

from itsdangerous import BadData, TimestampSigner

from arena.store.tokens import LOGIN_VALID

CHALLENGE = 'Cookie realm="Sevens Arena", form-action="/login"'
"""The value of WWW-Authenticate where a valid cookie is missing."""
VALID_S = int(LOGIN_VALID.total_seconds())
LOGIN_BYTES = 16
BETWEEN = ":"  # the ids
PURPOSE = b"login cookie"
"""Part of each signature, since the same key may sign other things."""
AN_ADDRESS, IN_ALL = 10, 300
WINDOW_S = 60.0


def cookie_name(*, secure: bool, path: str) -> str:
    """Returns the cookie's name. Browsers take the ones for https over https alone, and the one of
    pages at the root only from this very host, and for all of its paths. `path`: that below which
    the pages are."""
    if not secure:
        return "login"
    return "__Secure-login" if path else "__Host-login"


def signed(key: bytes, token_id: str) -> str:
    """Returns the cookie of a new login by a token's id, which is valid from now on for VALID_S."""
    return _signer(key).sign(f"{secrets.token_hex(LOGIN_BYTES)}{BETWEEN}{token_id}").decode()


def ids_in(key: bytes, cookie: str) -> tuple[str, str] | None:
    """Returns the ids of the login and of the token in a cookie; None if it was not signed by this
    key or its time is over."""
    try:
        login, _, token_id = _signer(key).unsign(cookie, VALID_S).decode().partition(BETWEEN)
    except BadData:
        return None
    return login, token_id


def _signer(key: bytes) -> TimestampSigner:
    return TimestampSigner(key, PURPOSE, key_derivation="hmac", digest_method=sha256)


class Attempts:
    """Counts the attempts of a minute, and remembers no more addresses than it allows attempts."""

    def __init__(
        self,
        an_address: int = AN_ADDRESS,
        in_all: int = IN_ALL,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._an_address = an_address
        self._in_all = in_all
        self._clock = clock
        self._lock = Lock()
        self._begun = clock()
        self._made: Counter[str] = Counter()

    def admit(self, network: str) -> bool:
        """Returns whether one more attempt is allowed from a network now, and counts it if so."""
        with self._lock:
            if self._clock() - self._begun >= WINDOW_S:
                self._begun = self._clock()
                self._made.clear()
            if self._made.get(network, 0) >= self._an_address or self._made.total() >= self._in_all:
                return False
            self._made[network] += 1
            return True
