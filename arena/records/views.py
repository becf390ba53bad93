"""The views that one viewer had of a match, decision by decision, in terms of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.records.setup import recorded_deals, started
from arena.records.timeline import Owed, Step, moments
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Event, Observation


class View(NamedTuple):
    """A viewer's view at one moment.

    `step`: the choice that followed; None at the end of the match.
    `events`: the events since the previous view.
    """

    step: Step | None
    observation: Observation
    events: tuple[Event, ...]


def views_of(record: pb.MatchRecord, seat: int | None = None) -> Iterator[View]:
    """Yields the view of each decision, and that of the end. Raises BadRecord like `replay`.

    `seat`: only the decisions that were sent to this seat; None: all decisions, in the view of a
      spectator who sees everything.
    """
    match = started(record, recorded_deals(record))
    heard = 0
    sent: tuple[Observation, tuple[Event, ...]] | None = None
    for moment in moments(record, match):
        if seat is None:
            if isinstance(moment, Owed):
                continue
            sent = match.observe(None), match.events(None, heard)
        elif moment.seat == seat and isinstance(moment, Owed):
            sent = match.observe(seat), match.events(seat, heard)
        if isinstance(moment, Step) and sent is not None and (seat is None or moment.seat == seat):
            yield View(moment, *sent)
            heard += len(sent[1])
            sent = None
    yield View(None, match.observe(seat), match.events(seat, heard))
