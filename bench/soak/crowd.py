"""Many remote bots in one process: `python crowd.py ADDRESS`, their tokens on stdin, one a line."""

from __future__ import annotations

import asyncio
import sys

from sevens_sdk import Bot, Decision
from sevens_sdk.aio import play
from sevens_sdk.connection import Place
from sevens_sdk.leaving import Leaving
from sevens_sdk.session import Session


class Chooser(Bot):
    """Chooses at random."""

    async def choose(self, decision: Decision) -> str:
        return self.random.choice(decision.legal)


async def all_play(address: str, tokens: list[str]) -> None:
    async with asyncio.TaskGroup() as group:
        for token in tokens:
            session = Session(Chooser, token=token, games=(), matches_at_once=1)
            group.create_task(play(session, Place(address, tls=False), Leaving(session)))


if __name__ == "__main__":
    asyncio.run(all_play(sys.argv[1], sys.stdin.read().split()))
