"""The trial of a submitted bot: it is built, started, and plays a match against itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Protocol
from uuid import uuid4

from arena.bots import Bot, Host, UnknownBot, find_kept
from arena.bots.local import Output
from arena.bots.process import BuildFailed
from arena.bots.source import Program, PythonBuild, about_foreign_modules
from arena.clock import monotonic
from arena.match import CommittedDeals, Entry, Terms, Timekeeper, Unfinished, play_match
from arena.protocol import Fault
from arena.server.file_work import FileWork
from arena.server.limits import ServerLimits
from arena.server.submissions.progress import Progress, TrialStep
from arena.server.submissions.staging import Staging
from arena.store.schema import Ladder
from sevens_games import load

OUTPUT_CHARACTERS = 16_000


class TrialPlaces:
    """Places for bots on trial. Submissions take them in the order of their arrival."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._free = asyncio.Semaphore(places)
        self._waiting: list[Progress] = []

    @asynccontextmanager
    async def take(self, progress: Progress) -> AsyncIterator[None]:
        """Takes a place for as long as the context lasts, once there is one."""
        if self._free.locked():
            progress.begin("queue", lambda: self._ahead_of(progress))
        self._waiting.append(progress)
        try:
            await self._free.acquire()
        finally:
            self._waiting.remove(progress)
        try:
            yield
        finally:
            self._free.release()

    def _ahead_of(self, progress: Progress) -> str:
        if progress not in self._waiting:  # it has a place, and its next step begins soon
            return ""
        before = self._places + self._waiting.index(progress)
        are = "submission is" if before == 1 else "submissions are"
        return f"{before} {are} before yours; the server tries {self._places} at a time."


class StepFailed(Exception):
    """The bot failed a step, and is not accepted."""

    def __init__(self, name: str, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.step = TrialStep(name, sentence, output[-OUTPUT_CHARACTERS:], passed=False)


class OnBuild(Protocol):
    """Called after each build with its time in seconds."""

    def __call__(self, seconds: float, *, passed: bool) -> None: ...


def ignored(seconds: float, *, passed: bool) -> None:
    """Counts nothing."""


class Trials:
    """Puts bots on trial, a few at once, on one host. `on_build`: counts builds."""

    def __init__(
        self,
        host: Host,
        timekeeper: Timekeeper,
        files: FileWork,
        limits: ServerLimits,
        on_build: OnBuild = ignored,
    ) -> None:
        self._host = host
        self._files = files
        self._timekeeper = timekeeper
        self._limits = limits
        self._on_build = on_build
        self._places = TrialPlaces(limits.trials)

    async def run(
        self, program: Program, ladder: Ladder, stage: Staging, progress: Progress
    ) -> None:
        """Builds the bot if its manifest asks for it, then lets it play. Raises StepFailed and
        ArenaFailure."""
        async with self._places.take(progress):
            playing = program
            if program.manifest.build is not None:
                playing = await self._build(program, stage, progress)
            await self._play(playing, program.version, ladder, progress)

    async def _build(self, program: Program, stage: Staging, progress: Progress) -> Program:
        output = Output()
        progress.begin("build", output.last_line)
        began = monotonic()
        try:
            printed = await self._host.build(program, stage.built, self._limits.build, output)
        except BuildFailed as failed:
            self._on_build(monotonic() - began, passed=False)
            raise StepFailed("build", str(failed), failed.output) from None
        self._on_build(monotonic() - began, passed=True)
        try:
            built = await self._files.do(lambda: find_kept(stage.built))
        except UnknownBot as mistake:
            sentence = f"The build left files that cannot be stored: {stage.hide(str(mistake))}"
            raise StepFailed("build", sentence, printed) from None
        if built.manifest != program.manifest:
            raise StepFailed(
                "build", "The build changed bot.toml; it must leave that file as it is.", printed
            )
        progress.end(TrialStep("build", "The build succeeded.", printed[-OUTPUT_CHARACTERS:]))
        return built

    async def _play(
        self, program: Program, version: str, ladder: Ladder, progress: Progress
    ) -> None:
        warning = await self._files.do(lambda: _about_modules(program))
        async with AsyncExitStack() as running:
            progress.begin("start")
            bots = [await self._start(program, running) for _ in range(ladder.seats)]
            for loss in await asyncio.gather(*(bot.ready() for bot in bots)):
                if loss is not None:
                    sentence = f"{loss.sentence} {warning}".strip()
                    raise StepFailed("start", sentence, loss.words)
            said_hello = f"{len(bots)} processes started and said hello. {warning}".strip()
            progress.end(TrialStep("start", said_hello))
            progress.begin("match")
            sentence = await self._match(bots, program.name, version, ladder)
        progress.end(TrialStep("match", sentence))

    async def _start(self, program: Program, running: AsyncExitStack) -> Bot:
        bot = await self._host.start(program)
        running.push_async_callback(bot.stop, "The trial is over.")
        return bot

    async def _match(self, bots: list[Bot], name: str, version: str, ladder: Ladder) -> str:
        """Returns what happened, in a sentence. Raises StepFailed."""
        entries = [Entry(bot, name, version, seat) for seat, bot in enumerate(bots)]
        terms, limit_s = _terms(ladder), self._limits.match_s
        try:
            played = await play_match(terms, entries, CommittedDeals(), self._timekeeper, limit_s)
        except Unfinished as match:
            if match.faults:
                raise _at_fault(match.faults[0], "") from None
            return (
                f"The bot played {ladder.game} against itself for {limit_s:g} seconds, the most"
                " that a trial takes, without a fault."
            )
        if played.faults:
            fault = played.faults[0]
            raise _at_fault(fault, played.private_log.seats[fault.seat].stderr)
        count = len(played.record.choices)
        return f"The bot played {ladder.game} against itself: {count} decisions, no fault."


def _about_modules(program: Program) -> str:
    run = program.manifest.run
    return about_foreign_modules(run, program.content(), PythonBuild.of_bots())


def _at_fault(fault: Fault, stderr: str) -> StepFailed:
    """`stderr`: that of the bot at the seat at fault."""
    where = f"decision {fault.decision}" if fault.decision else "the start"
    printed = f"{stderr}\n{fault.words}".strip()
    return StepFailed("match", f"Fault at {where}: {fault.kind}. {fault.sentence}", printed)


def _terms(ladder: Ladder) -> Terms:
    """Returns the terms of any match on the ladder, so that a bot cannot recognise its trial."""
    game = load(ladder.game)
    return Terms(
        match_id=f"{uuid4().hex}-1",
        game=game,
        options={name: game.options[name].parse(text) for name, text in ladder.options.items()},
        bank_ms=ladder.bank_ms,
        increment_ms=ladder.increment_ms,
    )
