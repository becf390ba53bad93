"""A submission, from its first message to its place on a ladder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sqlalchemy.orm import Session

from arena.bots import UnknownBot, find_kept
from arena.bots.source import (
    MANIFEST,
    ArchiveError,
    ContentError,
    Entry,
    Program,
    check_plays,
    list_content,
    private_files,
    remove_unselected,
    unpack,
)
from arena.errors import ArenaError, Kind
from arena.operations.audit_log import begun
from arena.operations.caller import Caller
from arena.server.file_work import FileWork
from arena.server.limits import ServerLimits, SubmissionSlots
from arena.server.messages import version_message
from arena.server.status import sendable
from arena.server.submissions.eligibility import (
    check_claim,
    check_ladder,
    check_limits,
    is_playing,
)
from arena.server.submissions.progress import Progress, TrialStep, Write
from arena.server.submissions.staging import Staging, staging
from arena.server.submissions.trial import StepFailed, Trials
from arena.server.submissions.upload import Requests, receive_archive, receive_head
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.schema import DONE, CompetitionState, Ladder, VersionState
from arena.store.session import Store
from arena.store.versions import add_version, keep_built, keep_files
from sevens.league.v1 import version_pb2
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitOutcome

log = logging.getLogger(__name__)

GIT = ".git"

Enter: TypeAlias = Callable[[Session, Ladder, str], None]
"""Puts the version of a digest on a ladder. The league's part."""


@dataclass(frozen=True)
class Unpacked:
    """The bot that an archive held.

    `program`: the bot.
    `files`: the number of its files.
    `size`: their size in bytes.
    `private`: the paths of what was left out because it may be secret.
    """

    program: Program
    files: int
    size: int
    private: Sequence[str]


class Submissions:
    """Takes submissions. A refused one leaves nothing behind."""

    def __init__(
        self,
        store: Store,
        data: DataFolder,
        files: FileWork,
        trials: Trials,
        enter: Enter,
        limits: ServerLimits,
    ) -> None:
        self._store = store
        self._data = data
        self._files = files
        self._trials = trials
        self._enter = enter
        self._limits = limits
        self._slots = SubmissionSlots(limits)

    async def take(self, caller: Caller, requests: Requests, write: Write) -> None:
        """Takes one submission, writes what happens, and discards it if this is cancelled. Raises
        ArenaError and ArenaFailure."""
        progress = Progress()
        reporting = asyncio.create_task(progress.report(write))
        try:
            await self._conclude(self._take(caller, requests, progress), progress, reporting)
        finally:
            reporting.cancel()
            await asyncio.gather(reporting, return_exceptions=True)

    async def _conclude(
        self, taking: Awaitable[SubmitOutcome], progress: Progress, reporting: asyncio.Task[None]
    ) -> None:
        """Writes everything to the end. After a failure too: gRPC sends no status while a message
        is on its way, and the caller would wait for ever."""
        try:
            outcome = await taking
        except Exception:
            progress.break_off()
            await self._until_read(reporting)
            raise
        progress.conclude(outcome)
        await self._until_read(reporting)

    async def _take(self, caller: Caller, requests: Requests, progress: Progress) -> SubmitOutcome:
        caller.check_can_own()
        with self._slots.take(caller.owner):
            head = await receive_head(requests, self._limits)
            ladder = await asyncio.to_thread(self._ladder, head.ladder)
            async with staging(self._data, self._files) as stage:
                with stage.archive.open("w+b") as file:
                    await receive_archive(requests, head, file, self._limits)
                return await self._accept(caller, head, ladder, stage, progress)

    async def _until_read(self, reporting: asyncio.Task[None]) -> None:
        """Waits until the caller has read everything. Raises ArenaError."""
        try:
            async with asyncio.timeout(self._limits.silence_s):
                await reporting
        except TimeoutError:
            raise ArenaError(
                Kind.TOO_SLOW,
                "The submission is over, but you did not read what became of it; `arena bot list`"
                " shows whether it was accepted.",
            ) from None

    async def _accept(
        self,
        caller: Caller,
        head: SubmitHead,
        ladder: Ladder,
        stage: Staging,
        progress: Progress,
    ) -> SubmitOutcome:
        progress.begin("archive")
        bot = await self._files.do(lambda: _unpacked(stage, head))
        name, games = bot.program.name, bot.program.games
        check_plays(name, games, ladder.game, f"the ladder {ladder.name}")
        check_limits(bot.program, self._limits.quotas)
        playing = await asyncio.to_thread(self._playing, caller, bot, ladder)
        if playing is not None:
            progress.end(TrialStep("archive", "Exactly these files are on the ladder already."))
            return _response(playing, progress)
        unpacked = f"Unpacked {bot.files} files with {bot.size:,} bytes."
        sentences = f"{unpacked} {private_files(bot.private)}".rstrip()
        progress.end(TrialStep("archive", sentences))
        try:
            await self._trials.run(bot.program, ladder, stage, progress)
        except StepFailed as failed:
            log.info("%s: %s failed the step %s", caller.owner, bot.program.name, failed.step.name)
            progress.end(failed.step)
            return _response(None, progress)
        version = await self._files.do(lambda: self._keep(caller, bot, ladder, stage))
        log.info("%s: %s is on the ladder %s", caller.owner, bot.program.name, ladder.name)
        if ladder.state is not CompetitionState.RUNNING:
            paused = f"The ladder is {ladder.state}: nothing is played there until that changes."
            progress.end(TrialStep("ladder", paused))
        return _response(version, progress)

    def _ladder(self, name: str) -> Ladder:
        with self._store.reading() as session:
            ladder = ladder_named(session, name)
        check_ladder(ladder)
        return ladder

    def _playing(self, caller: Caller, bot: Unpacked, ladder: Ladder) -> version_pb2.Version | None:
        """Returns the version if it is on the ladder already. Raises ArenaError if it may
        not be."""
        quotas = self._limits.quotas
        with self._store.reading() as session:
            known = check_claim(session, bot.program, caller.owner, ladder.name, bot.size, quotas)
            if known is None or not is_playing(session, known, ladder.name):
                return None
            return version_message(session, known)

    def _keep(
        self, caller: Caller, bot: Unpacked, ladder: Ladder, stage: Staging
    ) -> version_pb2.Version:
        """Stores the files first, then the rows that refer to them."""
        program, size = bot.program, bot.size
        keep_files(self._data, program.version, program.content())
        if program.manifest.build is not None:
            size += _size(list_content(stage.built))
            keep_built(self._data, program.version, stage.built)
        with self._store.writing() as session:
            version = add_version(
                session,
                bot=program.name,
                owner=caller.owner,
                version=program.version,
                manifest=program.manifest.model_dump(mode="json"),
            )
            version.size, version.state = size, VersionState.ACTIVE
            self._enter(session, ladder, version.digest)
            told = {"ladder": ladder.name, "bot": version.bot, "number": version.number}
            begun(session, caller, "submit", told, DONE)
            return version_message(session, version)


def _response(version: version_pb2.Version | None, progress: Progress) -> SubmitOutcome:
    """Returns the response: accepted if there is a version; else the last step says why not."""
    return SubmitOutcome(
        accepted=version is not None,
        version=version,
        steps=[step.message() for step in progress.steps],
    )


def _unpacked(stage: Staging, head: SubmitHead) -> Unpacked:
    """Unpacks the archive. Raises ArenaError."""
    try:
        with stage.archive.open("rb") as file:
            private = [path for path in unpack(file, stage.files) if path.endswith(GIT)]
        private += remove_unselected(stage.files)
        folder = _top(stage.files)
        program = find_kept(folder)
        content = program.content()
    except (ArchiveError, ContentError) as mistake:
        raise ArenaError(Kind.WRONG_INPUT, stage.hide(str(mistake)), "archive") from None
    except UnknownBot as mistake:
        raise ArenaError(
            Kind.WRONG_INPUT, stage.hide(str(mistake)) + _one_too_deep(folder), "bot"
        ) from None
    version = program.version
    if head.version not in ("", version):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The archive holds version {version[:12]}, not {head.version[:12]!r}: it was damaged"
            " in transit, or its files changed while they were packed. Submit it again.",
            "version",
        )
    return Unpacked(program, len(content), _size(content), private)


def _top(folder: Path) -> Path:
    """Returns the bot's folder: the only one that is in the archive, if there is nothing else."""
    while True:
        inside = list(folder.iterdir())
        if len(inside) != 1 or inside[0].is_symlink() or not inside[0].is_dir():
            return folder
        folder = inside[0]


def _one_too_deep(folder: Path) -> str:
    """Returns what to do if the archive has more than the bot's folder, as a sentence to add; empty
    if it has not."""
    found = [] if (folder / MANIFEST).exists() else sorted(folder.glob(f"*/{MANIFEST}"))
    if not found:
        return ""
    name = sendable(found[0].parent.name)
    return f" There is one in its folder {name!r}: pack only that folder, or what is in it."


def _size(content: Sequence[Entry]) -> int:
    return sum(entry.size for entry in content)
