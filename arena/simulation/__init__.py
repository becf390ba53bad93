"""Ladders in simulation: how soon a pairing finds the true order of invented bots."""

from arena.simulation.bound import best_tau, fewest_matches
from arena.simulation.games import MEASURED, Measured
from arena.simulation.pairings import PAIRINGS
from arena.simulation.report import Mean, Report, reported
from arena.simulation.season import NEAR
from arena.simulation.terms import Terms, WrongTerms

__all__ = [
    "MEASURED",
    "NEAR",
    "PAIRINGS",
    "Mean",
    "Measured",
    "Report",
    "Terms",
    "WrongTerms",
    "best_tau",
    "fewest_matches",
    "reported",
]
