"""The comparison of machines, simulated: bots that fail more or less often, machines that play more
or fewer jobs at once, and faults that end a match early."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from datetime import UTC, datetime
from math import sqrt
from random import Random

from arena.league.fleet.quarantine import Pairs, Play
from arena.statistics import RateAlarm

ALPHA = 0.02
BOTS = {"never": 0.0, "seldom": 0.02, "sometimes": 0.1, "often": 0.4}
"""The bots, each with the share of its plays in which it fails."""
SLOTS = {"small": 1, "middle": 2, "large": 8}
"""The machines, each with the jobs that it plays at once."""
NEVER = datetime(2026, 7, 7, tzinfo=UTC)
PLAYS = 1000


def plays(rng: Random, worse: str = "", extra: float = 0.0) -> Iterator[Play]:
    """Yields plays in the order in which they end. `extra`: how often every bot fails on the
    machine `worse`, besides."""
    ends: list[tuple[float, int, str, bool, str]] = []
    bots = list(BOTS)

    def begin(at: float, number: int, machine: str) -> None:
        bot = rng.choice(bots)
        failed = rng.random() < BOTS[bot] or (machine == worse and rng.random() < extra)
        takes = rng.uniform(0.1, 1.0) if failed else rng.uniform(0.9, 1.1)
        heapq.heappush(ends, (at + takes, number, bot, failed, machine))

    slots = [machine for machine, count in SLOTS.items() for _ in range(count)]
    for number, machine in enumerate(slots):
        begin(0.0, number, machine)
    for number in range(len(slots), len(slots) + PLAYS):
        at, _, bot, failed, machine = heapq.heappop(ends)
        yield Play(machine, ("main", bot), failed, NEVER)
        begin(at, number, machine)


def blamed(found: Iterator[Play]) -> set[str]:
    """Returns the machines that were ever taken for worse."""
    alarms = {machine: RateAlarm() for machine in SLOTS}
    blamed = set()
    for one, other in Pairs().made_by(found):
        if one.failed is not other.failed:
            for play in (one, other):
                alarms[play.machine].add(here=play.failed)
        blamed |= {name for name, alarm in alarms.items() if alarm.fortune >= 1 / ALPHA}
    return blamed


def test_machines_that_are_alike_are_blamed_no_more_often_than_stated() -> None:
    rng, runs = Random(7), 150
    tested = runs * len(SLOTS)
    false = sum(len(blamed(plays(rng))) for _ in range(runs))
    beyond_chance = 4.8 * sqrt(tested * ALPHA * (1 - ALPHA))  # of the normal distribution 1e-6
    assert false <= tested * ALPHA + beyond_chance


def test_a_worse_machine_is_found_whatever_its_size() -> None:
    rng = Random(7)
    for worse in SLOTS:
        found = [blamed(plays(rng, worse, 0.5)) for _ in range(10)]
        assert all(worse in one for one in found), worse
