"""Measures what the luck adjustment removes, alone and beyond duplicate play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from bench.duplicate.form import Form
from bench.duplicate.group import Noise, difference, noisy_players, play_match, result_of
from bench.duplicate.measure import enough
from bench.duplicate.variance import (
    Share,
    Table,
    group_variance,
    mean_with_error,
    share_left,
    single_variance,
)
from bench.luck import RANDOM_PLAYOUTS, luck_of


@dataclass(frozen=True)
class LuckRow:
    """The figures of a form.

    `match_ms`, `luck_ms`: CPU time of a match with its bots, and of its luck, in milliseconds.
    `luck`, `error`: the mean luck, whose expectation is 0, and its standard error.
    `single`: the share of a single match's variance that is left when luck is subtracted.
    `group`: the share that is left by duplicate play, at equal numbers of matches.
    `both`: the share of a group's variance that is left when luck is subtracted.
    """

    slug: str
    players: int
    lines: bool
    groups: int
    seatings: int
    match_ms: float
    luck_ms: float
    luck: float
    error: float
    single: Share | None
    group: Share | None
    both: Share | None

    @property
    def form(self) -> Form:
        return Form(self.slug, self.players, self.lines)


def measured_luck(
    forms: Sequence[Form], seconds: float, seed: str, noise: Noise, groups: int | None = None
) -> Iterator[LuckRow]:
    """Yields the row of each form that new ladders have, in about `seconds` of CPU time for all."""
    chosen = [form for form in forms if form.is_ladder_default]
    for form in chosen:
        yield luck_row_of(form, seconds / len(chosen), seed, noise, groups)


def luck_row_of(form: Form, seconds: float, seed: str, noise: Noise, groups: int | None) -> LuckRow:
    """Plays rotations of the form for `seconds` of CPU time, or exactly `groups`.

    A rotation has each version in each seat once, as often as a full group has, with fewer matches.
    """
    seatings, players = form.rotation(), noisy_players(form.slug, noise)
    results: list[list[float]] = []
    lucks: list[list[float]] = []
    began, playing = process_time(), 0.0
    while not enough(len(results), process_time() - began, seconds, groups):
        deal = f"{seed}/{form.slug}/{form.players}/{len(results)}"
        started = process_time()
        matches = [(seating, *play_match(form, seating, deal, players)) for seating in seatings]
        playing += process_time() - started
        results.append([result_of(form, seating, result) for seating, result, _ in matches])
        lucks.append(
            [
                difference(form, seating, luck_of(played, RANDOM_PLAYOUTS))
                for seating, _, played in matches
            ]
        )
    spent = process_time() - began
    luck: Table = np.array(lucks)
    result: Table = np.array(results)
    mean, error = mean_with_error(luck)
    return LuckRow(
        slug=form.slug,
        players=form.players,
        lines=form.lines,
        groups=len(results),
        seatings=len(seatings),
        match_ms=1000 * playing / result.size,
        luck_ms=1000 * (spent - playing) / result.size,
        luck=mean,
        error=error,
        single=share_left(less_luck(result, luck), _adjusted_single, _plain_single),
        group=share_left(result, group_variance),
        both=share_left(
            less_luck(result.mean(axis=1, keepdims=True), luck.mean(axis=1, keepdims=True)),
            _adjusted_single,
            _plain_single,
        ),
    )


def less_luck(result: Table, luck: Table) -> Table:
    """Returns results, and results less a coefficient times luck, by group, seating and in this
    order. The coefficient of each group is the slope in all other groups, so that no group is
    judged by a coefficient fitted to itself."""
    together = ((result - result.mean(axis=0)) * luck).sum(axis=1)
    spread = (luck * luck).sum(axis=1)
    others = spread.sum() - spread
    slopes = np.divide(
        together.sum() - together, others, out=np.zeros_like(others), where=others > 0
    )
    return np.stack([result, result - slopes[:, None] * luck], axis=2)


def _plain_single(pairs: Table) -> float:
    return single_variance(pairs[:, :, 0])


def _adjusted_single(pairs: Table) -> float:
    return single_variance(pairs[:, :, 1])
