"""The bot plays a match of a game without a fault, at the smallest table and at the ladder's."""

from __future__ import annotations

from arena.cli.checks import hello
from arena.cli.checks.check import Check
from arena.cli.checks.subject import Subject
from arena.cli.checks.table import Table, play_alone
from arena.games.engine.game import GameOf


def name_of(game: GameOf) -> str:
    """What the check of a game is called."""
    return f"play {game.slug}"


def play_check(subject: Subject, game: GameOf) -> Check:
    async def run() -> str:
        asked = len(subject.exchanges)
        sizes = sorted({min(game.players), game.ladder_players})
        for players in sizes:
            await play_alone(subject, Table(f"{game.slug}-{players}", game, players, seat=0))
        decisions = len(subject.exchanges) - asked
        tables = " and ".join(map(str, sizes))
        return f"It played with {tables} players against builtin:random: {decisions} decisions."

    return Check(name_of(game), run, needs=(hello.NAME,))
