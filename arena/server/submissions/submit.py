"""A submission, from its first word to its place on a ladder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy.orm import Session

from arena.bots.find import UnknownBot, find_kept
from arena.bots.source.archive import ArchiveError, unpack
from arena.bots.source.files import ContentError, Entry, list_content
from arena.bots.source.program import Program
from arena.server.auth import Caller
from arena.server.errors import wrong
from arena.server.limits import Bounds
from arena.server.places import Places
from arena.server.submissions.eligibility import (
    check_claim,
    check_games,
    check_ladder,
    check_limits,
    is_playing,
)
from arena.server.submissions.staging import Workshop, wholly, workshop
from arena.server.submissions.steps import Step, StepFailed
from arena.server.submissions.trial import Trials
from arena.server.submissions.upload import Requests, receive_archive, receive_head
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.session import Store
from arena.store.tables import Ladder, VersionState
from arena.store.versions import add_version, keep_built, keep_files
from sevens.league.v1.submission_pb2 import SubmitHead

log = logging.getLogger(__name__)

Enter: TypeAlias = Callable[[Session, Ladder, str], None]
"""Puts a version, by its digest, on a ladder: the league's part."""


@dataclass(frozen=True)
class Submitted:
    """What came of a submission. `version`: the digest of what was accepted; empty if it was not,
    for the reason that the last step tells."""

    version: str
    steps: list[Step]


@dataclass(frozen=True)
class Unpacked:
    """The bot that an archive held; how many files it has, and how many bytes."""

    program: Program
    files: int
    size: int


class Submissions:
    """Takes submissions. What is refused leaves nothing behind."""

    def __init__(
        self, store: Store, data: DataFolder, trials: Trials, enter: Enter, bounds: Bounds
    ) -> None:
        self._store = store
        self._data = data
        self._trials = trials
        self._enter = enter
        self._bounds = bounds
        self._places = Places(bounds)

    async def take(self, caller: Caller, requests: Requests) -> Submitted:
        """Takes one submission. Raises Refusal, NotFound, NotYours and ArenaFailure."""
        with self._places.one(caller.owner):
            head = await receive_head(requests, self._bounds)
            ladder = await asyncio.to_thread(self._ladder, head.ladder)
            with workshop(self._data) as shop:
                with shop.archive.open("w+b") as file:
                    await receive_archive(requests, head, file, self._bounds)
                return await self._accept(caller, head, ladder, shop)

    async def _accept(
        self, caller: Caller, head: SubmitHead, ladder: Ladder, shop: Workshop
    ) -> Submitted:
        bot = await wholly(lambda: _unpacked(shop, head))
        version = bot.program.version
        check_games(bot.program, ladder)
        check_limits(bot.program, self._bounds.quotas)
        if await asyncio.to_thread(self._is_playing, caller, bot, ladder):
            step = Step("archive", "These very files are on the ladder already.")
            return Submitted(version, [step])
        steps = [Step("archive", f"{bot.files} files with {bot.size:,} bytes were unpacked.")]
        try:
            await self._trials.run(bot.program, ladder, shop, steps)
        except StepFailed as failed:
            log.info("%s: %s failed the step %s", caller.owner, bot.program.name, failed.step.name)
            return Submitted("", [*steps, failed.step])
        await wholly(lambda: self._keep(caller, bot, ladder, shop))
        log.info("%s: %s is on the ladder %s", caller.owner, bot.program.name, ladder.name)
        return Submitted(version, steps)

    def _ladder(self, name: str) -> Ladder:
        with self._store.reading() as session:
            ladder = ladder_named(session, name)
        check_ladder(ladder)
        return ladder

    def _is_playing(self, caller: Caller, bot: Unpacked, ladder: Ladder) -> bool:
        """Whether the version is on the ladder already. Raises Refusal if it must not be, and
        NotYours."""
        quotas = self._bounds.quotas
        with self._store.reading() as session:
            known = check_claim(session, bot.program, caller.owner, ladder.name, bot.size, quotas)
            return known is not None and is_playing(session, known, ladder.name)

    def _keep(self, caller: Caller, bot: Unpacked, ladder: Ladder, shop: Workshop) -> None:
        """First the files, then the rows that speak of them."""
        program, size = bot.program, bot.size
        keep_files(self._data, program.version, program.content())
        if shop.built.exists():
            size += _size(list_content(shop.built))
            keep_built(self._data, program.version, shop.built)
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


def _unpacked(shop: Workshop, head: SubmitHead) -> Unpacked:
    """Unpacks the archive. Raises Refusal."""
    try:
        with shop.archive.open("rb") as file:
            unpack(file, shop.files)
        program = find_kept(shop.files)
        content = program.content()
    except (ArchiveError, ContentError) as mistake:
        raise wrong(shop.hide(str(mistake)), "archive") from None
    except UnknownBot as mistake:
        raise wrong(shop.hide(str(mistake)), "bot") from None
    version = program.version
    if head.version not in ("", version):
        raise wrong(
            f"The archive holds version {version[:12]}, not {head.version[:12]!r}: it was damaged"
            " on its way, or its files changed while they were packed. Submit it again.",
            "version",
        )
    return Unpacked(program, len(content), _size(content))


def _size(content: Sequence[Entry]) -> int:
    return sum(entry.path.lstat().st_size for entry in content)
