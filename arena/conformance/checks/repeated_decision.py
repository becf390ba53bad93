"""The same decision, asked again, gets the same answer, in the same process and in a fresh one."""

from __future__ import annotations

from arena.conformance.checks import many
from arena.conformance.conversation import Visit, visiting
from arena.conformance.exchange import Exchange, shown_answer, shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.samples import opening
from arena.conformance.subject import Subject
from arena.match import action_of
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchStart

NAME = "repeated decisions"
ASKED_AGAIN = 24
SECOND_ANSWER_S = 0.3
ADVICE = (
    "When a process is lost, its matches go on in a fresh one, and questions are asked again: draw"
    " all randomness from the seed in the match's start and the decision's number (the SDKs'"
    " `random` does), and let no clock and no earlier decision change the answer."
)


def repeated_check(subject: Subject) -> Check:
    async def run() -> str:
        exchanges = _spread(subject.exchanges, ASKED_AGAIN)
        async with visiting(subject) as visit:
            await visit.greeted()
            for exchange in exchanges:
                await _ask_again(visit, exchange)
            await _ask_twice(visit, subject)
        return f"A fresh process gave the same answers to {len(exchanges)} decisions."

    return Check(NAME, run, needs=(many.NAME,))


async def _ask_again(visit: Visit, exchange: Exchange) -> None:
    """Asks a decision of an earlier match, as after the loss of the process that played it."""
    start = MatchStart()
    start.CopyFrom(exchange.start)
    start.resumed = True
    await visit.take_up(start)
    since = len(visit.answers)
    visit.ask(exchange.decision)
    answer = await visit.answer_to(exchange.decision, since)
    visit.end(start.match_id)
    if _action(exchange, answer) != _action(exchange, exchange.answer):
        raise Failed(
            f"A fresh process gave a different answer to the same decision. {ADVICE}",
            sent=f"{shown_decision(exchange.decision)}; first answer:"
            f" {shown_answer(exchange.answer)}",
            came_back=shown_answer(answer),
        )


async def _ask_twice(visit: Visit, subject: Subject) -> None:
    """Asks a decision twice on one stream. One answer is enough, but two must be the same."""
    first = opening(subject.games[0], "asked-twice")
    await visit.take_up(first.start)
    since = len(visit.answers)
    visit.ask(first.decision)
    await visit.answer_to(first.decision, since)
    visit.ask(first.decision)
    await visit.quiet(SECOND_ANSWER_S)
    answers = visit.found(first.decision, since)
    legal = first.decision.legal_actions
    if len({action_of(answer, legal) for answer in answers}) > 1:
        raise Failed(
            f"The bot was asked a decision twice and answered in two ways. {ADVICE}",
            sent=f"twice: {shown_decision(first.decision)}",
            came_back=", then ".join(map(shown_answer, answers)),
        )


def _action(exchange: Exchange, answer: Answer) -> str | None:
    return action_of(answer, exchange.decision.legal_actions)


def _spread(exchanges: list[Exchange], count: int) -> list[Exchange]:
    """Returns at most `count` of them, spread from beginning to end."""
    choices = [exchange for exchange in exchanges if len(exchange.decision.legal_actions) > 1]
    return choices[:: max(1, -(-len(choices) // count))]
