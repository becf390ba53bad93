"""Whether an owner may have a version kept."""

from __future__ import annotations

from datetime import timedelta

import grpc
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.bots.source.program import Program
from arena.games import load
from arena.server.errors import Refusal, exhausted, wrong
from arena.server.limits import Quotas
from arena.store.remotes import check_not_remote
from arena.store.tables import Bot, Entry, EntryState, Ladder, Version, VersionState, now
from arena.store.versions import known_version

DAY = timedelta(days=1)


def check_ladder(ladder: Ladder) -> None:
    """Raises Refusal if nobody can enter the ladder any more."""
    game = load(ladder.game)
    if game.rules_version != ladder.rules_version:
        raise Refusal(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"The ladder {ladder.name} is for version {ladder.rules_version} of the rules of"
            f" {game.title}, and this arena plays version {game.rules_version}.",
            "ladder",
        )


def check_games(program: Program, ladder: Ladder) -> None:
    """Raises Refusal if the bot does not play the ladder's game."""
    if program.games and ladder.game not in program.games:
        raise wrong(
            f"{program.name} does not play {ladder.game}, the game of the ladder {ladder.name}, but"
            f" {', '.join(program.games)}; add it to `games` in bot.toml.",
            "games",
        )


def check_limits(program: Program, quotas: Quotas) -> None:
    """Raises Refusal if the bot asks for more of the machine than it may have."""
    limits = program.manifest.limits
    for field, most in (("memory_mb", quotas.memory_mb), ("processes", quotas.processes)):
        if (asked := getattr(limits, field)) > most:
            raise wrong(
                f"bot.toml: `limits.{field}` is {asked:,}; on this server at most {most:,} can be"
                " had.",
                f"limits.{field}",
            )


def check_claim(
    session: Session, program: Program, owner: str, ladder: str, size: int, quotas: Quotas
) -> Version | None:
    """The version, if it is known already. Raises Refusal if it is suspended from the ladder or a
    quota is used up, and NotYours."""
    check_not_remote(session, program.name)
    known = known_version(session, bot=program.name, owner=owner, version=program.version)
    if known is None:
        check_quotas(session, program.name, owner, size, quotas)
    else:
        check_not_suspended(session, known, ladder, "mend it and submit that.")
    return known


def check_not_suspended(session: Session, version: Version, ladder: str, advice: str) -> None:
    """Raises Refusal if the version is off the ladder for its faults."""
    if is_suspended(session, version, ladder):
        raise Refusal(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"Version {version.number} of {version.bot} is suspended from the ladder {ladder} for"
            f" its faults, which `arena bot faults {version.bot}` lists: {advice}",
            "version",
        )


def is_playing(session: Session, version: Version, ladder: str) -> bool:
    """Whether the version is on the ladder, and plays."""
    entry = session.get(Entry, (ladder, version.digest))
    active = version.state is VersionState.ACTIVE
    return active and entry is not None and entry.state is EntryState.ACTIVE


def is_suspended(session: Session, version: Version, ladder: str) -> bool:
    """Whether the version is off the ladder for its faults."""
    entry = session.get(Entry, (ladder, version.digest))
    return entry is not None and entry.state is EntryState.SUSPENDED


def check_quotas(session: Session, bot: str, owner: str, size: int, quotas: Quotas) -> None:
    """Raises Refusal if the owner may not have one more version of so many bytes."""
    bots = session.scalars(sa.select(Bot.name).where(Bot.owner == owner)).all()
    if bot not in bots and len(bots) >= quotas.bots:
        raise exhausted(
            f"You may have {quotas.bots} bots, and you have: submit a version of one of them."
        )
    mine = sa.select(sa.func.count(), sa.func.sum(Version.size)).where(Version.bot.in_(bots))
    today, _ = session.execute(mine.where(Version.created_at > now() - DAY)).one()
    if today >= quotas.versions_a_day:
        raise exhausted(
            f"You may submit {quotas.versions_a_day} versions in 24 hours, and you have: come back"
            " tomorrow."
        )
    kept = int(session.execute(mine).one()[1] or 0)
    if kept + size > quotas.mebibytes << 20:
        raise exhausted(
            f"Your bots take up {kept >> 20} MiB, and may take up {quotas.mebibytes}:"
            " delete one that you need no more, or submit a smaller one."
        )
