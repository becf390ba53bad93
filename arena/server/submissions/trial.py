"""The trial of a submitted bot: it is built, started, and plays a match against itself."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from arena.bots import Bot, Host, UnknownBot, find_kept
from arena.bots.process import BuildFailed
from arena.bots.source import ContentError, Program, list_content
from arena.games import load
from arena.match import CommittedDeals, Entry, Played, Terms, Timekeeper, play_match
from arena.server.limits import ServerLimits
from arena.server.submissions.staging import Staging, to_completion
from arena.store import Ladder

# The most time a seat has in the match; bots learn the actual figures from its start.
BANK_MS = 60_000
INCREMENT_MS = 200
OUTPUT_CHARACTERS = 16_000


@dataclass(frozen=True)
class TrialStep:
    """A step of a trial, as the bot's owner sees it.

    `name`: what was done: archive, build, start or match.
    `sentence`: the result.
    `output`: the last output of the build or the bot.
    `passed`: False if the bot is not accepted because of this step.
    """

    name: str
    sentence: str
    output: str = ""
    passed: bool = True


class StepFailed(Exception):
    """The bot failed a step, and is not accepted."""

    def __init__(self, name: str, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.step = TrialStep(name, sentence, output[-OUTPUT_CHARACTERS:], passed=False)


class Trials:
    """Puts bots on trial, a few at once, on one host."""

    def __init__(self, host: Host, timekeeper: Timekeeper, limits: ServerLimits) -> None:
        self._host = host
        self._timekeeper = timekeeper
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.trials)

    async def run(
        self, program: Program, ladder: Ladder, stage: Staging, steps: list[TrialStep]
    ) -> None:
        """Builds the bot if its manifest asks for it, then lets it play. Appends each step that it
        passes to `steps`. Raises StepFailed and ArenaFailure."""
        async with self._slots:
            playing = program
            if program.manifest.build is not None:
                playing = await self._build(program, stage, steps)
            await self._play(playing, program.version, ladder, steps)

    async def _build(self, program: Program, stage: Staging, steps: list[TrialStep]) -> Program:
        await to_completion(lambda: shutil.copytree(program.folder, stage.built, symlinks=True))
        copy = Program(stage.built, None, program.manifest)
        try:
            printed = await self._host.build(copy, stage.scratch, self._limits.build)
            built = await to_completion(lambda: _checked(stage.built))
        except BuildFailed as failed:
            raise StepFailed("build", str(failed), failed.output) from None
        except (ContentError, UnknownBot, OSError) as mistake:
            sentence = f"The build left files that cannot be stored: {stage.hide(str(mistake))}"
            raise StepFailed("build", sentence) from None
        if built.manifest != program.manifest:
            raise StepFailed(
                "build", "The build changed bot.toml; it must leave that file as it is.", printed
            )
        steps.append(TrialStep("build", "The build succeeded.", printed[-OUTPUT_CHARACTERS:]))
        return built

    async def _play(
        self, program: Program, version: str, ladder: Ladder, steps: list[TrialStep]
    ) -> None:
        async with AsyncExitStack() as running:
            bots = [await self._start(program, running) for _ in range(ladder.seats)]
            for loss in await asyncio.gather(*(bot.ready() for bot in bots)):
                if loss is not None:
                    raise StepFailed("start", loss.sentence, loss.words)
            steps.append(TrialStep("start", f"{len(bots)} processes started and said hello."))
            played = await self._match(bots, program.name, version, ladder)
        if played.faults:
            raise _at_fault(played)
        count = len(played.record.choices)
        steps.append(
            TrialStep(
                "match",
                f"The bot played {ladder.game} against itself: {count} decisions, no fault.",
            )
        )

    async def _start(self, program: Program, running: AsyncExitStack) -> Bot:
        bot = await self._host.start(program, 1)
        running.push_async_callback(bot.stop, "The trial is over.")
        return bot

    async def _match(self, bots: list[Bot], name: str, version: str, ladder: Ladder) -> Played:
        entries = [Entry(bot, name, version, seat) for seat, bot in enumerate(bots)]
        try:
            async with asyncio.timeout(self._limits.match_s):
                return await play_match(_terms(ladder), entries, CommittedDeals(), self._timekeeper)
        except TimeoutError:
            raise StepFailed(
                "match",
                "The match of the bot against itself did not finish within"
                f" {self._limits.match_s:g} seconds; reduce its thinking time.",
            ) from None


def _at_fault(played: Played) -> StepFailed:
    """Returns the first fault, with what the bot at that seat wrote."""
    fault = played.faults[0]
    where = f"decision {fault.decision}" if fault.decision else "the start"
    stderr = played.private_log.seats[fault.seat].stderr
    printed = f"{fault.words}\n{stderr}".strip()
    return StepFailed("match", f"Fault at {where}: {fault.kind}. {fault.sentence}", printed)


def _checked(folder: Path) -> Program:
    list_content(folder)
    return find_kept(folder)


def _terms(ladder: Ladder) -> Terms:
    game = load(ladder.game)
    return Terms(
        match_id=f"{uuid4().hex}-1",  # like any other, so that a bot cannot recognise its trial
        game=game,
        options={name: game.options[name].parse(text) for name, text in ladder.options.items()},
        bank_ms=min(BANK_MS, ladder.bank_ms),
        increment_ms=min(INCREMENT_MS, ladder.increment_ms),
    )
