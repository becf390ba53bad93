"""A bot that the arena refuses ends, and does not keep dialling in."""

from __future__ import annotations

from arena.conformance.checks import hello
from arena.conformance.conversation import visiting
from arena.conformance.finding import Check, Failed
from arena.conformance.subject import Subject

NAME = "refusal"


def refusal_check(subject: Subject) -> Check:
    async def run() -> str:
        async with visiting(subject, refused=True) as visit:
            await visit.refusal()
            ending = await visit.left()
            times = visit.refusals
        if ending is None:
            raise Failed(
                f"The bot was still running {subject.patience.leave:g} seconds after it was"
                " refused. A refusal is final: print its sentence to stderr and end, with another"
                " exit code than 0.",
                sent="a refusal",
                came_back=f"{times} hellos in all" if times > 1 else "nothing",
            )
        if ending.code == 0:
            raise Failed(
                "The bot ended with exit code 0 when it was refused, as if all were well. Print"
                " the refusal's sentence to stderr and end with a different exit code.",
                sent="a refusal",
                came_back="the end of the process",
            )
        return f"When it was refused, its process {ending}."

    return Check(NAME, run, needs=(hello.NAME,))
