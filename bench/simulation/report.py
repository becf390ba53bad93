"""Several runs of a pairing, reduced to means with their standard errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from bench.simulation.season import Balance, Look, Season
from bench.simulation.terms import Terms


@dataclass(frozen=True)
class Mean:
    """A mean over runs. `error`: its standard error; None after a single run."""

    value: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        error = stdev(values) / sqrt(len(values)) if len(values) > 1 else None
        return cls(fmean(values), error)


@dataclass(frozen=True)
class MeanLook:
    """A `Look`, as the mean of all runs."""

    matches: float
    tau: Mean
    tau_fit: Mean


@dataclass(frozen=True)
class Report:
    """The results of a pairing. `balance`: the worst of all runs. `newcomers`: for the newcomer of
    each run, the matches until it had found its place; None if it had not by the end."""

    pairing: str
    looks: tuple[MeanLook, ...]
    balance: Balance
    newcomers: tuple[int | None, ...]


def reported(terms: Terms, pairing: str, seed: str, runs: int) -> Report:
    """Runs a pairing so many times, each with other bots. All pairings have the same bots."""
    seasons = [Season(terms, pairing, f"{seed}/{run}") for run in range(runs)]
    looks = [tuple(season.play()) for season in seasons]
    return Report(
        pairing,
        tuple(_means(looks)),
        _worst([season.balance() for season in seasons]),
        tuple(season.newcomer() for season in seasons),
    )


def _means(looks: Sequence[Sequence[Look]]) -> Iterator[MeanLook]:
    for at_once in zip(*looks, strict=True):
        yield MeanLook(
            at_once[0].matches,
            Mean.of([look.tau for look in at_once]),
            Mean.of([look.tau_fit for look in at_once]),
        )


def _worst(balances: Sequence[Balance]) -> Balance:
    partners = [one.partners for one in balances if one.partners is not None]
    return Balance(
        least=min(one.least for one in balances),
        most=max(one.most for one in balances),
        seats=max(one.seats for one in balances),
        partners=max(partners, default=None),
    )
