"""Plays the groups from which `python -m bench budgets` computes its tables."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from bench.budgets.field import PAIRS, VERSUS
from bench.budgets.pool import POOL, Pool

SEED = "budgets"
WRITE_EVERY = 10


def main(given: list[str]) -> None:
    asked = arguments(given)
    pool = Pool.read(asked.pool) if asked.pool.exists() else Pool(asked.seed)
    if pool.seed != asked.seed:
        sys.exit(f"{asked.pool} has the seed {pool.seed}: name another file, or remove it.")
    wanted = {pair: asked.groups if pair in VERSUS else asked.house_groups for pair in PAIRS}
    complete(pool, wanted, asked.pool)
    print(f"{asked.pool} has {', '.join(f'{len(g)} of {p}' for p, g in pool.groups.items())}.")


def complete(pool: Pool, wanted: Mapping[tuple[str, str], int], path: Path) -> None:
    """Plays the groups that are wanting, all pairs side by side, and writes the pool now and then:
    whoever stops it can go on later."""
    for number in range(max(wanted.values())):
        for pair, groups in wanted.items():
            if len(pool.of(*pair)) <= number < groups:
                pool.play(*pair)
        if number % WRITE_EVERY == 0:
            pool.write(path)
    pool.write(path)


def arguments(given: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m bench.budgets", description=__doc__)
    add = parser.add_argument
    add(
        "--groups",
        type=int,
        default=600,
        help="of each pair of versions, including those that the file has (default: 600)",
    )
    add(
        "--house-groups",
        type=int,
        default=200,
        help="of each version and the house bot (default: 200)",
    )
    add("--seed", default=SEED, help=f"seed of all deals and bots (default: {SEED})")
    add(
        "--pool",
        type=Path,
        default=POOL,
        help="file of the groups; what it lacks is played (default: the committed one)",
    )
    return parser.parse_args(given)


if __name__ == "__main__":
    main(sys.argv[1:])
