"""`python -m bench simulate`: how soon a ladder's pairing finds the true order of invented bots.

Prints Kendall's tau between the order by ratings and the true one, by the number of matches, for
the arena's own pairing and others. Time grows with bots times matches: 100 bots take seconds,
1,000 take minutes.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from math import ceil, inf
from statistics import median_high

from rich.console import Console
from rich.table import Table

from arena.ratings import LEAST_DRAW_PROBABILITY
from bench.simulation.bound import best_tau, fewest_matches
from bench.simulation.pairings import PAIRINGS
from bench.simulation.report import Mean, Report, reported
from bench.simulation.season import NEAR
from bench.simulation.terms import Terms, WrongTerms

WANTED = 0.95
"""The tau for which the command says how many matches every pairing needs."""


def main(given: Sequence[str]) -> None:
    """Runs the simulation that the arguments describe, and prints its tables."""
    parser = parser_of_terms()
    asked = parser.parse_args(given)
    try:
        terms = terms_of(asked)
    except WrongTerms as wrong:
        parser.error(f"--{wrong.field.replace('_', '-')}: {wrong}")
    names = dict.fromkeys(asked.pairing or PAIRINGS)
    reports = [reported(terms, name, asked.seed, asked.runs) for name in names]
    show(terms, asked.seed, asked.runs, reports)


def parser_of_terms() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m bench simulate", description=__doc__)
    add = parser.add_argument
    add("--bots", type=int, default=100, help="number of bots (default: 100)")
    add("--seats", type=int, default=2, help="seats of a match (default: 2)")
    add("--teams", type=int, help="teams of a match (default: one for each seat)")
    add("--own-partners", action="store_true", help="a team consists of one bot alone")
    add(
        "--spread",
        type=float,
        default=1.0,
        help="standard deviation of the bots' skills, in beta: the luck of one player in one match"
        " (default: 1)",
    )
    add(
        "--draw-probability",
        type=float,
        default=LEAST_DRAW_PROBABILITY,
        help=f"how often equal teams tie (default: {LEAST_DRAW_PROBABILITY})",
    )
    add("--matches", type=int, default=60, help="matches by each bot (default: 60)")
    add(
        "--pairing",
        action="append",
        choices=PAIRINGS,
        help="way to choose who meets; repeatable (default: all four)",
    )
    add("--seed", default="1", help="seed of bots, results and pairings (default: 1)")
    add("--runs", type=int, default=4, help="runs, each with other bots (default: 4)")
    return parser


def terms_of(asked: Namespace) -> Terms:
    """Returns the terms that the arguments describe. Raises WrongTerms."""
    return Terms(
        bots=asked.bots,
        seats=asked.seats,
        teams=asked.teams or asked.seats,
        own_partners=asked.own_partners,
        spread=asked.spread,
        draw_probability=asked.draw_probability,
        matches=asked.matches,
    )


def show(terms: Terms, seed: str, runs: int, reports: Sequence[Report]) -> None:
    """Prints the reports, one of each pairing, side by side."""
    out = Console()
    out.print(
        f"{terms.bots} bots, {terms.seats} seats, {terms.teams} teams; skills spread by"
        f" {terms.spread:g} beta; equals tie {terms.draw_probability:.1%}; seed {seed},"
        f" {runs} runs\n"
    )
    out.print(_taus(terms, reports))
    out.print(_balances(reports))
    if (fewest := fewest_matches(terms, WANTED)) is not None:
        out.print(
            f"\nIn a large field no pairing reaches tau {WANTED} before {ceil(fewest):,} matches a"
            " bot."
        )


def _taus(terms: Terms, reports: Sequence[Report]) -> Table:
    columns = [f"{report.pairing}{kind}" for report in reports for kind in (" running", " fit")]
    table = Table(title="Kendall's tau, ± standard error")
    for column in ("matches", *columns, "at best"):
        table.add_column(column, justify="right")
    for looks in zip(*(report.looks for report in reports), strict=True):
        best = best_tau(terms, looks[0].matches)
        table.add_row(
            f"{looks[0].matches:.4g}",
            *(_mean(mean) for look in looks for mean in (look.tau, look.tau_fit)),
            "-" if best is None else f"{best:.3f}",
        )
    return table


def _balances(reports: Sequence[Report]) -> Table:
    table = Table(title=f"Balance; matches until a newcomer stays within {NEAR} places of its own")
    for column in ("pairing", "least", "most", "seats off by", "partners off by", "newcomer"):
        table.add_column(column, justify="left" if column == "pairing" else "right")
    for report in reports:
        balance = report.balance
        table.add_row(
            report.pairing,
            str(balance.least),
            str(balance.most),
            f"{balance.seats:.1f}",
            "-" if balance.partners is None else f"{balance.partners:.1f}",
            _newcomer(report.newcomers),
        )
    return table


def _newcomer(found: Sequence[int | None]) -> str:
    """Returns the median over the runs. It is unknown if half of the newcomers never found their
    place."""
    middle = median_high(inf if one is None else one for one in found)
    return "not yet" if middle == inf else f"{middle:.0f}"


def _mean(mean: Mean) -> str:
    return f"{mean.value:.3f}" if mean.error is None else f"{mean.value:.3f} ± {mean.error:.3f}"
