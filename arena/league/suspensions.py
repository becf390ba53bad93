"""Fault quotas: a version that spoils too many matches of a ladder is suspended from it.

A fault costs its bot the match, so ratings see to those that fail now and then. The quota is for
those that fail for good: they spoil others' matches, and may cost a start grace each time. It
counts on each ladder for itself, since what is a fault there depends on its clock.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.store.faults import faulted, suspend
from arena.store.tables import Entry, EntryState, Ladder, Match

log = logging.getLogger(__name__)

LAST_MATCHES = 50
"""What is counted. A quota of all of them suspends nobody."""


def check_quotas(session: Session, ladder: Ladder, matches: Sequence[Match]) -> None:
    """Suspends whoever faulted one match too many with these, which have just been recorded."""
    for match in matches:
        for version in {seat.version for seat in match.seats if seat.fault_kind is not None}:
            entry = session.get(Entry, (ladder.name, version))
            if entry is None or entry.state is not EntryState.ACTIVE:
                continue
            if faulted(session, entry, LAST_MATCHES) > ladder.fault_quota:
                suspend(entry, match.id)
                log.warning(
                    "version %s is suspended from the ladder %s: more than %d of its last %d"
                    " matches ended in a fault, the latest %s",
                    *(version[:12], ladder.name, ladder.fault_quota, LAST_MATCHES, match.id),
                )
