"""`python -m bench chaos`: harms a running arena by a seed, then proves that nothing was lost.

It starts a Valkey, `arena serve` with its pages and three workers, with bots in sandboxes, and
lets faults overlap: kills, stops, lost and doubled messages, a locked database, a starved machine.
As root also a full disk, and a link between network namespaces that is cut or slow; with
a C compiler also a clock that jumps. Prints figures; exits with 1 if anything was lost, counted
twice, stuck or left behind, or if a bot was blamed.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from arena.store.schema import Job
from bench.chaos.faults import faults_here
from bench.chaos.findings import Finding, findings
from bench.chaos.recovery import LOOK_EVERY_S, number_of, recover
from bench.chaos.schedule import Blow, schedule
from bench.chaos.seclusion import seclude
from bench.chaos.stage import Stage
from tests.support.whole_arena.arena import GIVEN_UP


def main(given: Sequence[str]) -> None:
    """Runs what the arguments describe, and exits."""
    parser = ArgumentParser(prog="python -m bench chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="(default: 300)")
    parser.add_argument("--seed", type=int, help="repeats the same faults at the same times")
    asked = parser.parse_args(given)
    private = seclude("chaos", given)
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    folder = Path(tempfile.mkdtemp(prefix="chaos-", dir="/tmp"))
    run = Run(Stage(folder, private), seed, asked.seconds)
    found = run.play()
    run.report(found)
    if found:
        sys.exit(f"The logs are in {folder}. `--seed {seed}` repeats the faults.")
    shutil.rmtree(folder)


@dataclass
class Run:
    """One run. `longest_gap_s`: the longest time without a recorded match. `again`: jobs that
    took several attempts. `given_up`: jobs whose worker was lost in every
    attempt."""

    stage: Stage
    seed: int
    seconds: float
    blows: list[Blow] = field(default_factory=list)
    longest_gap_s: float = 0.0
    matches: int = 0
    again: int = 0
    given_up: int = 0

    def play(self) -> list[Finding]:
        """Returns what was wrong."""
        with self.stage.set_up():
            self.stage.join()
            self.stage.until_recorded(2)
            self.harm()
            return self.end()

    def end(self) -> list[Finding]:
        """Stops the arena once it has got over everything; returns what is wrong with it."""
        stuck = recover(self.stage, self.stage.look)
        stuck += self.stage.stop_all()
        self.matches = self.stage.recorded()
        self.again = number_of(self.stage, Job, Job.attempts > 1)
        self.given_up = number_of(self.stage, Job, Job.reason == GIVEN_UP)
        return stuck + list(findings(self.stage))

    def harm(self) -> None:
        """Lets the faults happen, each for its time."""
        faults, random = faults_here(self.stage), Random(self.seed)
        self.blows = schedule(Random(self.seed), faults, self.seconds)
        began = time.monotonic()
        moments = [(at, blow) for blow in self.blows for at in (blow.begins_s, blow.ends_s)]
        under_way: dict[Blow, AbstractContextManager[None]] = {}
        progress = _Progress(self.stage)
        with ExitStack() as stack:
            stack.callback(lambda: [each.__exit__(None, None, None) for each in under_way.values()])
            # In this order even if late: a fault must not begin again before it has ended.
            for at, blow in sorted(moments, key=itemgetter(0)):
                while True:
                    self.stage.look()
                    progress.look()
                    if time.monotonic() >= began + at:
                        break
                    time.sleep(LOOK_EVERY_S)
                if blow in under_way:
                    under_way.pop(blow).__exit__(None, None, None)
                else:
                    fault = faults[blow.fault](self.stage, random)
                    fault.__enter__()
                    under_way[blow] = fault
        self.longest_gap_s = progress.longest_gap_s

    def report(self, found: Sequence[Finding]) -> None:
        """Prints the figures."""
        out = Console()
        times = Counter(blow.fault for blow in self.blows)
        table = Table(title=f"{len(self.blows)} faults in {self.seconds:g} s, seed {self.seed}")
        table.add_column("fault")
        table.add_column("times", justify="right")
        for fault in faults_here(self.stage):
            table.add_row(fault, str(times[fault]))
        out.print(table)
        starts = ", ".join(f"{one.name} {one.starts}" for one in self.stage.kept.values())
        ended = sum(one.ended for one in self.stage.kept.values())
        out.print(
            f"{self.matches} matches; {self.again} jobs were played again, {self.given_up} given up"
            f" after three workers were lost; at most {self.longest_gap_s:.1f} s without a result."
            f"\nStarts: {starts}; {ended} parts ended by themselves."
        )
        for finding in found:
            out.print(f"WRONG: {finding}", markup=False)
        if not found:
            out.print("Nothing lost, doubled, stuck or left behind; no bot was blamed.")


class _Progress:
    """The time without a recorded match, as the run goes on."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._matches, self._since = 0, time.monotonic()
        self.longest_gap_s = 0.0

    def look(self) -> None:
        matches, now = self._stage.recorded(), time.monotonic()
        if matches > self._matches:
            self._matches, self._since = matches, now
        self.longest_gap_s = max(self.longest_gap_s, now - self._since)
