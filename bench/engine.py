"""The engine: random play and clones of every game, compared with OpenSpiel's Oh Hell from Python.

Measures the plain rules, and the compiled ones if `make compiled` has built them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.table import Table

from bench.side_by_side import Figure, measured, verdict
from sevens_games import slugs

pyspiel: Any = import_module("pyspiel")  # untyped

ROOT = Path(__file__).parent.parent
BUILDS = {"plain": ROOT / "rules" / "src", "compiled": ROOT / "build" / "compiled"}
OPPONENT = "oh_hell(players=4,num_tricks_fixed=7)"
FIELD = "insidious-sevens"  # the game with targets of its own: also seven tricks, four seats
FIELD_TARGETS = {("plain", "play"): 1.2, ("compiled", "play"): 2.0}
PLAY_TARGET = 50_000 / 180_000  # for every other game, plain
CLONE_TARGET = 0.5
MATCHES_A_CALL = 20
CLONES_A_CALL = 20_000
TITLES = {
    "play": "random decisions a second; ratios to OpenSpiel's, and targets",
    "clone": "clones a second in mid-match; ratios to OpenSpiel's, and targets",
}


def tables() -> list[Table]:
    """Returns the rates of random play and clones of every game, with their ratios to
    OpenSpiel's."""
    with ExitStack() as processes:
        builds = {
            build: processes.enter_context(random_play(folder))
            for build, folder in BUILDS.items()
            if (folder / "sevens_games").exists()
        }
        figures = {}
        for what, theirs in (("play", _open_spiel_play()), ("clone", _open_spiel_clones())):
            ours = {
                f"{build} {slug}": contestant(process, what, slug)
                for build, process in builds.items()
                for slug in slugs()
            }
            figures[what] = measured({"OpenSpiel": theirs} | ours)
    return [_table(what, figures[what]) for what in figures]


def _table(what: str, figures: Mapping[str, Figure]) -> Table:
    table = Table("game", *BUILDS, title=TITLES[what])
    table.add_row("OpenSpiel's Oh Hell", *[str(figures["OpenSpiel"]) for _ in BUILDS])
    for slug in slugs():
        table.add_row(slug, *[_cell(figures, build, what, slug) for build in BUILDS])
    if not any(name.startswith("compiled") for name in figures):
        table.caption = "The rules are not compiled; run `make compiled` to compare."
    return table


def _cell(figures: Mapping[str, Figure], build: str, what: str, slug: str) -> str:
    figure = figures.get(f"{build} {slug}")
    if figure is None:
        return ""
    ratio = figure.median / figures["OpenSpiel"].median
    target = _target(build, what, slug)
    judged = "" if target is None else f" of {target:.2g} {verdict(ratio >= target)}"
    return f"{figure}\n{ratio:.2f}{judged}"


def _target(build: str, what: str, slug: str) -> float | None:
    if slug == FIELD:
        return CLONE_TARGET if what == "clone" else FIELD_TARGETS[build, what]
    return PLAY_TARGET if (build, what) == ("plain", "play") else None


@contextmanager
def random_play(build: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs a process that plays with the rules of this build. It is started as a script: as a
    module, it would have the current directory before the build on its path."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "bench" / "random_play.py")],
        env={**os.environ, "PYTHONPATH": str(build)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def contestant(process: subprocess.Popen[str], what: str, slug: str) -> Callable[[], int]:
    def work() -> int:
        assert process.stdin is not None
        assert process.stdout is not None
        print(what, slug, file=process.stdin, flush=True)
        return int(process.stdout.readline())

    return work


# OpenSpiel ----------------------------------------------------------------------------------------


def _open_spiel_play() -> Callable[[], int]:
    game = pyspiel.load_game(OPPONENT)

    def play() -> int:
        return sum(_played(game.new_initial_state()) for _ in range(MATCHES_A_CALL))

    return play


def _open_spiel_clones() -> Callable[[], int]:
    state = pyspiel.load_game(OPPONENT).new_initial_state()
    _played(state, 18)  # in the middle of the tricks

    def clone() -> int:
        for _ in range(CLONES_A_CALL):
            state.clone()
        return CLONES_A_CALL

    return clone


def _played(state: Any, most: int | None = None) -> int:
    """Plays at random, to the end or until `most` decisions; returns the number of decisions."""
    decisions = 0
    while not state.is_terminal() and decisions != most:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return decisions
