"""The token of the user, by which a running arena knows them."""

from __future__ import annotations

import os

from arena.errors import ArenaError, Kind

TOKEN = "ARENA_USER_TOKEN"
AROUND = " \t\r\n\ufeff\"'"  # what files, editors and shells leave around a token


def own_token() -> str:
    """Returns the user's token; empty if there is none."""
    return os.environ.get(TOKEN, "").strip(AROUND)


def no_own_token() -> ArenaError:
    """Returns the refusal of a user who has none."""
    return ArenaError(
        Kind.UNREACHABLE,
        f"The server needs to know who you are: put your token into {TOKEN}. On the machine of its"
        " data folder you can use --data DIR without a token.",
        "token",
    )
