"""Matches in play: their list, and one that is followed."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.records import BadRecord
from arena.store.session import Store
from arena.web.conditional import conditional, tag_of
from arena.web.events import State, streams_of
from arena.web.live import (
    JobShown,
    LiveView,
    NotOnAir,
    document_text,
    job_shown,
    jobs_in_play,
    live_view,
    receiver_of,
)
from arena.web.rendering import render
from arena.web.site import site_of
from sevens.record.v1.match_record_pb2 import MatchRecord

JOBS = "jobs"  # the part of the list that changes
LATEST = 12  # decisions that the page shows as sentences


async def show_all(request: Request) -> Response:
    """Returns the list of the matches in play."""
    jobs, sentence = await found_in_play(request)
    return await asyncio.to_thread(_list, request, jobs, sentence)


async def found_in_play(request: Request) -> tuple[list[JobShown], str]:
    """Returns the jobs in play, oldest first, and why they cannot be seen; empty if they can."""
    try:
        names = await receiver_of(request).in_play()
    except NotOnAir as reason:
        return [], str(reason)
    return await asyncio.to_thread(_read, site_of(request).store, names), ""


def _read(store: Store, names: set[str]) -> list[JobShown]:
    with store.reading() as session:
        return jobs_in_play(session, names)


def _list(request: Request, jobs: list[JobShown], sentence: str) -> Response:
    part = request.query_params.get("part", "")
    if part not in ("", JOBS):
        raise ArenaError(Kind.WRONG_INPUT, f"This page has the part {JOBS}, not {part[:50]!r}.")
    return render(
        request,
        "parts/live_jobs.html" if part else "live.html",
        jobs=jobs,
        sentence=sentence,
        delay_s=site_of(request).settings.live_delay_s,
        latest=_names(jobs),
    )


async def list_events(request: Request) -> Response:
    """Returns the events of the list: each says that other matches are in play. Raises
    StreamRefused."""

    async def look() -> State:
        jobs, _ = await found_in_play(request)
        names = _names(jobs)
        return State(f"in play {names}", json.dumps({"queued": len(jobs), "latest": names}))

    return streams_of(request).open(request, "live", look)


def _names(jobs: list[JobShown]) -> str:
    """Returns what differs once other jobs are in play."""
    return sha256(",".join(shown.job.job_id for shown in jobs).encode()).hexdigest()[:12]


async def show(request: Request) -> Response:
    """Returns the page that follows a match."""
    site, name = site_of(request), request.path_params["job"]
    found = await live_view(site.store, receiver_of(request), name, site.settings.live_delay_s)
    return await asyncio.to_thread(_page, request, found)


def _page(request: Request, found: LiveView) -> Response:
    latest: list[str] = []
    if found.record is not None:
        shown = json.loads(_drawn(found.record))
        latest = [frame["says"] for frame in shown["frames"][:-1]][-LATEST:]
    return render(
        request, "followed.html", shown=found.shown, sentence=found.sentence, latest=latest
    )


async def document(request: Request) -> Response:
    """Returns the document of a match in play, so far."""
    site, name = site_of(request), request.path_params["job"]
    found = await live_view(site.store, receiver_of(request), name, site.settings.live_delay_s)
    record = found.record
    if record is None:
        raise ArenaError(Kind.NOT_FOUND, found.sentence)
    text = await asyncio.to_thread(_drawn, record)
    return conditional(
        request,
        tag_of(name, found.state.id),
        lambda: Response(text, media_type="application/json"),
    )


def _drawn(record: MatchRecord) -> str:
    try:
        return document_text(record.SerializeToString(deterministic=True))
    except BadRecord as problem:
        raise ArenaError(Kind.UNREACHABLE, f"The match cannot be drawn so far. {problem}") from None


async def events(request: Request) -> Response:
    """Returns the events of a match in play. Raises ArenaError and StreamRefused."""
    streams_of(request).check(request)  # before the store is asked anything
    site, receiver, name = site_of(request), receiver_of(request), request.path_params["job"]
    await asyncio.to_thread(_check, site.store, name)

    async def look() -> State:
        return (await live_view(site.store, receiver, name, site.settings.live_delay_s)).state

    return streams_of(request).open(request, f"live {name}", look)


def _check(store: Store, name: str) -> None:
    with store.reading() as session:
        job_shown(session, name)


ROUTES = [
    Route("/live", show_all),
    Route("/live/events", list_events),
    Route("/live/{job}", show),
    Route("/live/{job}/events", events),
    Route("/live/{job}/replay.json", document),
]
