"""`python -m bench searcher`: the sample bot that searches, against the game's own sample bot.

Each deal is played by the searcher as every team in turn, against the other bot at all other seats.
Its budget is a number of playouts: unlike time, it is the same on every machine. Scores are
compared, too: in Envite, the cards of a deal may decide both matches on it.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from hashlib import sha256
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from bench.duplicate.sample_seat import MakeBot, Player, SampleSeat, bot_class, sample_bot
from bench.interval import with_interval
from sevens_games import Result, SeededDeals, direction, load, own_slugs
from sevens_games.engine import GameOf


class Difference(NamedTuple):
    """The distance between two bots, positive if the first did worse: in mean ranks, and in mean
    scores."""

    ranks: float
    scores: float


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
    table.add_column("game")
    for column in ("seats", "deals", "behind in ranks", "behind in scores"):
        table.add_column(column, justify="right")
    for slug in sorted(asked.games or own_slugs()):
        game = load(slug)
        deals = played(game, searcher, asked.seconds)
        ranks, scores = (estimate(each) for each in zip(*deals, strict=True))
        table.add_row(slug, str(game.ladder_players), str(len(deals)), ranks, scores)
    Console().print(table)


def positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0.")
    return int(text)


def estimate(values: Sequence[float]) -> str:
    """Returns the mean and, of several values, half the width of its 95 % interval."""
    mean, number = fmean(values), len(values)
    if number == 1:
        return f"{mean:+.2f}"
    return with_interval(mean, stdev(values) / number**0.5)


def played(game: GameOf, searcher: MakeBot, seconds: int) -> list[Difference]:
    """Returns, by deal, how much worse the searcher did than the game's bot."""
    deals: list[Difference] = []
    began = process_time()
    while process_time() - began < seconds:
        deal = f"searcher/{len(deals)}"
        deals.append(difference(game, deal, searcher, sample_bot(game.slug)))
    return deals


def difference(game: GameOf, deal: str, one: MakeBot, other: MakeBot) -> Difference:
    """Returns how much worse one bot did than the other, over matches on one deal in which it is
    each team in turn."""
    teams = game.teams(game.ladder_players)
    matches = [
        difference_in(result_of(game, deal, teams, team, one, other), teams, team)
        for team in set(teams)
    ]
    ranks, scores = (fmean(each) for each in zip(*matches, strict=True))
    return Difference(ranks, scores)


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


def difference_in(result: Result, teams: tuple[int, ...], team: int) -> Difference:
    ranks, scores = (apart(each, teams, team) for each in (result.ranks, result.scores))
    return Difference(ranks, -direction(result) * scores)


def apart(values: Sequence[float], teams: tuple[int, ...], team: int) -> float:
    own = [value for value, at in zip(values, teams, strict=True) if at == team]
    others = [value for value, at in zip(values, teams, strict=True) if at != team]
    return fmean(own) - fmean(others)
