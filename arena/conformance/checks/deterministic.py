"""A whole match, fed again to a fresh process, gets the same answers at every decision."""

from __future__ import annotations

from arena.bots import Bot
from arena.conformance.checks.faultless_play import name_of
from arena.conformance.exchange import shown_decision
from arena.conformance.finding import Check, Failed
from arena.conformance.random_matches import PlannedMatch, play_in_turn
from arena.conformance.subject import Subject
from arena.match import NotStarted, Past, Reply, Rewind, past_of

NAME = "deterministic"


def deterministic_check(subject: Subject) -> Check:
    async def run() -> str:
        plans = [
            PlannedMatch(f"again-{game.slug}", game, game.ladder_players, seat=0)
            for game in subject.games
        ]
        played = await play_in_turn(subject, plans)
        pasts = [
            past_of(match.record, plan.seat) for match, plan in zip(played, plans, strict=True)
        ]
        bot = await subject.fresh_process()
        try:
            # In another order, so that a memory of earlier matches shows.
            for past in reversed(pasts):
                await _ask_again(subject, bot, past)
        finally:
            subject.leave(bot)
        asked = sum(len(past.asked) for past in pasts)
        matches = "a whole match" if len(pasts) == 1 else f"{len(pasts)} whole matches"
        return f"A fresh process gave the same answers to the {asked} decisions of {matches}."

    return Check(NAME, run, needs=tuple(name_of(game) for game in subject.games))


async def _ask_again(subject: Subject, bot: Bot, past: Past) -> None:
    try:
        async for reply in Rewind(bot, past, subject.timekeeper).replies():
            if isinstance(reply, Reply) and not reply.is_same:
                raise _different(reply)
    except NotStarted as failed:
        raise Failed(
            failed.loss.whole, sent=f"the start of match {past.start.match_id}", came_back="nothing"
        ) from None


def _different(reply: Reply) -> Failed:
    asked = reply.asked
    now = f"{reply.action!r}" if reply.fault is None else f"{reply.fault}: {reply.sentence}"
    return Failed(
        "A fresh process that was sent the same match answered otherwise. Draw all randomness from"
        " the seed in the match's start (the SDKs' `random` does), and let no clock, no order of a"
        " set and no earlier match change the answer.",
        sent=f"{shown_decision(asked.decision)}; first answer: {asked.action!r}",
        came_back=now,
    )
