"""Logging in by token: the cookie, and how often it may be tried."""

from arena.web.login.attempts import Attempts
from arena.web.login.cookie import CHALLENGE, VALID_S, cookie_name, signed, token_id_of

__all__ = ["CHALLENGE", "VALID_S", "Attempts", "cookie_name", "signed", "token_id_of"]
