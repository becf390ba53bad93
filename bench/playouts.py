"""`python -m bench playouts`: playouts of `Search` at the first choice of a match of every game,
and simulations of OpenSpiel's information set Monte Carlo tree search in its nearest game.

Measures the plain rules, and the compiled ones if `make compiled` has built them. A playout goes to
the end of the deal, a simulation to the end of OpenSpiel's game, which is one deal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from rich.table import Table

from bench.engine import BUILDS, contestant, random_play
from bench.side_by_side import Figure, measured
from sevens_games import own_slugs

pyspiel: Any = import_module("pyspiel")  # untyped

NEAREST = {
    "insidious-sevens": "oh_hell(players=4,num_tricks_fixed=7)",
    "oh-seven": "oh_hell(players=4,num_tricks_fixed=7)",
    "pitty-pat": "gin_rummy",
    "seven-euchre": "euchre",
    "seven-rummy": "gin_rummy",
}
"""Of the games in which OpenSpiel can guess what is hidden."""
SIMULATIONS_A_CALL = 2_000
EXPLORATION = 2.0  # of UCT; it does not change the cost
NO_LIMIT = -1  # of guesses: one for each simulation


def tables() -> Iterator[Table]:
    """Yields the table, whose figures `docs/compiled.md` has."""
    with ExitStack() as processes:
        builds = {
            build: processes.enter_context(random_play(folder))
            for build, folder in BUILDS.items()
            if (folder / "sevens_games").exists()
        }
        slugs = sorted(own_slugs())
        figures = measured(
            {name: tree_search(name) for name in sorted(set(NEAREST.values()))}
            | {
                f"{build} {slug}": contestant(process, "search", slug)
                for build, process in builds.items()
                for slug in slugs
            }
        )
    table = Table(title="playouts per second of CPU time, and simulations of OpenSpiel's IS-MCTS")
    for column in ("game", *BUILDS, "OpenSpiel's game", "IS-MCTS"):
        table.add_column(column, justify="right" if column in (*BUILDS, "IS-MCTS") else "left")
    for slug in slugs:
        ours = [rate(figures.get(f"{build} {slug}")) for build in BUILDS]
        nearest = NEAREST.get(slug, "")
        table.add_row(slug, *ours, nearest, rate(figures.get(nearest)))
    yield table


def rate(figure: Figure | None) -> str:
    return "" if figure is None else f"{1e6 / figure.cpu:,.0f}"


def tree_search(name: str) -> Callable[[], int]:
    """Returns the contestant that searches at the first decision of OpenSpiel's game."""
    state = pyspiel.load_game(name).new_initial_state()
    rng = random.Random(0)
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    bot = pyspiel.ISMCTSBot(
        0,
        pyspiel.RandomRolloutEvaluator(1, 0),
        EXPLORATION,
        SIMULATIONS_A_CALL,
        NO_LIMIT,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )

    def work() -> int:
        bot.step(state)
        return SIMULATIONS_A_CALL

    return work
