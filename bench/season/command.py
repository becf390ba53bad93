"""`python -m bench season`: rehearses a season of an arena, then proves that nothing was lost.

Fifty bots in sandboxes play on three ladders, behind nginx. Meanwhile the data folder of the first
release is upgraded in place; a worker joins from another machine, a network namespace, and leaves;
the faults of `python -m bench chaos` happen; an organiser creates a ladder, voids an evening, bans
an owner and closes a ladder, by the forms of the pages; and a backup is restored elsewhere, where
it plays on. Prints figures; exits with 1 if anything was wrong in either arena. Needs root, nginx
and openssl.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from rich.console import Console
from rich.table import Table

from arena.client.folder_access import opened_to_read
from arena.moment import rfc3339
from arena.store.schema import Job, Match, MatchSeat, VoidMatch, now
from bench.chaos.command import Run
from bench.chaos.findings import Finding, findings
from bench.chaos.recovery import LOOK_EVERY_S, comes_true, number_of, recover
from bench.chaos.seclusion import seclude
from bench.chaos.stage import stopped
from bench.renamed_bots import renamed_bots
from bench.season.behind_nginx import KINDS, BehindNginx
from bench.season.organiser import Organiser
from bench.season.vital_signs import VitalSigns
from tests.support.command_line import ran, ran_apart
from tests.support.whole_arena.arena import Part, WholeArena
from tests.support.whole_arena.strangers import token_of

UPGRADE_AT, COPY_AT, HARM_AT, CALM_AT, CLOSE_AT = 0.1, 0.25, 0.35, 0.75, 0.9
"""When things happen, as shares of the season."""
OPEN, CLOSED, NEW = "xeri", "crash", "evening"
"""Ladders: to which contestants submit, which is closed, and which is created meanwhile."""
FEW = 5
"""The number of matches before the upgrade, at least."""
BANNED, RIVALS = "Mallory", ("rival-1", "rival-2")


def main(given: Sequence[str]) -> None:
    """Runs what the arguments describe, and exits."""
    parser = ArgumentParser(prog="python -m bench season", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="(default: 60)")
    parser.add_argument("--seed", type=int, help="repeats the same faults at the same times")
    asked = parser.parse_args(given)
    if not seclude("season", given):
        sys.exit("A season needs root, and the right to create network namespaces and to mount.")
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    folder = Path(tempfile.mkdtemp(prefix="season-", dir="/tmp"))
    season = Season(folder, seed, asked.minutes * 60)
    found = season.play()
    season.report(found)
    if found:
        sys.exit(f"The logs are in {folder}. `--seed {seed}` repeats the faults.")
    shutil.rmtree(folder)


class Season:
    """A season of so many seconds in a folder. `figures`: by what they count, once it is over."""

    def __init__(self, folder: Path, seed: int, seconds: float) -> None:
        for place in ("arena", "restored"):
            (folder / place).mkdir()
        self.arena = BehindNginx(folder / "arena")
        self.restored = WholeArena(folder / "restored", self.arena.sandbox)
        self.chaos = Run(self.arena, seed, seconds * (CALM_AT - HARM_AT))
        self.signs = VitalSigns(self.arena)
        self.seconds = seconds
        self.figures: dict[str, float] = {}
        self._began = 0.0

    def play(self) -> list[Finding]:
        """Returns what was wrong."""
        with self.arena.set_up(), self.signs, self.restored:
            self._began, evening = time.monotonic(), now()
            self._until(UPGRADE_AT)
            self._await(lambda: self.arena.recorded() >= FEW, "matches are recorded")
            self.arena.upgrade()
            self.arena.join()
            self._submit()
            with closing(self._organiser()) as organiser:
                self._create_and_void(organiser, evening)
                self._until(COPY_AT)
                self._await(self.arena.jobs_from_afar, "the other machine plays")
                copy = self._restore_elsewhere()
                self._until(HARM_AT)
                self.chaos.harm()
                self._await(self.signs.is_ready, "all parts work again")
                organiser.does("ban_owner", owner=BANNED, reason="Two names of one person.")
                before_ban = self._jobs()
                played = self.arena.jobs_from_afar()
                self._await(lambda: self.arena.jobs_from_afar() > played, "it plays there again")
                self.arena.leave()
                self._until(CLOSE_AT)
                organiser.does("change_ladder", ladder=CLOSED, state="over")
                before_close = self._jobs()
            self._until(1.0)
            found = [f"elsewhere: {one}" for one in self._end_elsewhere(copy)]
            found += [*self.chaos.end(), *self._disobeyed(before_ban, before_close)]
            self.figures = dict(self._figures(found))
            return found

    def _until(self, share: float) -> None:
        at = self._began + share * self.seconds
        while time.monotonic() < at:
            self.arena.look()
            time.sleep(LOOK_EVERY_S)

    def _await(self, condition: Callable[[], object], what: str) -> None:
        assert comes_true(condition, self.arena.look), f"in vain: {what}"

    # The events ----------------------------------------------------------------------------------

    def _submit(self) -> None:
        there = {"server": self.arena.origin, "token": token_of(self.arena, BANNED)}
        trust = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(self.arena.chain)}
        for bot in renamed_bots(self.arena.folder / "rivals", KINDS[OPEN], RIVALS):
            submitted = ran_apart("submit", bot, "--ladder", OPEN, **there, **trust)
            assert submitted.code == 0, submitted.err

    def _organiser(self) -> Organiser:
        token = token_of(self.arena, "Org", "organiser")
        return Organiser(self.arena.origin, self.arena.chain, token)

    def _create_and_void(self, organiser: Organiser, evening: datetime) -> None:
        entrants = "\n".join(f"{OPEN}-{number}" for number in range(4))
        organiser.does("create_ladder", name=NEW, game=OPEN, entrants=entrants)
        is_new = Match.competition == NEW
        self._await(lambda: number_of(self.arena, Match, is_new), f"{NEW} is played")
        times = f"ladder={OPEN}\nsince={rfc3339(evening)}\nuntil={rfc3339(now())}"
        organiser.does("void_matches", wanted=times, reason="The hall had no light.")

    def _restore_elsewhere(self) -> Part:
        copy = self.restored.folder / "copy.tar"
        for command, data in (("backup", self.arena.data), ("restore", self.restored.data)):
            done = ran(command, copy, "--data", data)
            assert done.code == 0, done.err
        return self.restored.server()

    def _jobs(self, *which: sa.ColumnElement[bool]) -> set[str]:
        """Returns jobs by their ids: their times say nothing where the clock jumps."""
        with opened_to_read(self.arena.data) as store, store.reading() as session:
            return {*session.scalars(sa.select(Job.id).where(*which))}

    # The end -------------------------------------------------------------------------------------

    def _end_elsewhere(self, server: Part) -> Iterator[Finding]:
        yield from recover(self.restored, lambda: None)
        yield from stopped("serve", server)
        yield from findings(self.restored)

    def _disobeyed(self, before_ban: set[str], before_close: set[str]) -> Iterator[Finding]:
        """Yields what the organiser asked for and did not get."""
        rivals = sa.select(Match.job).join(MatchSeat).where(MatchSeat.bot.in_(RIVALS))
        if self._jobs(Job.id.in_(rivals)) - before_ban:
            yield f"bots of {BANNED} were paired after the ban"
        if self._jobs(Job.competition == CLOSED) - before_close:
            yield f"bots were paired on {CLOSED} after its end"

    def report(self, found: Sequence[Finding]) -> None:
        """Prints the figures."""
        self.chaos.report(found)
        table = Table(title=f"A season of {self.seconds / 60:g} minutes")
        table.add_column("figure")
        table.add_column("value", justify="right")
        for name, value in self.figures.items():
            table.add_row(name, f"{value:,.0f}")
        Console().print(table)

    def _figures(self, found: Sequence[Finding]) -> Iterator[tuple[str, float]]:
        yield "matches", self.chaos.matches
        yield "… of which void", number_of(self.arena, VoidMatch)
        yield "matches of the restored arena", self.restored.recorded()
        yield "jobs played on the other machine", self.arena.jobs_from_afar()
        yield "faults injected", len(self.chaos.blows)
        yield "lost, doubled, stuck, left behind or wrongly blamed", len(found)
        yield "seconds in which /readyz was not well", self.signs.not_ready_s
        for name, size in sorted(self.signs.peaks.items()):
            yield f"most MiB of {name}", size
