"""Finds and checks bots of this machine for a competition, and copies them into the arena."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from pathlib import Path

from arena.bots import check_built, find_runnable
from arena.bots.source import Image, Runnable, check_plays
from arena.cli.asking import AskedArena
from arena.cli.options import say_left_out
from arena.client.arena import Arena
from arena.disk import full_disk, is_full
from arena.errors import ArenaError, Kind
from arena.operations.competitions.versions_to_enter import VersionToEnter
from arena.operations.versions import StoredVersion, add_versions, list_versions
from arena.store.data_folder import DataFolder
from arena.store.versions import keep_files, keep_image
from arena.views.version import Version
from sevens_games import load
from sevens_games.engine import GameOf


def bot_to_enter(reference: str, game: GameOf) -> Runnable:
    """Returns the bot of a reference, checked to play the game. Raises UnknownBot and
    ArenaError."""
    bot = find_runnable(reference)
    say_left_out(bot)
    check_built(bot, reference)
    check_plays(bot.name, bot.games, game.slug)
    return bot


def is_file(reference: str) -> bool:
    """True if a reference is a bot of this machine, not a name in the arena."""
    is_kind = reference.startswith(("builtin:", "image:"))
    return is_kind or "/" in reference or reference.endswith(".py") or Path(reference).exists()


def only_here(reference: str, verb: str) -> ArenaError:
    """Returns the refusal of a bot of this machine by a server. `verb`: what was to be done."""
    return ArenaError(
        Kind.WRONG_INPUT,
        f"{reference} is on this machine, not on the server. Submit it to a ladder there"
        f" (`arena submit`), and {verb} it by its name.",
        "bot",
    )


def check_different(bots: Sequence[Runnable]) -> None:
    """Raises ArenaError if a bot is given twice."""
    seen: set[str] = set()
    for bot in bots:
        if bot.version in seen:
            raise ArenaError(
                Kind.WRONG_INPUT, f"{bot.name} is given twice; a bot enters only once.", "bot"
            )
        seen.add(bot.version)


def entrants_of(
    arena: AskedArena, slug: str, references: Sequence[str]
) -> tuple[VersionToEnter, ...]:
    """Returns the versions of bots, in order: of files of this machine, which are copied into the
    data folder, or of names in the arena. Raises ArenaError before anything has changed."""
    has_names = bool(arena.server) or arena.folder.has_store()
    bots: list[Runnable | str] = []
    for reference in references:
        if has_names and not is_file(reference):
            arena.ask(list_versions, bot=reference)
            bots.append(reference)
        elif arena.server:
            raise only_here(reference, "enter")
        else:
            bots.append(bot_to_enter(reference, load(slug)))
    check_different([bot for bot in bots if not isinstance(bot, str)])
    return versions_to_enter(arena, arena.folder, bots)


def versions_to_enter(
    arena: Arena, folder: DataFolder, bots: Sequence[Runnable | str]
) -> tuple[VersionToEnter, ...]:
    """Copies the bots of this machine into the data folder; returns the versions of all bots, in
    order. Raises ArenaError."""
    files = [bot for bot in bots if not isinstance(bot, str)]
    numbers = {one.version: one.number for one in stored_versions(arena, folder, files)}
    return tuple(
        VersionToEnter(bot=bot)
        if isinstance(bot, str)
        else VersionToEnter(bot=bot.name, number=numbers[bot.version])
        for bot in bots
    )


def stored_versions(
    arena: Arena, folder: DataFolder, bots: Sequence[Runnable]
) -> tuple[Version, ...]:
    """Stores bots, without entering them anywhere; returns their versions. Raises ArenaError."""
    if not bots:
        return ()
    return arena.ask(add_versions, tuple(_stored(folder, bot) for bot in bots)).versions


def _stored(folder: DataFolder, bot: Runnable) -> StoredVersion:
    """Copies a bot into the data folder. Raises ArenaError and DiskFull."""
    try:
        if isinstance(bot, Image):
            keep_image(folder, bot)
        else:
            keep_files(folder, bot.version, bot.content())
    except OSError as error:
        if is_full(error):
            raise full_disk(folder.path) from None
        raise
    return StoredVersion(
        bot=bot.name,
        owner=getpass.getuser(),
        version=bot.version,
        manifest=bot.about if isinstance(bot, Image) else bot.manifest,
    )
