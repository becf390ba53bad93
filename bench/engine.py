"""The engine: random play and clones of every game, beside OpenSpiel's Oh Hell from Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

from rich.table import Table

from arena.games import Match, load, slugs
from bench.side_by_side import Ratio, measured, ratio_table

pyspiel: Any = import_module("pyspiel")  # it has no types

OPPONENT = "oh_hell(players=4,num_tricks_fixed=7)"
FIELD = "insidious-sevens"  # the game whose ratios have targets: also seven tricks, four seats
RANDOM_PLAY_TARGET = 1.2
CLONE_TARGET = 0.5
MATCHES_A_CALL = 20
CLONES_A_CALL = 5_000


def tables() -> list[Table]:
    """Every game's random play and clones against OpenSpiel's."""
    opponent = pyspiel.load_game(OPPONENT)
    play = measured(
        {"OpenSpiel": lambda: _open_spiel_play(opponent)}
        | {slug: _player_of(slug) for slug in slugs()}
    )
    state = _open_spiel_middle(opponent)
    clones = measured(
        {"OpenSpiel": lambda: _open_spiel_clones(state)}
        | {slug: _cloner_of(slug) for slug in slugs()}
    )
    ratios = [
        Ratio(f"{what}, {slug}", figures[slug], figures["OpenSpiel"], _target(slug, target))
        for what, figures, target in (
            ("random play, decisions", play, RANDOM_PLAY_TARGET),
            ("clones in mid-match", clones, CLONE_TARGET),
        )
        for slug in slugs()
    ]
    return [ratio_table("engine", ratios)]


def _target(slug: str, target: float) -> float | None:
    return target if slug == FIELD else None


def _player_of(slug: str) -> Callable[[], int]:
    game = load(slug)

    def play() -> int:
        return sum(_play(game.start()) for _ in range(MATCHES_A_CALL))

    return play


def _play(match: Match, limit: int | None = None) -> int:
    """Plays at random, to the end or until `limit` decisions; returns the number of decisions."""
    decisions = 0
    while match.to_act and decisions != limit:
        for seat in match.to_act:
            match.apply(seat, random.choice(match.legal_actions(seat)))
            decisions += 1
    return decisions


def _cloner_of(slug: str) -> Callable[[], int]:
    match = load(slug).start()
    _play(match, 120)

    def clone() -> int:
        for _ in range(CLONES_A_CALL):
            match.clone()
        return CLONES_A_CALL

    return clone


def _open_spiel_play(game: Any) -> int:
    decisions = 0
    for _ in range(MATCHES_A_CALL):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
    return decisions


def _open_spiel_middle(game: Any) -> Any:
    """A state in the middle of the play."""
    state = game.new_initial_state()
    decisions = 0
    while decisions < 18:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
    return state


def _open_spiel_clones(state: Any) -> int:
    for _ in range(CLONES_A_CALL):
        state.clone()
    return CLONES_A_CALL
