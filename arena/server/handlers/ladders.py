"""Ladders and who is on them, in pages. Everybody with a token may see all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.server.handlers.matches import naming, page_size
from arena.server.messages import ladder_message, standing_message
from arena.store import tables
from arena.store.faults import suspensions
from arena.store.matches import match_counts
from arena.store.queries import Placing, job_counts, ladder_named, ladders
from arena.store.tables import JobState
from sevens.league.v1.ladder_pb2 import (
    JobCounts,
    ListLaddersRequest,
    ListLaddersResponse,
    ReadLadderRequest,
    ReadLadderResponse,
)


@dataclass(frozen=True)
class Ladders:
    """Answers those who ask for ladders. What the league knows of them is handed to it.
    `standings`: the versions on a ladder, the best first; `obstacle`: why it makes no jobs now;
    `is_run`: whether an arena runs it."""

    standings: Callable[[Session, str], Sequence[Placing]]
    obstacle: Callable[[Session, tables.Ladder], str | None]
    is_run: Callable[[str], bool]

    def listed(self, session: Session, request: ListLaddersRequest) -> ListLaddersResponse:
        """A page of ladders, by name."""
        left = [ladder for ladder in ladders(session) if ladder.name > request.after]
        page = left[: page_size(request.limit)]
        played = match_counts(session)
        return ListLaddersResponse(
            ladders=[
                ladder_message(ladder, played.get(ladder.name, 0), is_run=self.is_run(ladder.name))
                for ladder in page
            ],
            next=page[-1].name if len(page) < len(left) else "",
        )

    def read(self, session: Session, request: ReadLadderRequest) -> ReadLadderResponse:
        """A ladder, and a page of the versions on it. Raises Refusal."""
        with naming("ladder"):
            ladder = ladder_named(session, request.ladder)
        standings = self.standings(session, ladder.name)
        until = request.after + page_size(request.limit)
        suspended_for = {fault.version: fault for fault in suspensions(session, ladder.name)}
        jobs = job_counts(session, ladder.name)
        matches = match_counts(session).get(ladder.name, 0)
        return ReadLadderResponse(
            ladder=ladder_message(ladder, matches, is_run=self.is_run(ladder.name)),
            jobs=JobCounts(
                queued=jobs[JobState.QUEUED],
                recorded=jobs[JobState.RECORDED],
                parked=jobs[JobState.PARKED],
            ),
            obstacle=self.obstacle(session, ladder),
            standings=[
                standing_message(placing, suspended_for.get(placing.entry.version))
                for placing in standings[request.after : until]
            ],
            next=until if until < len(standings) else 0,
        )
