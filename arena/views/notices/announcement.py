"""Announcements: the organiser's sentences to everybody."""

from __future__ import annotations

from arena.views.view import Moment, View


class Announcement(View):
    """A sentence for everybody. `until`: it is shown so long; None: until it is removed."""

    number: int
    sentence: str
    until: Moment | None
    created_at: Moment


class Announcements(View):
    """The announcements that are shown now, oldest first."""

    announcements: tuple[Announcement, ...]


class RemovedAnnouncement(View):
    """An announcement that has been removed."""

    number: int
