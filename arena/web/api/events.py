"""Event streams: programs receive the same changes as the pages."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from arena.web.api.error_answer import RESPONSES, Failure
from arena.web.api.parameters import LONGEST_NAME, Name
from arena.web.events import StreamBounds
from arena.web.pages import list_events

BOUNDS = StreamBounds()

LastEventId = Annotated[
    str,
    Header(
        max_length=LONGEST_NAME,
        description="The `id` of the last event that you received; only newer ones are sent.",
    ),
]


def stream_responses(example: str) -> dict[int | str, dict[str, Any]]:
    """Returns the description of the answers of a stream whose events have such data."""
    content = {"schema": {"type": "string"}, "example": f"id: 7\ndata: {example}\n\n"}
    return {
        200: {
            "content": {"text/event-stream": content},
            "description": f"Server-sent events with JSON as data, the newest state first. After"
            f" {BOUNDS.heartbeat_s:g} seconds without news comes a comment; `event: stop` is the"
            " last event before the pages end.",
        },
        429: {
            "model": Failure,
            "description": f"{BOUNDS.an_address} streams are open from your address already.",
        },
        503: {
            "model": Failure,
            "description": f"{BOUNDS.everywhere:,} are open in all, or the pages end.",
        },
    }


router = APIRouter(tags=["events"], responses=RESPONSES)
CHANGED = stream_responses('{"rated": 412, "queued": 3, "latest": "3f2a91c07e-0"}')


@router.get("/ladders/{name}/events", response_class=Response, responses=CHANGED)
async def follow_ladder(request: Request, name: Name, last_event_id: LastEventId = "") -> Response:
    """When a ladder has new results, or its queue, its bots or its state have changed: its rated
    jobs, those queued or in play, and its latest match."""
    return await list_events.of_ladder(request)


@router.get("/matches/events", response_class=Response, responses=CHANGED)
async def follow_matches(request: Request, last_event_id: LastEventId = "") -> Response:
    """When any match has finished, or the queue has changed. `rated` is 0."""
    return await list_events.of_matches(request)
