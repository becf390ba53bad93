"""One process plays many matches, as many at once as it accepts."""

from __future__ import annotations

from arena.conformance.checks.faultless_play import name_of
from arena.conformance.finding import Check, Failed
from arena.conformance.random_matches import PlannedMatch, play_all
from arena.conformance.subject import MATCHES_AT_ONCE, Subject

NAME = "many matches"
IN_A_ROW = 3  # matches for a bot that takes one at a time


def many_check(subject: Subject) -> Check:
    async def run() -> str:
        bot = await subject.fresh_process()
        try:
            if loss := await bot.ready():
                raise Failed(loss.whole)
            at_once = min(bot.matches_at_once, MATCHES_AT_ONCE)
            count = at_once if at_once > 1 else IN_A_ROW
            await play_all(subject, bot, _matches(subject, count), at_once)
        except Failed as failed:
            failed.sentence = f"In one process with several matches: {failed.sentence}"
            raise
        finally:
            subject.leave(bot)
        how = f"{at_once} at once" if at_once > 1 else "one after another"
        return f"One process played {count} matches, {how}."

    return Check(NAME, run, needs=tuple(name_of(game) for game in subject.games))


def _matches(subject: Subject, count: int) -> list[PlannedMatch]:
    """Returns matches of all games in turn, at all seats in turn."""
    games = subject.games
    matches = []
    for number in range(count):
        game = games[number % len(games)]
        seats = game.ladder_players
        seat = number // len(games) % seats
        matches.append(PlannedMatch(f"many-{number}", game, seats, seat))
    return matches
