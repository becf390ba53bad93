"""A ping is answered by a pong with its number."""

from __future__ import annotations

from arena.conformance.checks import hello
from arena.conformance.conversation import visiting
from arena.conformance.finding import Check, Failed
from arena.conformance.subject import Subject

NAME = "ping"
NUMBERS = [7, 2**32 - 1]


def ping_check(subject: Subject) -> Check:
    async def run() -> str:
        async with visiting(subject) as visit:
            await visit.greeted()
            for number in NUMBERS:
                visit.ping(number)
                await visit.pong()
            pongs = visit.pongs
        if pongs != NUMBERS:
            raise Failed(
                "A pong has to repeat the number of the ping that it answers.",
                sent=f"pings {', '.join(map(str, NUMBERS))}",
                came_back=f"pongs {', '.join(map(str, pongs))}",
            )
        return "It answered pings."

    return Check(NAME, run, needs=(hello.NAME,))
