"""Announcements: the organiser's sentences to everybody."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Announcement, now


def current_announcements(session: Session) -> Sequence[Announcement]:
    """Returns the announcements that are shown at this time, oldest first."""
    is_current = Announcement.until.is_(None) | (Announcement.until > now())
    query = sa.select(Announcement).where(is_current).order_by(Announcement.number)
    return session.scalars(query).all()
