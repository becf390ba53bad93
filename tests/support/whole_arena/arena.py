"""A whole arena of real parts in a separate folder, for the tests that break them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

import psutil
import redis
import sqlalchemy as sa

import arena
from arena.league.aggregates import Recount, recount
from arena.league.ladder.rate import rebuild
from arena.records.verification import verify
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.store.schema import Job, JobState, Match, MatchSeat, Rating, RatingChange
from arena.store.session import Store
from arena.store.texts import record_text
from sevens_games import load
from tests.support.command_line import ran
from tests.support.pairing_counts import counted, stored
from tests.support.patience import PATIENCE_S, until
from tests.support.processes import name_of, words_of

LADDER = "main"
LEASE_S = 1.5
STOP_WITHIN_S = 20.0  # an arena has 18, and needs a moment to end
SAMPLE_BOTS = Path(arena.__file__).parent.parent / "sample_bots"
BOTS = [str(SAMPLE_BOTS / name) for name in ("random_bot", "xeri_fisher")]
# Why a job is given up that each of three blows hit.
GIVEN_UP = "Its worker was lost in the last of 3 attempts."
SCRIPT = str(Path(__file__).with_name("dying_arena.py"))


class Part:
    """A process of the arena, with its log."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log

    def said(self) -> str:
        return self.log.read_text()

    def until_says(self, words: str) -> None:
        until(lambda: words in self.said() or self.process.poll() is not None, words)
        assert words in self.said(), self.said()

    def pages(self) -> str:
        """Waits for the process of its pages; returns their origin."""
        self.until_says("Pages at ")
        found = re.search(r"Pages at (\S+)/", self.said())
        assert found
        with urlopen(found[1], timeout=PATIENCE_S) as answer:
            assert answer.status == HTTPStatus.OK
        return found[1]

    def until_killed(self) -> None:
        """Waits until the process has killed itself at its point."""
        assert self.process.wait(PATIENCE_S) == -signal.SIGKILL, self.said()

    def until_paused(self) -> None:
        here = psutil.Process(self.process.pid)
        until(lambda: here.status() == psutil.STATUS_STOPPED, "paused")

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stops it as an operator would; it does not wait long for others, such as a lost Redis."""
        self.process.terminate()
        code = self.process.wait(STOP_WITHIN_S)
        assert code in (0, -signal.SIGTERM), self.said()  # -SIGTERM: it was still starting

    def until_done(self) -> None:
        code = self.process.wait(PATIENCE_S)
        assert code == 0, self.said()


class WholeArena:
    """An arena on its own data folder. `sandbox`: the sandbox of its bots.

    As a context manager it ends everything that is still running; call `assert_nothing_runs`
    before.
    """

    def __init__(self, folder: Path, sandbox: str = "none") -> None:
        self.folder = folder
        self.data = folder / "data"
        self.sandbox = sandbox
        self.parts: list[Part] = []
        # A killed process leaves its sockets behind.
        self.sockets = Path(tempfile.mkdtemp(prefix="kill-", dir="/tmp"))

    def __enter__(self) -> WholeArena:
        return self

    def __exit__(self, *_: object) -> None:
        for part in self.parts:
            part.process.kill()
            part.process.wait()
        for process in self.running():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        shutil.rmtree(self.sockets, ignore_errors=True)

    # Parts ---------------------------------------------------------------------------------------

    def create(self) -> None:
        create = ("ladder", "create", LADDER, "xeri", *BOTS, "--set", "deals=1")
        created = ran(*create, "--data", self.data)
        assert created.code == 0, created.err

    def league(
        self, matches: int, *, point: str = "nowhere", count: int = 1, workers: int = 0
    ) -> Part:
        """Starts the scheduler, the recorder and Valkey; they end when everything is recorded."""
        return self._start(
            "league",
            *("ladder", "run", LADDER, "--matches", str(matches), "--workers", str(workers)),
            *("--sandbox", self.sandbox, "--data", str(self.data)),
            point=point,
            count=count,
        )

    def server(self, *options: str, workers: int = 1) -> Part:
        """Starts a server on ports of its own; it is ready when this returns."""
        pages = () if "--web" in options else ("--web", "127.0.0.1:0")
        server = self._start(
            "server",
            *("serve", "--listen", "127.0.0.1:0", "--workers", str(workers), *options, *pages),
            *("--sandbox", self.sandbox, "--data", str(self.data)),
        )
        server.until_says("Serving at ")
        return server

    def tournament(self, name: str, workers: int = 2) -> Part:
        """Plays a tournament without a server; it ends when that is over."""
        return self._start(
            "tournament",
            *("tournament", "start", name, "--workers", str(workers)),
            *("--sandbox", self.sandbox, "--data", str(self.data)),
        )

    def worker(
        self,
        *,
        point: str = "nowhere",
        count: int = 1,
        number: str = "KILL",
        jobs: int = 1,
        gateway: bool = False,
        finish_s: float = 0,
    ) -> Part:
        """Starts a worker. `gateway`: whether it can reach remote bots. `finish_s`: the time that
        it has to finish when it is stopped."""
        holder = DataFolder(self.data).holder()
        server = ("--server", holder.server) if holder is not None and gateway else ()
        return self._start(
            "worker",
            *("worker", "--redis", self.redis(), "--lease", str(LEASE_S), "--jobs", str(jobs)),
            *("--finish-within", str(finish_s)),
            *("--key-file", str(self.data / "queue.key")),
            *("--versions", str(self.data / "versions"), "--sandbox", self.sandbox, *server),
            point=point,
            count=count,
            number=number,
        )

    def distant_worker(self, server: str, token: str, *options: str, **environment: str) -> Part:
        """Starts a worker in an empty folder, which has nothing but addresses and its token."""
        folder = self.folder / f"empty-{len(self.parts)}"
        folder.mkdir()
        return self._start(
            "distant-worker",
            *("worker", "--redis", self.redis(), "--lease", str(LEASE_S), "--jobs", "1"),
            *("--server", server, "--sandbox", self.sandbox, "--finish-within", "0", *options),
            folder=folder,
            environment={"ARENA_USER_TOKEN": token, **environment},
        )

    def _start(
        self,
        name: str,
        *arguments: str,
        point: str = "nowhere",
        count: int = 1,
        number: str = "",
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        inside: Sequence[str] = (),
    ) -> Part:
        """Starts a command. `inside`: the program, with its arguments, that runs it."""
        # With -P its folder is not searched for modules: this file would shadow the package arena.
        python = [*inside, sys.executable, "-P", SCRIPT]
        command = [*python, point, str(count), number or "KILL", *arguments]
        log = self.folder / f"{len(self.parts)}-{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=folder,
                env={
                    **os.environ,
                    **(environment or {}),
                    "TMPDIR": str(self.sockets),
                    "XDG_RUNTIME_DIR": str(self.sockets),
                },
            )
        self.parts.append(Part(process, log))
        return self.parts[-1]

    # State ---------------------------------------------------------------------------------------

    def redis(self) -> str:
        """Returns the address of the running league's Valkey, as soon as it is available."""

        def announced() -> str:
            holder = DataFolder(self.data).holder()
            return holder.redis if holder is not None else ""

        return until(announced, "the league announces its Redis")

    def valkey(self) -> psutil.Process:
        """Returns the Valkey that runs, as soon as one does: after a death it starts again."""

        def only() -> psutil.Process | None:
            found = [one for one in self.running() if name_of(one).startswith("valkey")]
            return found[0] if len(found) == 1 else None

        return until(only, "a Valkey runs")

    def kill_valkey(self) -> None:
        """Kills the Valkey that runs, once it answers: an arena whose Valkey ends while it starts
        gives up."""
        until(lambda: _answers(self.redis()), "Valkey answers")
        valkey = self.valkey()
        valkey.kill()
        until(lambda: valkey not in self.running(), "the end of Valkey")

    def running(self) -> list[psutil.Process]:
        """Returns the processes that use this arena's folder."""
        own = str(self.folder)
        found = []
        for process in psutil.process_iter():
            if process.pid == os.getpid():
                continue
            with suppress(psutil.Error, OSError):  # it has ended, or is in too deep a folder
                if process.status() != psutil.STATUS_ZOMBIE and (
                    own in " ".join(process.cmdline()) or process.cwd().startswith(own)
                ):
                    found.append(process)
        return found

    def running_commands(self, name: str) -> list[psutil.Process]:
        """Returns the processes of `arena NAME` that the arena has started."""
        # Not their tethers, which become them.
        command = ["-m", "arena.cli", name]
        return [one for one in self.running() if words_of(one)[1:4] == command]

    def recorded(self) -> int:
        store = open_store(self.data, "read")
        with store.reading() as session:
            count = session.scalar(sa.select(sa.func.count()).select_from(Match))
        store.close()
        return count or 0

    def until_recorded(self, matches: int) -> None:
        until(lambda: self.recorded() >= matches, f"{matches} matches are recorded")

    def parked(self) -> list[str]:
        """Returns the reasons for which jobs were given up."""
        store = open_store(self.data, "read")
        given_up = sa.select(Job.reason).where(Job.state == JobState.PARKED)
        with store.reading() as session:
            reasons = session.scalars(given_up).all()
        store.close()
        return list(reasons)

    # Assertions ----------------------------------------------------------------------------------

    def assert_nothing_runs(self) -> None:
        until(lambda: not self.running(), f"the end of {self.running()}")

    def assert_all_is_recorded_once(self, matches: int) -> None:
        store = open_store(self.data, "write")
        try:
            _assert_rows(store, matches)
            _assert_counts(store)
            assert rebuild(store, LADDER) == []
            assert recount(store, LADDER) == Recount(matches, frozenset())
        finally:
            store.close()


def _answers(address: str) -> bool:
    try:
        with redis.Redis.from_url(address) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _assert_counts(store: Store) -> None:
    """The counts behind the pairings are those of the jobs."""
    with store.reading() as session:
        ladder = ladder_named(session, LADDER)
        teams = load(ladder.game).teams(ladder.seats)
        assert stored(session, LADDER) == counted(session, LADDER, teams)


def _assert_rows(store: Store, matches: int) -> None:
    with store.reading() as session:
        faults = session.scalars(
            sa.select(MatchSeat.fault_sentence).where(MatchSeat.fault_kind.is_not(None))
        ).all()
        assert faults == []  # breaking the arena is no bot's fault
        jobs = session.scalars(sa.select(Job)).all()
        assert [(job.state, job.reason) for job in jobs] == [(JobState.RECORDED, "")] * matches
        assert sorted(job.sequence or 0 for job in jobs) == list(range(1, matches + 1))
        rows = session.scalars(sa.select(Match)).all()
        assert sorted(row.job for row in rows) == sorted(job.id for job in jobs)
        assert all(row.rated for row in rows)
        assert session.scalars(sa.select(Rating.matches)).all() == [matches, matches]
        changes = session.scalars(sa.select(RatingChange.sequence)).all()
        assert sorted(changes) == sorted([*range(1, matches + 1)] * 2)
        for row in rows:
            verdict = verify(record_text(session, row.id))
            assert verdict.ok, verdict.sentence
