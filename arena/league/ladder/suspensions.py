"""Fault quotas: a version with too many faulted matches is suspended from the ladder.

A fault already costs the bot its match, so ratings take care of bots that fail occasionally. The
quota is for those that fail constantly: they ruin others' matches and may cost a start grace each
time. Each ladder counts separately, since what is a fault there depends on its clock.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from arena.store.faults import excess, faulted, suspend
from arena.store.notices.news import add_news
from arena.store.schema import Entry, EntryState, Ladder, Match, NewsKind, Version

log = logging.getLogger(__name__)

LAST_MATCHES = 50
"""The number of a version's latest matches that count. A quota this large suspends nobody."""


def check_quotas(session: Session, ladder: Ladder, matches: Sequence[Match]) -> None:
    """Suspends every version that these matches, just recorded, take over its quota."""
    for match in matches:
        for version in {seat.version for seat in match.seats if seat.fault_kind is not None}:
            entry = session.get(Entry, (ladder.name, version))
            if entry is None or entry.state is not EntryState.ACTIVE:
                continue
            if faulted(session, entry, LAST_MATCHES) > ladder.fault_quota:
                _suspend(session, ladder, entry, match.id)


def check_quotas_again(
    session: Session, ladder: Ladder, versions: Iterable[str], *, fewer: bool
) -> None:
    """Suspends those of the versions that are over their quota, and lets the others play, after
    matches in which they were at fault have become void, or count again. `fewer`: void; then nobody
    is suspended who was not."""
    for version in versions:
        entry = session.get(Entry, (ladder.name, version))
        if entry is None or entry.state is EntryState.WITHDRAWN:
            continue
        exceeded = excess(session, entry, ladder.fault_quota, LAST_MATCHES)
        if exceeded is None:
            entry.state, entry.suspended_for = EntryState.ACTIVE, None
        elif entry.state is EntryState.SUSPENDED:
            suspend(entry, exceeded)
        elif not fewer:
            _suspend(session, ladder, entry, exceeded)


def _suspend(session: Session, ladder: Ladder, entry: Entry, match: str) -> None:
    """Suspends a version that played, and says so."""
    suspend(entry, match)
    version = session.get_one(Version, entry.version)
    sentence = (
        f"Version {version.number} of {version.bot} is suspended from the ladder {ladder.name}:"
        f" more than {ladder.fault_quota} of its last {LAST_MATCHES} matches ended in a fault, the"
        f" latest {match}."
    )
    log.warning("%s", sentence)
    add_news(session, NewsKind.BOT_SUSPENDED, sentence, competition=ladder.name, bot=version.bot)
