"""Decisions of several matches that arrive in one frame are each answered on their own."""

from __future__ import annotations

from arena.conformance.checks import many
from arena.conformance.conversation import Visit, visiting
from arena.conformance.exchange import shown_answer, shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import Opening, opening
from arena.conformance.subject import MATCHES_AT_ONCE, Subject
from arena.match import action_of

NAME = "simultaneous decisions"


def together_check(subject: Subject) -> Check:
    async def run() -> str:
        async with visiting(subject) as visit:
            takes = max(1, (await visit.greeted()).matches_at_once)
            openings = _openings(subject, min(takes, MATCHES_AT_ONCE))
            await visit.take_up(*(opening.start for opening in openings))
            for opening in openings:
                visit.ask(opening.decision)
            for opening in openings:
                await _check_answer(visit, opening)
        if len(openings) == 1:
            return "It takes one match at a time, so it never owes two decisions at once."
        return f"It answered {len(openings)} decisions of one frame, each with its own action."

    return Check(NAME, run, needs=(many.NAME,))


def _openings(subject: Subject, count: int) -> list[Opening]:
    games = subject.games
    return [opening(games[n % len(games)], f"together-{n}") for n in range(count)]


async def _check_answer(visit: Visit, opening: Opening) -> None:
    answer = await visit.answer_to(opening.decision)
    if action_of(answer, opening.decision.legal_actions) is None:
        raise Failed(
            "An answer to one of several decisions in a frame was not one of its legal actions."
            " Take match_id and number of an answer from the decision that it answers.",
            sent=shown_decision(opening.decision),
            came_back=shown_answer(answer),
        )
