"""The metrics of the process of the league, for Prometheus."""

from __future__ import annotations

import shutil
import threading
from collections import Counter as Count
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

from arena import __version__
from arena.hosting.backups import last_made_at
from arena.league import TrueOutcome
from arena.queue import QueueState
from arena.views.activity import MachineActivity

disable_created_metrics()  # a second series for each counter, which nothing here uses

DELAYS_S = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
LAGS_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
BUILDS_S = (1, 2.5, 5, 10, 30, 60, 120, 300, 600)
BUCKETS = 22
"""The times of decisions are counted up to 2^21 ms, about 35 minutes."""


class DecisionTimes(Collector):
    """The times of bots' decisions, by game: a histogram from the sums of matches, so that a match
    costs the same however many decisions it had."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Count[int]] = {}
        self._total_ms: Count[str] = Count()

    def add(self, game: str, counts: tuple[int, ...], total_ms: int) -> None:
        """Adds decisions. `counts`: by bucket, as `arena.records.Thinking` has them."""
        with self._lock:
            self._counts.setdefault(game, Count()).update(dict(enumerate(counts)))
            self._total_ms[game] += total_ms

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yields the histogram."""
        family = HistogramMetricFamily(
            "sevens_decision_seconds", "Times of the decisions that bots made.", labels=["game"]
        )
        with self._lock:
            for game, counts in self._counts.items():
                family.add_metric([game], _cumulated(counts), self._total_ms[game] / 1000)
        yield family


def _cumulated(counts: Count[int]) -> list[tuple[str, float]]:
    """Returns the upper bounds of the buckets in seconds, and how many decisions are below."""
    sums = list(accumulate(counts[bucket] for bucket in range(BUCKETS)))
    bounds = [repr(2**bucket / 1000) for bucket in range(BUCKETS)]
    return [*zip(bounds, sums, strict=True), ("+Inf", counts.total())]


class Metrics:
    """The metrics of an arena.

    `data`: its data folder, whose disk is measured.
    `backups`: the folder of the backups that it makes; None: it makes none.
    """

    def __init__(self, data: Path, backups: Path | None = None) -> None:
        self._data = data
        self._backups = backups
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._decisions = DecisionTimes()
        registry.register(self._decisions)
        Gauge("sevens_info", "Version of the arena.", ["version"], registry=registry).labels(
            __version__
        ).set(1)
        self._queue_up = Gauge("sevens_queue_up", "1 if the queue answers.", registry=registry)
        self._jobs = Gauge("sevens_queue_jobs", "Jobs in the queue.", ["state"], registry=registry)
        self._oldest = Gauge(
            "sevens_queue_oldest_job_seconds",
            "Time for which the oldest job has waited for a worker.",
            registry=registry,
        )
        self._results = Gauge(
            "sevens_queue_results", "Outcomes that wait to be recorded.", registry=registry
        )
        self._workers = Gauge("sevens_workers", "Workers that call.", registry=registry)
        self._machines = Gauge(
            "sevens_machine_seen_timestamp_seconds",
            "Time when a worker of the machine last called; state: open, blocked or quarantined.",
            ["machine", "state"],
            registry=registry,
        )
        self._matches = Counter(
            "sevens_matches_total",
            "Matches recorded; outcome: clean, or fault if a bot was at fault.",
            ["game", "outcome"],
            registry=registry,
        )
        self._faults = Counter(
            "sevens_faults_total", "Faults of bots.", ["game", "kind"], registry=registry
        )
        self._parked = Counter("sevens_jobs_parked_total", "Jobs given up.", registry=registry)
        self._dropped = Counter(
            "sevens_outcomes_dropped_total",
            "Results that were not from a worker that had the job.",
            registry=registry,
        )
        self._delay = Histogram(
            "sevens_recording_delay_seconds",
            "Time from the end of a match, by its worker's clock, to its record in the store.",
            buckets=DELAYS_S,
            registry=registry,
        )
        self._lag = Histogram(
            "sevens_event_loop_lag_seconds",
            "Delay of a timer in the event loop of the league.",
            buckets=LAGS_S,
            registry=registry,
        )
        self._rounds = Gauge(
            "sevens_league_round_age_seconds",
            "Time since the last round of a part of the league.",
            ["part"],
            registry=registry,
        )
        self._builds = Histogram(
            "sevens_build_seconds",
            "Builds of submitted bots; result: passed or failed.",
            ["result"],
            buckets=BUILDS_S,
            registry=registry,
        )
        self._disk = Gauge(
            "sevens_disk_free_bytes", "Free space on the data folder's disk.", registry=registry
        )
        self._disk_size = Gauge(
            "sevens_disk_size_bytes", "Size of the data folder's disk.", registry=registry
        )
        if backups is not None:
            self._backup = Gauge(
                "sevens_backup_timestamp_seconds",
                "Time of the latest backup that the arena has made by itself; 0: none.",
                registry=registry,
            )

    def recorded(self, outcome: TrueOutcome) -> None:
        """Counts the matches of an outcome that was recorded."""
        for match in outcome.matches:
            game, faults = match.record.game, match.record.faults
            self._matches.labels(game, "fault" if faults else "clean").inc()
            for fault in faults:
                self._faults.labels(game, fault.kind).inc()
            for seat in match.thinking:
                self._decisions.add(game, seat.counts, seat.total_ms)
            ended = datetime.fromisoformat(match.record.finished_at)
            # Clocks of other machines may be ahead.
            self._delay.observe(max(0.0, (datetime.now(UTC) - ended).total_seconds()))

    def parked(self) -> None:
        """Counts a job that was given up."""
        self._parked.inc()

    def dropped(self) -> None:
        """Counts a result that was dropped."""
        self._dropped.inc()

    def have_machines(self, machines: Iterable[MachineActivity]) -> None:
        """Takes the machines that there are, in place of those before."""
        self._machines.clear()
        for machine in machines:
            seen_at = machine.seen_at.timestamp() if machine.seen_at is not None else 0
            self._machines.labels(machine.name, machine.state.value).set(seen_at)

    def lagged(self, seconds: float) -> None:
        """Counts a delay of the event loop."""
        self._lag.observe(seconds)

    def built(self, seconds: float, *, passed: bool) -> None:
        """Counts a build."""
        self._builds.labels("passed" if passed else "failed").observe(seconds)

    def exposition(self, queue: QueueState | None, round_ages_s: dict[str, float]) -> bytes:
        """Returns all metrics as a text. `queue`: None if it does not answer."""
        self._queue_up.set(queue is not None)
        if queue is not None:
            self._jobs.labels("waiting").set(queue.waiting)
            self._jobs.labels("in_play").set(queue.in_play)
            self._jobs.labels("analyses").set(queue.analyses)
            self._oldest.set(queue.oldest_s)
            self._results.set(queue.results)
            self._workers.set(len(queue.workers))
        for part, age_s in round_ages_s.items():
            self._rounds.labels(part).set(age_s)
        if self._backups is not None:
            last = last_made_at(self._backups)
            self._backup.set(last.timestamp() if last is not None else 0)
        disk = shutil.disk_usage(self._data)
        self._disk.set(disk.free)
        self._disk_size.set(disk.total)
        return generate_latest(self.registry)
