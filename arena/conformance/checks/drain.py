"""After a goodbye the bot finishes what it owes and ends by itself."""

from __future__ import annotations

from arena.conformance.checks import hello
from arena.conformance.conversation import Visit, visiting
from arena.conformance.exchange import shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import Opening, opening
from arena.conformance.subject import Subject

NAME = "drain"


def drain_check(subject: Subject) -> Check:
    async def run() -> str:
        last = opening(subject.games[0], "drain")
        async with visiting(subject) as visit:
            await visit.greeted()
            await visit.take_up(last.start)
            visit.ask(last.decision)
            visit.say_goodbye()
            await _check_last_answer(visit, last)
            await _check_ending(visit, subject.patience.leave)
        return "After a goodbye it answered what it owed and ended with exit code 0."

    return Check(NAME, run, needs=(hello.NAME,))


async def _check_last_answer(visit: Visit, last: Opening) -> None:
    try:
        await visit.answer_to(last.decision)
    except Failed as failed:
        raise Failed(
            "The bot left without an answer to a decision that it owed. After a goodbye,"
            f" answer what is owed, then close the stream. {failed.sentence}",
            sent=f"{shown_decision(last.decision)}; then goodbye",
            came_back="nothing",
        ) from None


async def _check_ending(visit: Visit, seconds: float) -> None:
    ending = await visit.left()
    if ending is None:
        raise Failed(
            f"The bot was still running {seconds:g} seconds after a goodbye, with nothing owed. It"
            " has to close its stream and end; otherwise it is killed.",
            sent="goodbye",
            came_back="its last answer, but not the end of the stream",
        )
    if ending.code != 0:
        raise Failed(
            f"After a goodbye the bot's process {ending}; it should end with exit code 0."
            f"{visit.output.quote(0)}",
            sent="goodbye",
            came_back="its last answer",
        )
