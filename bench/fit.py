"""`python -m bench fit`: how far the fit of ratings, and its alternatives, are from the exact
skills, and how long it takes.

The exact skills are those of three versions by numerical integration, for ladders drawn at random.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from math import erfc, sqrt
from random import Random
from statistics import NormalDist, fmean

import numpy as np
import trueskillthroughtime as through_time
from numpy.typing import NDArray
from rich.table import Table

from arena.ratings import BETA, JobResult, Rater, Skill, fit

Floats = NDArray[np.float64]
Results = Mapping[JobResult[str], int]
Found = Mapping[str, Skill]

THREE = "abc"
LADDERS = 10
JOBS = (3, 10, 30, 100)
DRAWS = (0.01, 0.2, 0.6)
SIZES = ((100, 10_000), (300, 100_000), (1_000, 1_000_000))  # versions and jobs
DRAW_PROBABILITY = 0.1
PRIOR = Skill()


def tables() -> Iterator[Table]:
    """Yields a table of errors, and one of times."""
    yield _errors()
    yield _times()


def _errors() -> Table:
    table = Table("jobs", "method", "mean error of mu", "largest", "of sigma", "largest")
    methods: dict[str, Callable[[Results, float], Found]] = {
        "fit": fit,
        "mode and curvature": _laplace,
        "TrueSkill Through Time": _through_time,
        "running ratings": _running,
    }
    for jobs in JOBS:
        errors: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        for ladder in range(LADDERS):
            rng = Random(f"{jobs}/{ladder}")
            draws = rng.choice(DRAWS)
            results = _results(rng, len(THREE), jobs, draws)
            exact = _exact(results, draws)
            for name, method in methods.items():
                found = method(results, draws)
                errors[name] += _errors_of(found, exact)
        for name, pairs in errors.items():
            mu = [of_mu for of_mu, _ in pairs]
            sigma = [of_sigma for _, of_sigma in pairs]
            table.add_row(
                *(str(jobs), name, f"{fmean(mu):.3f}", f"{max(mu):.3f}"),
                *(f"{fmean(sigma):.1%}", f"{max(sigma):.1%}"),
            )
    return table


def _errors_of(found: Found, exact: Found) -> Iterator[tuple[float, float]]:
    """Yields the error of each mean, and of each standard deviation in proportion."""
    for version, right in exact.items():
        skill = found.get(version, PRIOR)
        yield abs(skill.mu - right.mu), abs(skill.sigma / right.sigma - 1)


def _times() -> Table:
    table = Table("versions", "jobs", "different results", "seconds")
    for versions, jobs in SIZES:
        results = _results(Random(jobs), versions, jobs, DRAW_PROBABILITY)
        started = time.perf_counter()
        fit(results, DRAW_PROBABILITY)
        took = time.perf_counter() - started
        table.add_row(f"{versions:,}", f"{jobs:,}", f"{len(results):,}", f"{took:.1f}")
    return table


def _results(rng: Random, versions: int, jobs: int, draws: float) -> Counter[JobResult[str]]:
    """Returns results between two versions at a time, of random skills, by the model."""
    margin = NormalDist().inv_cdf((draws + 1) / 2) * BETA * sqrt(2)
    names = [THREE[i] if versions == len(THREE) else f"{i:06}" for i in range(versions)]
    skills = [rng.gauss(PRIOR.mu, PRIOR.sigma) for _ in names]
    results: Counter[JobResult[str]] = Counter()
    for _ in range(jobs):
        one, other = rng.sample(range(versions), 2)
        ahead = skills[one] - skills[other] + rng.gauss(0, BETA * sqrt(2))
        ranks = (1, 1) if abs(ahead) <= margin else (1, 2) if ahead > 0 else (2, 1)
        results[JobResult(((names[one],), (names[other],)), ranks)] += 1
    return results


def _exact(results: Results, draws: float) -> Found:
    """Sums the model's probability over a grid of the skills of three versions."""
    grid = np.linspace(PRIOR.mu - 6 * PRIOR.sigma, PRIOR.mu + 6 * PRIOR.sigma, 151)
    margin = NormalDist().inv_cdf((draws + 1) / 2)
    ahead = (grid[:, None] - grid[None, :]) / (BETA * sqrt(2))
    below = np.vectorize(lambda x: erfc(-x / sqrt(2)) / 2)
    won = np.log(np.maximum(below(ahead - margin), 1e-300))
    tied = np.log(np.maximum(below(margin - ahead) - below(-margin - ahead), 1e-300))
    prior = -(((grid - PRIOR.mu) / PRIOR.sigma) ** 2) / 2
    total = prior[:, None, None] + prior[None, :, None] + prior[None, None, :]
    for result, count in results.items():
        first, second, tie = _pair(result)
        pair = tied if tie else won
        missing = 3 - first - second
        total = total + count * np.expand_dims(pair if first < second else pair.T, missing)
    mass = np.exp(total - total.max())
    mass /= mass.sum()
    return {version: _marginal(mass, grid, axis) for axis, version in enumerate(THREE)}


def _marginal(mass: Floats, grid: Floats, axis: int) -> Skill:
    own = mass.sum(axis=tuple({0, 1, 2} - {axis}))
    mean = float(own @ grid)
    return Skill(mean, sqrt(float(own @ (grid - mean) ** 2)))


def _pair(result: JobResult[str]) -> tuple[int, int, bool]:
    """Returns the numbers of the winner and the loser, and whether they tied."""
    pairs = sorted(zip(result.ranks, result.teams, strict=True))
    (rank, (first,)), (other, (second,)) = pairs
    return THREE.index(first), THREE.index(second), rank == other


def _laplace(results: Results, draws: float) -> Found:
    """The most probable skills and the curvature there, by Newton's method."""
    normal, spread = NormalDist(), BETA * sqrt(2)
    margin = normal.inv_cdf((draws + 1) / 2)
    mean = np.full(len(THREE), PRIOR.mu)
    for _ in range(100):
        slope = -(mean - PRIOR.mu) / PRIOR.sigma**2
        precision = np.eye(len(THREE)) / PRIOR.sigma**2
        for result, count in results.items():
            first, second, tie = _pair(result)
            ahead = (mean[first] - mean[second]) / spread
            if tie:
                near, far = margin - ahead, -margin - ahead
                mass = normal.cdf(near) - normal.cdf(far)
                gain = (normal.pdf(far) - normal.pdf(near)) / mass
                loss = gain**2 + (near * normal.pdf(near) - far * normal.pdf(far)) / mass
            else:
                over = ahead - margin
                gain = normal.pdf(over) / normal.cdf(over)
                loss = gain * (gain + over)
            direction = np.zeros(len(THREE))
            direction[first], direction[second] = 1 / spread, -1 / spread
            slope += count * gain * direction
            precision += count * loss * np.outer(direction, direction)
        mean = mean + np.linalg.solve(precision, slope)
    sigma = np.sqrt(np.diagonal(np.linalg.inv(precision)))
    return {v: Skill(float(mean[i]), float(sigma[i])) for i, v in enumerate(THREE)}


def _through_time(results: Results, draws: float) -> Found:
    """The package TrueSkill Through Time, for skills that never change."""
    listed = [result for result, count in results.items() for _ in range(count)]
    prior = through_time.Gaussian(PRIOR.mu, PRIOR.sigma)
    history = through_time.History(
        [[list(team) for team in result.teams] for result in listed],
        [[-rank for rank in result.ranks] for result in listed],
        times=[1] * len(listed),
        priors={version: through_time.Player(prior, BETA, 0.0) for version in THREE},
        p_draw=draws,
    )
    history.convergence(epsilon=1e-9, iterations=300, verbose=False)
    curves = history.learning_curves().items()
    return {version: Skill(curve[-1][1].mu, curve[-1][1].sigma) for version, curve in curves}


def _running(results: Results, draws: float) -> Found:
    """The ladder's own ratings, for one order of the jobs."""
    listed = [result for result, count in results.items() for _ in range(count)]
    Random(0).shuffle(listed)
    skills, rater = dict.fromkeys(THREE, PRIOR), Rater(draws)
    for result in listed:
        before = [[skills[version] for version in team] for team in result.teams]
        for team, after in zip(result.teams, rater.rate(before, result.ranks), strict=True):
            skills.update(zip(team, after, strict=True))
    return skills
