"""Plays groups of every form, and reduces them to the figures of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from bench.duplicate.form import Form
from bench.duplicate.group import Noise, noisy_players, play_match, result_of
from bench.duplicate.variance import (
    Share,
    Table,
    group_variance,
    mean_with_error,
    share_left,
)

FEWEST_GROUPS = 12
WEIGHT_OF_DEFAULTS = 3
"""A form of new ladders gets so many times the time of another."""


@dataclass(frozen=True)
class Row:
    """The figures of a form.

    `match_ms`: CPU time of a match with its bots, in milliseconds.
    `difference`, `error`: NEW's rank points minus OLD's in a group, and the standard error.
    `rotation`, `full`: the share of a single match's variance that is left at equal numbers of
    matches; None if single matches have no variance, or the form has no rotation.
    """

    slug: str
    players: int
    lines: bool
    groups: int
    seatings: int
    match_ms: float
    difference: float
    error: float
    rotation: Share | None
    full: Share | None

    @property
    def form(self) -> Form:
        return Form(self.slug, self.players, self.lines)


def measured(
    forms: Sequence[Form], seconds: float, seed: str, noise: Noise, groups: int | None = None
) -> Iterator[Row]:
    """Yields the row of each form. All of them together take about `seconds` of CPU time, more if
    that is too little for FEWEST_GROUPS; or each takes exactly `groups`."""
    shares = [WEIGHT_OF_DEFAULTS if form.is_ladder_default else 1 for form in forms]
    for form, share in zip(forms, shares, strict=True):
        yield row_of(form, seconds * share / sum(shares), seed, noise, groups)


def row_of(form: Form, seconds: float, seed: str, noise: Noise, groups: int | None) -> Row:
    """Plays groups of the form for `seconds` of CPU time, or exactly `groups`."""
    seatings, rotation = form.full_group(), form.rotation()
    players = noisy_players(form.slug, noise)
    began = process_time()
    table: list[list[float]] = []
    while not enough(len(table), process_time() - began, seconds, groups):
        deal = f"{seed}/{form.slug}/{form.players}/{len(table)}"
        table.append([result_of(form, s, play_match(form, s, deal, players)[0]) for s in seatings])
    spent = process_time() - began
    results: Table = np.array(table)
    turned = results[:, [seatings.index(seating) for seating in rotation]]
    difference, error = mean_with_error(results)
    return Row(
        slug=form.slug,
        players=form.players,
        lines=form.lines,
        groups=len(table),
        seatings=len(seatings),
        match_ms=1000 * spent / results.size,
        difference=difference,
        error=error,
        rotation=share_left(turned, group_variance) if rotation else None,
        full=share_left(results, group_variance),
    )


def enough(played: int, spent: float, seconds: float, groups: int | None) -> bool:
    """True if so many groups, after so much CPU time in seconds, are all that is wanted."""
    if groups is not None:
        return played >= groups
    return played >= FEWEST_GROUPS and spent >= seconds
