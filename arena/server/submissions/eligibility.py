"""Eligibility: the conditions under which a version is accepted."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.bots.source import Program
from arena.errors import ArenaError, Kind
from arena.league import check_takes_submissions
from arena.server.limits import Quotas
from arena.store.remote_bots import check_not_remote
from arena.store.schema import Bot, Entry, EntryState, Ladder, Version, VersionState
from arena.store.versions import known_version, usage_of
from sevens_games import load


def check_ladder(ladder: Ladder) -> None:
    """Raises ArenaError if the ladder is for other rules than this arena plays, or takes no more
    submissions."""
    check_takes_submissions(ladder)
    game = load(ladder.game)
    if game.rules_version != ladder.rules_version:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The ladder {ladder.name} uses version {ladder.rules_version} of the rules of"
            f" {game.title}, but this arena plays version {game.rules_version}.",
            "ladder",
        )


def check_limits(program: Program, quotas: Quotas) -> None:
    """Raises ArenaError if the bot asks for more memory or processes than it may have."""
    limits = program.manifest.limits
    for field, most in (("memory_mb", quotas.memory_mb), ("processes", quotas.processes)):
        if (asked := getattr(limits, field)) > most:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"bot.toml: `limits.{field}` is {asked:,}; this server allows at most {most:,}.",
                f"limits.{field}",
            )


def check_claim(
    session: Session, program: Program, owner: str, ladder: str, size: int, quotas: Quotas
) -> Version | None:
    """Returns the version if it is known already. Raises ArenaError if it is suspended from the
    ladder, a quota is used up, or the name or the files belong to another owner."""
    check_not_remote(session, program.name)
    known = known_version(session, bot=program.name, owner=owner, version=program.version)
    if known is None:
        check_quotas(session, program.name, owner, size, quotas)
    else:
        check_not_suspended(session, known, ladder, "fix them and submit the new version.")
    return known


def check_not_suspended(session: Session, version: Version, ladder: str, advice: str) -> None:
    """Raises ArenaError if the version is suspended from the ladder for its faults."""
    if is_suspended(session, version, ladder):
        raise ArenaError(
            Kind.NOT_NOW,
            f"Version {version.number} of {version.bot} is suspended from the ladder {ladder} for"
            f" its faults (see `arena bot faults {version.bot}`): {advice}",
            "version",
        )


def is_playing(session: Session, version: Version, ladder: str) -> bool:
    """Returns whether the version plays on the ladder."""
    entry = session.get(Entry, (ladder, version.digest))
    active = version.state is VersionState.ACTIVE
    return active and entry is not None and entry.state is EntryState.ACTIVE


def is_suspended(session: Session, version: Version, ladder: str) -> bool:
    """Returns whether the version is suspended from the ladder for its faults."""
    entry = session.get(Entry, (ladder, version.digest))
    return entry is not None and entry.state is EntryState.SUSPENDED


def check_quotas(session: Session, bot: str, owner: str, size: int, quotas: Quotas) -> None:
    """Raises ArenaError if the owner may not have one more version of `size` bytes."""
    used, known = usage_of(session, owner), session.get(Bot, bot)
    if known is None and used.bots >= quotas.bots:
        raise ArenaError(
            Kind.TOO_MANY,
            f"You have reached the limit of {quotas.bots} bots: submit a new version of one of"
            " them, or delete one.",
        )
    if used.versions_today >= quotas.versions_a_day:
        raise ArenaError(
            Kind.TOO_MANY,
            f"You have reached the limit of {quotas.versions_a_day} accepted versions in 24 hours;"
            " submit again tomorrow.",
        )
    if used.size + size > quotas.mebibytes << 20:
        raise ArenaError(
            Kind.TOO_MANY,
            f"Your bots use {used.size >> 20} of the {quotas.mebibytes} MiB allowed: delete one"
            " that you no longer need, or submit a smaller one.",
        )
