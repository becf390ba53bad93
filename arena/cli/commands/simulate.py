"""`arena simulate`: how soon a ladder's pairing finds the true order of invented bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from math import ceil, inf
from statistics import median_high
from typing import Annotated, Any

import typer

from arena.cli.output import JsonOption, print_json, stdout, table
from arena.errors import CommandError
from arena.nearest import no_such
from arena.simulation import (
    MEASURED,
    NEAR,
    Mean,
    Report,
    Terms,
    WrongTerms,
    best_tau,
    fewest_matches,
    reported,
)
from arena.store.schema import Partners

WANTED = 0.95
"""The tau for which the command says how many matches every pairing needs."""


class PairingName(StrEnum):
    """A way to choose who meets."""

    OURS = "ours"
    RANDOM = "random"
    NEAREST = "nearest"
    INFORMATION = "information"


def simulate(
    game: Annotated[
        str | None,
        typer.Option(help="Take seats, teams, spread and draws from what was measured for a game."),
    ] = None,
    bots: Annotated[int, typer.Option(min=3, max=2000, help="Number of bots.")] = 100,
    seats: Annotated[
        int | None, typer.Option(min=2, max=8, help="Seats of a match. [default: 2]")
    ] = None,
    teams: Annotated[
        int | None,
        typer.Option(min=2, max=8, help="Teams of a match. [default: one for each seat]"),
    ] = None,
    partners: Annotated[
        Partners, typer.Option(help="Whether a bot has other bots as partners, or only itself.")
    ] = Partners.ANY,
    spread: Annotated[
        float | None,
        typer.Option(
            min=0.05,
            max=20,
            help="Standard deviation of the bots' skills, in beta: the luck of one player in one"
            " match. [default: 1]",
        ),
    ] = None,
    draw_probability: Annotated[
        float | None, typer.Option(help="How often equal teams tie. [default: 0.005]")
    ] = None,
    matches: Annotated[int, typer.Option(min=4, max=10_000, help="Matches by each bot.")] = 60,
    pairing: Annotated[
        list[PairingName] | None,
        typer.Option(help="Way to choose who meets; repeatable. [default: all four]"),
    ] = None,
    seed: Annotated[str, typer.Option(help="Seed of bots, results and pairings.")] = "1",
    runs: Annotated[int, typer.Option(min=1, max=1000, help="Runs, each with other bots.")] = 4,
    as_json: JsonOption = False,
) -> None:
    """Simulate a ladder: how soon is the true order found?

    The bots are invented, and so are their results. Shows Kendall's tau between the order by
    ratings and the true one, by the number of matches, side by side for the arena's own pairing and
    others. Time grows with bots times matches: 100 bots take seconds, 1,000 take minutes.

    Examples:
        arena simulate --bots 30 --matches 30
        arena simulate --game xeri --pairing ours --pairing random
        arena simulate --spread 4 --seats 4 --teams 2 --runs 8
    """
    terms = _terms(
        _measured(game),
        bots=bots,
        matches=matches,
        seats=seats,
        teams=teams or seats,
        own_partners=partners is Partners.SAME,
        spread=spread,
        draw_probability=draw_probability,
    )
    names = dict.fromkeys(pairing or PairingName)
    reports = [reported(terms, name, seed, runs) for name in names]
    if as_json:
        print_json(_document(terms, seed, runs, reports))
    else:
        _print(terms, seed, runs, reports)


def _measured(game: str | None) -> dict[str, Any]:
    """Returns the figures of a game, if one is named."""
    if game is None:
        return {}
    if game not in MEASURED:
        raise CommandError(no_such("game", game, MEASURED), "game")
    return asdict(MEASURED[game])


def _terms(figures: dict[str, Any], **options: Any) -> Terms:
    """Returns the terms of a game's figures, and of those options that were given."""
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return Terms(**figures | given)
    except WrongTerms as wrong:
        raise CommandError(str(wrong), wrong.field) from None


def _print(terms: Terms, seed: str, runs: int, reports: Sequence[Report]) -> None:
    stdout.print(
        f"{terms.bots} bots, {terms.seats} seats, {terms.teams} teams; skills spread by"
        f" {terms.spread:g} beta; equals tie {terms.draw_probability:.1%}; seed {seed},"
        f" {runs} runs\n"
    )
    stdout.print(_taus(terms, reports))
    stdout.print(_balances(reports))
    if (fewest := fewest_matches(terms, WANTED)) is not None:
        stdout.print(
            f"\nIn a large field no pairing reaches tau {WANTED} before {ceil(fewest):,} matches a"
            " bot."
        )


def _taus(terms: Terms, reports: Sequence[Report]) -> Any:
    columns = [f"{report.pairing}{kind}" for report in reports for kind in (" running", " fit")]
    rows = [
        [
            f"{looks[0].matches:.4g}",
            *(_mean(mean) for look in looks for mean in (look.tau, look.tau_fit)),
            _figure(best_tau(terms, looks[0].matches)),
        ]
        for looks in zip(*(report.looks for report in reports), strict=True)
    ]
    return table(["matches", *columns, "at best"], rows, "Kendall's tau, ± standard error")


def _balances(reports: Sequence[Report]) -> Any:
    columns = ["pairing", "least played", "most", "seats off by", "partners off by", "newcomer"]
    rows = [
        [
            report.pairing,
            report.balance.least,
            report.balance.most,
            f"{report.balance.seats:.1f}",
            "-" if report.balance.partners is None else f"{report.balance.partners:.1f}",
            _newcomer(report.newcomers),
        ]
        for report in reports
    ]
    return table(
        columns, rows, f"Balance; matches until a newcomer stays within {NEAR} places of its own"
    )


def _newcomer(found: Sequence[int | None]) -> str:
    """Returns the median over runs; it is unknown if half of the newcomers are still on the way."""
    middle = median_high(inf if one is None else one for one in found)
    return "not yet" if middle == inf else f"{middle:.0f}"


def _mean(mean: Mean) -> str:
    return f"{mean.value:.3f}" if mean.error is None else f"{mean.value:.3f} ± {mean.error:.3f}"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _document(terms: Terms, seed: str, runs: int, reports: Sequence[Report]) -> dict[str, Any]:
    fewest = fewest_matches(terms, WANTED)
    return {
        "terms": asdict(terms),
        "seed": seed,
        "runs": runs,
        "pairings": [asdict(report) for report in reports],
        "bound": {
            "taus": [best_tau(terms, look.matches) for look in reports[0].looks],
            "matches_for_0.95": fewest,
        },
    }
