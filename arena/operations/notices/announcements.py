"""Announcements: the organiser's sentences to everybody, on every page."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from arena.errors import ArenaError, Kind
from arena.operations.caller import ORGANISERS
from arena.operations.operation import (
    Changing,
    Number,
    Reading,
    Text,
    changes,
    printable,
    reads,
    stripped,
)
from arena.store import schema
from arena.store.notices.announcements import current_announcements
from arena.store.schema import now
from arena.views.matches.match_query import until_of
from arena.views.notices.announcement import Announcement, Announcements, RemovedAnnouncement

LONGEST, MOST = 500, 10

Sentence = Annotated[
    str, Field(max_length=LONGEST), AfterValidator(printable), AfterValidator(stripped)
]


@reads("/announcements")
def list_announcements(asked: Reading) -> Announcements:
    """The announcements that are shown now, oldest first."""
    found = current_announcements(asked.session)
    return Announcements(announcements=tuple(map(Announcement.model_validate, found)))


@changes("POST", "/announcements", ORGANISERS)
def announce(
    call: Changing,
    sentence: Sentence,
    until: Annotated[
        Text, Field(description="A moment, or a day with its end; empty: until it is removed.")
    ] = "",
) -> Announcement:
    """Show a sentence to everybody, on every page."""
    moment = until_of("until", until) if until else None
    if moment is not None and moment <= now():
        raise ArenaError(Kind.WRONG_INPUT, "until is in the past: give a later time.", "until")
    with call.store.writing() as session:
        if len(current_announcements(session)) >= MOST:
            raise ArenaError(
                Kind.NOT_NOW, f"There are {MOST} announcements: remove one first.", "sentence"
            )
        row = schema.Announcement(sentence=sentence, until=moment)
        session.add(row)
        session.flush()
        return Announcement.model_validate(row)


@changes("DELETE", "/announcements/{number}", ORGANISERS)
def remove_announcement(call: Changing, number: Number) -> RemovedAnnouncement:
    """Show an announcement no longer."""
    with call.store.writing() as session:
        row = session.get(schema.Announcement, number)
        if row is None:
            raise ArenaError(
                Kind.NOT_FOUND,
                f"There is no announcement {number}; `arena announce list` lists them.",
                "number",
            )
        session.delete(row)
    return RemovedAnnouncement(number=number)
