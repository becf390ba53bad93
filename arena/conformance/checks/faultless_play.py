"""The bot plays a game without a fault: at the smallest table, at the ladder's, at the largest."""

from __future__ import annotations

from arena.conformance.checks import hello
from arena.conformance.finding import Check
from arena.conformance.random_matches import PlannedMatch, play_in_turn
from arena.conformance.subject import Subject
from sevens_games.engine import GameOf


def name_of(game: GameOf) -> str:
    """Returns the name of the check of a game."""
    return f"play {game.slug}"


def play_check(subject: Subject, game: GameOf) -> Check:
    async def run() -> str:
        asked = len(subject.exchanges)
        sizes = sorted({min(game.players), game.ladder_players, max(game.players)})
        await play_in_turn(
            subject,
            [
                PlannedMatch(f"{game.slug}-{players}", game, players, seat=place % players)
                for place, players in enumerate(sizes)
            ],
        )
        decisions = len(subject.exchanges) - asked
        tables = ", ".join(map(str, sizes))
        return f"Played at tables of {tables}: {decisions} decisions, no fault."

    return Check(name_of(game), run, needs=(hello.NAME,))
