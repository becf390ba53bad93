"""A bot that was submitted is built, and plays against itself."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

from arena.bots.find import UnknownBot, find_kept
from arena.bots.host import Bot, Host
from arena.bots.process.build import BuildFailed
from arena.bots.source.files import ContentError, list_content
from arena.bots.source.program import Program
from arena.games import load
from arena.match.deal_set import CommittedDeals
from arena.match.play import Played, play_match
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper
from arena.server.limits import Bounds
from arena.server.submissions.staging import Workshop, wholly
from arena.server.submissions.steps import OUTPUT_CHARACTERS, Step, StepFailed
from arena.store.tables import Ladder

# What a seat has in the match, at most; bots are told how much it is.
BANK_MS = 60_000
INCREMENT_MS = 200


class Trials:
    """Tries bots, a few at once, on one host."""

    def __init__(self, host: Host, timekeeper: Timekeeper, bounds: Bounds) -> None:
        self._host = host
        self._timekeeper = timekeeper
        self._bounds = bounds
        self._room = asyncio.Semaphore(bounds.trials)

    async def run(
        self, program: Program, ladder: Ladder, shop: Workshop, steps: list[Step]
    ) -> None:
        """Builds the bot if it wants to be built, and lets it play. Adds the steps that it passes.
        Raises StepFailed, and ArenaFailure."""
        async with self._room:
            playing = program
            if program.manifest.build is not None:
                playing = await self._build(program, shop, steps)
            await self._play(playing, program.version, ladder, steps)

    async def _build(self, program: Program, shop: Workshop, steps: list[Step]) -> Program:
        await wholly(lambda: shutil.copytree(program.folder, shop.built, symlinks=True))
        copy = Program(shop.built, None, program.manifest)
        try:
            printed = await self._host.build(copy, shop.scratch, self._bounds.build)
            built = await wholly(lambda: _checked(shop.built))
        except BuildFailed as failed:
            raise StepFailed("build", str(failed), failed.output) from None
        except (ContentError, UnknownBot, OSError) as mistake:
            sentence = f"The build left what cannot be kept: {shop.hide(str(mistake))}"
            raise StepFailed("build", sentence) from None
        if built.manifest != program.manifest:
            raise StepFailed("build", "The build changed bot.toml; leave it as it is.", printed)
        steps.append(Step("build", "It was built.", printed[-OUTPUT_CHARACTERS:]))
        return built

    async def _play(
        self, program: Program, version: str, ladder: Ladder, steps: list[Step]
    ) -> None:
        async with AsyncExitStack() as running:
            bots = [await self._start(program, running) for _ in range(ladder.seats)]
            for loss in await asyncio.gather(*(bot.ready() for bot in bots)):
                if loss is not None:
                    raise StepFailed("start", loss.sentence)
            steps.append(Step("start", f"{len(bots)} processes of it said hello."))
            played = await self._match(bots, program.name, version, ladder)
        if played.faults:
            raise _at_fault(played)
        count = len(played.record.choices)
        steps.append(
            Step("match", f"It played {ladder.game} against itself: {count} decisions, no fault.")
        )

    async def _start(self, program: Program, running: AsyncExitStack) -> Bot:
        bot = await self._host.start(program, 1)
        running.push_async_callback(bot.stop, "The trial is over.")
        return bot

    async def _match(self, bots: list[Bot], name: str, version: str, ladder: Ladder) -> Played:
        entries = [Entry(bot, name, version, seat) for seat, bot in enumerate(bots)]
        try:
            async with asyncio.timeout(self._bounds.match_s):
                return await play_match(_terms(ladder), entries, CommittedDeals(), self._timekeeper)
        except TimeoutError:
            raise StepFailed(
                "match",
                f"A match of the bot against itself was not over within {self._bounds.match_s:g}"
                " seconds; let it think less.",
            ) from None


def _at_fault(played: Played) -> StepFailed:
    """The first fault, with what the bot at that seat printed."""
    fault = played.faults[0]
    where = f"decision {fault.decision}" if fault.decision else "the start"
    printed = played.private_log.seats[fault.seat].stderr
    return StepFailed("match", f"At fault at {where}: {fault.kind}. {fault.sentence}", printed)


def _checked(folder: Path) -> Program:
    list_content(folder)
    return find_kept(folder)


def _terms(ladder: Ladder) -> Terms:
    game = load(ladder.game)
    return Terms(
        match_id=f"{uuid4().hex}-1",  # like any other: nobody is to behave better here
        game=game,
        options={name: game.options[name].parse(text) for name, text in ladder.options.items()},
        bank_ms=min(BANK_MS, ladder.bank_ms),
        increment_ms=min(INCREMENT_MS, ladder.increment_ms),
    )
