"""Finds and checks bots of this machine for a competition, and copies them into the arena."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from arena.bots import check_built, find_runnable
from arena.bots.source import Image, Runnable
from arena.cli.options import check_plays, say_left_out
from arena.client.folder_access import changing
from arena.errors import ArenaError, Kind
from arena.games.engine import GameOf
from arena.store.data_folder import DataFolder
from arena.store.schema import Version
from arena.store.session import Store
from arena.store.versions import add_version, keep_files, keep_image


def bot_to_enter(reference: str, game: GameOf) -> Runnable:
    """Returns the bot of a reference, checked to play the game. Raises UnknownBot and
    ArenaError."""
    bot = find_runnable(reference)
    say_left_out(bot)
    check_built(bot, reference)
    check_plays(bot, game)
    return bot


def is_file(reference: str) -> bool:
    """True if a reference is a bot of this machine, not a name in the arena."""
    is_kind = reference.startswith(("builtin:", "image:"))
    return is_kind or "/" in reference or reference.endswith(".py") or Path(reference).exists()


def check_different(bots: Sequence[Runnable]) -> None:
    """Raises ArenaError if a bot is given twice."""
    seen: set[str] = set()
    for bot in bots:
        if bot.version in seen:
            raise ArenaError(
                Kind.WRONG_INPUT, f"{bot.name} is given twice; a bot enters only once.", "bot"
            )
        seen.add(bot.version)


def enter_bots(
    store: Store,
    folder: DataFolder,
    bots: Sequence[Runnable],
    enter: Callable[[Session, Version], object],
) -> None:
    """Stores the bots and enters them: all of them, or none. Raises ArenaError."""
    manifests = [_stored(folder, bot) for bot in bots]
    try:
        with store.writing() as session:
            for bot, manifest in zip(bots, manifests, strict=True):
                version = add_version(
                    session,
                    bot=bot.name,
                    owner=getpass.getuser(),
                    version=bot.version,
                    manifest=manifest,
                )
                enter(session, version)
    except ArenaError as error:
        if error.kind is not Kind.TAKEN:
            raise
        raise ArenaError(error.kind, error.sentence, "bot") from None


def stored_versions(folder: DataFolder, bots: Sequence[Runnable]) -> list[Version]:
    """Stores bots, without entering them anywhere; returns their versions. Raises ArenaError."""
    versions: list[Version] = []
    if bots:
        with changing(folder, "bot") as store:
            enter_bots(store, folder, bots, lambda _, version: versions.append(version))
    return versions


def _stored(folder: DataFolder, bot: Runnable) -> dict[str, Any]:
    """Copies a bot into the data folder; returns its manifest."""
    if isinstance(bot, Image):
        keep_image(folder, bot)
        return bot.about.model_dump()
    keep_files(folder, bot.version, bot.content())
    return bot.manifest.model_dump(mode="json")
