"""Access to the arena, which a bot is given when its program is started."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Access:
    """Everything a bot needs to reach the arena.

    `folder`: the folder of the bot's own socket, on the host.
    `token`: the secret by which the arena recognises the bot.
    `matches_at_once`: how many matches it is offered; None leaves that to the bot.
    """

    folder: Path
    token: str
    matches_at_once: int | None

    def environment(self, address: str) -> dict[str, str]:
        """Returns the variables for a bot that sees the socket at that address."""
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": self.token}
        if self.matches_at_once is not None:
            environment["ARENA_MATCHES_AT_ONCE"] = str(self.matches_at_once)
        return environment
