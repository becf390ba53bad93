"""The bot answers each decision once, and drops a match that has ended."""

from __future__ import annotations

from arena.conformance.checks import many
from arena.conformance.conversation import Visit, visiting
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import opening
from arena.conformance.subject import Subject
from sevens_games.engine import GameOf

NAME = "stale answers"
QUIET_S = 0.3


def stale_check(subject: Subject) -> Check:
    async def run() -> str:
        async with visiting(subject) as visit:
            await visit.greeted()
            await _answers_once(visit, subject.games[0])
            await _lets_go(visit, subject.games[0])
        return "It answered each decision once, and went on when a match ended meanwhile."

    return Check(NAME, run, needs=(many.NAME,))


async def _answers_once(visit: Visit, game: GameOf) -> None:
    once = opening(game, "once")
    await visit.take_up(once.start)
    visit.ask(once.decision)
    await visit.answer_to(once.decision)
    await visit.quiet(QUIET_S)
    visit.end(once.match_id)
    if len(visit.answers) > 1:
        raise Failed(
            f"The bot sent {len(visit.answers)} answers to one decision; each decision must"
            " be answered once.",
            sent=shown_decision(once.decision),
            came_back=", then ".join(map(shown_answer, visit.answers)),
        )


async def _lets_go(visit: Visit, game: GameOf) -> None:
    """Ends a match while the bot thinks. An answer may cross the end on its way, but none may
    arrive once the bot has accepted the next match, because by then it has received the end."""
    ended, following = opening(game, "ended"), opening(game, "following")
    await visit.take_up(ended.start)
    visit.ask(ended.decision)
    visit.end(ended.match_id)
    await visit.take_up(following.start)
    since = len(visit.answers)
    visit.ask(following.decision)
    await visit.answer_to(following.decision, since)
    await visit.quiet(QUIET_S)
    if late := visit.found(ended.decision, since):
        raise Failed(
            "The bot answered a decision of a match after it had received the end of that match."
            " Drop what it still owes when a match ends.",
            sent=f"{shown_decision(ended.decision)}; then the end of that match",
            came_back=shown_answer(late[0]),
        )
