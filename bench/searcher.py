"""`python -m bench searcher`: the sample bot that searches in every game, against the game's own.

Each deal is played by the searcher as every team in turn, against the other bot at all other seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from statistics import fmean, stdev
from time import process_time

from rich.table import Table

from bench.duplicate.sample_seat import MakeBot, Player, SampleSeat, bot_class, sample_bot
from sevens_games import Result, SeededDeals, load, own_slugs
from sevens_games.engine import GameOf

PLAYOUTS = 200
"""The search budget for each decision: unlike time, it is the same on every machine."""
SECONDS = 60.0
"""CPU time for each game, after which no other deal is begun."""
WIDTH = 1.96


def tables() -> Iterator[Table]:
    """Yields the table; `sample_bots/README.md` has figures of a shorter run."""
    table = Table(title=f"searcher, {PLAYOUTS} playouts a decision, against the game's sample bot")
    for column in ("game", "seats", "deals", "difference of mean ranks", "95 % interval"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for slug in sorted(own_slugs()):
        game = load(slug)
        differences = played(game)
        mean, number = fmean(differences), len(differences)
        half = WIDTH * stdev(differences) / number**0.5 if number > 1 else float("inf")
        table.add_row(
            slug,
            str(game.ladder_players),
            str(number),
            f"{mean:+.2f}",
            f"{mean - half:+.2f} to {mean + half:+.2f}",
        )
    yield table


def played(game: GameOf) -> list[float]:
    """Returns, by deal, the mean rank of the searcher less that of the other bot."""
    searcher = type("Searcher", (bot_class("searcher"),), {"playouts": PLAYOUTS})
    differences: list[float] = []
    began = process_time()
    while process_time() - began < SECONDS:
        deal = f"searcher/{len(differences)}"
        differences.append(difference(game, deal, searcher, sample_bot(game.slug)))
    return differences


def difference(game: GameOf, deal: str, one: MakeBot, other: MakeBot) -> float:
    """Returns the mean rank of one bot less that of the other, over matches on one deal in which it
    is each team in turn."""
    teams = game.teams(game.ladder_players)
    return fmean(
        ranks_apart(teams, team, result_of(game, deal, teams, team, one, other))
        for team in set(teams)
    )


def result_of(
    game: GameOf,
    deal: str,
    teams: tuple[int, ...],
    team: int,
    one: MakeBot,
    other: MakeBot,
) -> Result:
    match = game.start(deals=SeededDeals(deal))
    bots = [
        SampleSeat(
            match,
            seat,
            Player(one if teams[seat] == team else other),
            sha256(f"{deal}/{seat}".encode()).digest(),
        )
        for seat in range(match.players)
    ]
    while match.to_act:
        seat = match.to_act[0]
        match.apply(seat, bots[seat].choose())
    assert match.result is not None
    return match.result


def ranks_apart(teams: tuple[int, ...], team: int, result: Result) -> float:
    own = [rank for rank, at in zip(result.ranks, teams, strict=True) if at == team]
    others = [rank for rank, at in zip(result.ranks, teams, strict=True) if at != team]
    return fmean(own) - fmean(others)
