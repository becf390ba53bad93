"""`python -m bench searcher`: the sample bot that searches, against the game's own sample bot.

Each deal is played by the searcher as every team in turn, against the other bot at all other seats.
Its budget is a number of playouts: unlike time, it is the same on every machine.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from hashlib import sha256
from statistics import fmean, stdev
from time import process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.duplicate.sample_seat import MakeBot, Player, SampleSeat, bot_class, sample_bot
from sevens_games import Result, SeededDeals, load, own_slugs
from sevens_games.engine import GameOf

WIDTH = 1.96


def main(given: Sequence[str]) -> None:
    """Measures the games that the arguments name, and prints the table."""
    base: Any = bot_class("searcher")
    parser = ArgumentParser(prog="python -m bench searcher", description=__doc__)
    add = parser.add_argument
    add("games", nargs="*", metavar="GAME", help="name of a game (default: all)")
    add("--playouts", type=positive, default=200, help="for each decision (default: 200)")
    add(
        "--rehearsal",
        type=positive,
        default=base.rehearsal,
        help="choices made before the first match (default: %(default)s)",
    )
    add(
        "--seconds",
        type=positive,
        default=60,
        help="CPU time for each game, after which no other deal is begun (default: 60)",
    )
    asked = parser.parse_args(given)
    if unknown := {*asked.games} - {*own_slugs()}:
        wrong, known = (", ".join(sorted(slugs)) for slugs in (unknown, own_slugs()))
        parser.error(f"GAME: there is no {wrong} among {known}.")
    budgets = {"playouts": asked.playouts, "rehearsal": asked.rehearsal}
    searcher = type("Searcher", (base,), budgets)
    table = Table(
        title=f"searcher, {asked.playouts} playouts a decision after a rehearsal of"
        f" {asked.rehearsal} choices, against the game's bot"
    )
    for column in ("game", "seats", "deals", "difference of mean ranks", "95 % interval"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for slug in sorted(asked.games or own_slugs()):
        game = load(slug)
        differences = played(game, searcher, asked.seconds)
        table.add_row(slug, str(game.ladder_players), str(len(differences)), *estimate(differences))
    Console().print(table)


def positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0.")
    return int(text)


def estimate(differences: Sequence[float]) -> tuple[str, str]:
    """Returns the mean and, of several deals, its 95 % interval."""
    mean, number = fmean(differences), len(differences)
    if number == 1:
        return f"{mean:+.2f}", ""
    half = WIDTH * stdev(differences) / number**0.5
    return f"{mean:+.2f}", f"{mean - half:+.2f} to {mean + half:+.2f}"


def played(game: GameOf, searcher: MakeBot, seconds: int) -> list[float]:
    """Returns, by deal, the mean rank of the searcher less that of the other bot."""
    differences: list[float] = []
    began = process_time()
    while process_time() - began < seconds:
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
