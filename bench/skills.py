"""`python -m bench skills`: the spread of bots, compared with the luck of a match, in each game.

The bots are the game's sample bot with more and more random decisions, from none to all. They play
single matches with the seats of a new ladder, in any seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import sqrt
from random import Random
from statistics import fmean, pvariance
from time import process_time

from rich.table import Table

from arena.ratings import (
    BETA,
    JobResult,
    RatedSeat,
    Skill,
    estimate_draw_probability,
    fit,
    job_result,
)
from bench.duplicate.sample_seat import Player, SampleSeat, sample_bot
from sevens_games import SeededDeals, load, own_slugs
from sevens_games.engine import GameOf

NOISE = (0.0, 0.1, 0.2, 0.4, 0.7, 1.0)
"""The share of each bot's decisions that are random."""
SECONDS = 12.0
"""CPU time for each game."""


def tables() -> Iterator[Table]:
    """Yields the table, whose figures `docs/pairing.md` has."""
    table = Table(
        title=f"Skills of sample bots with {', '.join(f'{share:.0%}' for share in NOISE)} of"
        " random decisions"
    )
    for column in ("game", "seats", "teams", "spread in beta", "equals tie", "matches"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for slug in sorted(own_slugs()):
        game = load(slug)
        seats = game.ladder_players
        draws = _draw_probability(game, seats)
        results = _played(slug, game, seats)
        table.add_row(
            slug,
            str(seats),
            str(len(set(game.teams(seats)))),
            f"{_spread(results, draws):.2f}",
            f"{draws:.1%}",
            f"{results.total():,}",
        )
    yield table


def _draw_probability(game: GameOf, seats: int) -> float:
    return estimate_draw_probability(game, {}, range(seats), [range(seats)])


def _spread(results: Counter[JobResult[str]], draws: float) -> float:
    """Returns the standard deviation of the skills in beta, without what the fit leaves open about
    their differences. Of their common level results say nothing: its variance is the prior's."""
    skills = fit(results, draws).values()
    level = Skill().sigma ** 2 / len(skills)
    open_variance = fmean(skill.sigma**2 for skill in skills) - level
    return sqrt(max(pvariance(skill.mu for skill in skills) - open_variance, 0)) / BETA


def _played(slug: str, game: GameOf, seats: int) -> Counter[JobResult[str]]:
    rng = Random(slug)
    players = [Player(sample_bot(slug), share) for share in NOISE]
    results: Counter[JobResult[str]] = Counter()
    began = process_time()
    while process_time() - began < SECONDS:
        seated = rng.sample(players, seats)
        ranks = _ranks(game, seated, rng)
        row = [
            RatedSeat(f"{player.noise:.0%}", team, rank)
            for player, team, rank in zip(seated, game.teams(seats), ranks, strict=True)
        ]
        results[job_result([row])] += 1
    return results


def _ranks(game: GameOf, players: Sequence[Player], rng: Random) -> Sequence[int]:
    """Plays a match; returns the rank of each seat."""
    deal = str(rng.random())
    match = game.start(players=len(players), deals=SeededDeals(deal))
    bots = [
        SampleSeat(match, seat, player, sha256(f"{deal}/{seat}".encode()).digest())
        for seat, player in enumerate(players)
    ]
    while match.to_act:
        seat = rng.choice(match.to_act)
        match.apply(seat, bots[seat].choose())
    assert match.result is not None
    return match.result.ranks
