"""When its stream breaks, the bot dials in again, and its match goes on."""

from __future__ import annotations

from arena.conformance.checks import hello
from arena.conformance.conversation import Visit, visiting
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import opening
from arena.conformance.subject import Subject

NAME = "reconnect"
SENT = "nothing: the arena cut the stream while a decision was owed"
ADVICE = (
    "When its stream breaks without a goodbye, a bot has to connect to ARENA_ADDRESS again, say"
    " hello and go on."
)


def reconnect_check(subject: Subject) -> Check:
    async def run() -> str:
        first = opening(subject.games[0], "reconnect")
        async with visiting(subject) as visit:
            await visit.greeted()
            await visit.take_up(first.start)
            visit.ask(first.decision)
            await _cut(visit, subject.patience.come_back)
            await visit.take_up(first.resumed)
            since = len(visit.answers)
            visit.ask(first.decision)
            await visit.answer_to(first.decision, since)
        return "It dialled in again after a broken stream and answered what it owed."

    return Check(NAME, run, needs=(hello.NAME,))


async def _cut(visit: Visit, seconds: float) -> None:
    """Cuts the stream and waits for the bot's return."""
    try:
        await visit.cut()
        back = await visit.came_back()
    except Failed as failed:
        sentence = f"The bot did not come back after its stream broke. {ADVICE}"
        raise Failed(f"{sentence} {failed.sentence}", sent=SENT, came_back="nothing") from None
    if not back:
        sentence = f"The bot did not come back within {seconds:g} seconds after its stream broke."
        raise Failed(f"{sentence} {ADVICE}", sent=SENT, came_back="nothing")
