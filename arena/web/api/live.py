"""Matches in play, as late as the pages show them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from arena.web.api.answers import answered
from arena.web.api.error_answer import RESPONSES
from arena.web.api.events import LastEventId, stream_responses
from arena.web.api.matches import JSON
from arena.web.api.parameters import Name
from arena.web.live import JobShown
from arena.web.pages.played import live as live_page

COURSE = stream_responses(
    '{"decisions": 31, "sentence": "Shown as it was 60 seconds ago.", "matches": []}'
)
router = APIRouter(tags=["live"], responses=RESPONSES)


@dataclass(frozen=True)
class JobInPlay:
    """A job that a worker plays.

    `bots`: by seat of its first match.
    `matches`: how many it has, with the same deals.
    `secrecy`: why nothing of it is shown before it is over; empty if it may be followed.
    """

    job: str
    competition: str
    game: str
    bots: list[str]
    matches: int
    offered_at: datetime
    secrecy: str


@dataclass(frozen=True)
class InPlay:
    """The jobs in play, oldest first. `sentence`: why they cannot be seen; empty if they can."""

    jobs: list[JobInPlay]
    sentence: str


@router.get("/live", response_model=InPlay)
async def list_live(request: Request) -> Response:
    """The matches in play."""
    jobs, sentence = await live_page.found_in_play(request)
    found = InPlay([_in_play(one) for one in jobs], sentence)
    return await asyncio.to_thread(answered, request, found)


@router.get("/live/{job}/replay", response_class=Response, responses=JSON)
async def read_live(request: Request, job: Name) -> Response:
    """All that the page draws of a match in play, so far."""
    return await live_page.document(request)


@router.get("/live/{job}/events", response_class=Response, responses=COURSE)
async def follow_live(request: Request, job: Name, last_event_id: LastEventId = "") -> Response:
    """The number of decisions of a match in play that may be seen (null: none), the reason, and its
    matches once they are over. Nothing of a deal is shown before the last match with it is
    over."""
    return await live_page.events(request)


def _in_play(shown: JobShown) -> JobInPlay:
    job = shown.job
    return JobInPlay(
        job=job.job_id,
        competition=job.competition,
        game=job.game,
        bots=[job.entrants[entrant].bot for entrant in job.seatings[0]],
        matches=len(job.seatings),
        offered_at=shown.offered_at,
        secrecy=shown.secrecy,
    )
