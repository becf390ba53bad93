"""Submitting a bot in the page. The answer to the form is a page that grows while the arena works,
line by line, without a script; who closes it before the end withdraws the submission."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, contextmanager
from http import HTTPStatus
from typing import Any, TypeAlias

from anyio import CancelScope
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.bots.source import PACKED_LIMIT_BYTES
from arena.client.submission import watched_submission
from arena.errors import ArenaError, Kind
from arena.league import takes_submissions
from arena.store.queries import ladders
from arena.store.schema import CompetitionState
from arena.views.arena import software_of
from arena.web.http import bounded, failure_of
from arena.web.rendering import NO_STORE, environment, private_page, render
from arena.web.site import site_of
from arena.web.viewer import contestant_of, running_arena
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitResponse

Events: TypeAlias = AsyncGenerator[SubmitResponse]

AROUND_BYTES = 16 * 1024  # what a form adds to the archive
FIELDS, FIELD_BYTES = 4, 1000
UPLOADS = 8
UPLOAD_S = 300.0
SIGN_OF_LIFE_S = 3.0
"""After so much silence a line feed is sent, which shows whether the visitor is still there."""
TOO_LARGE = (
    f"The archive is larger than {PACKED_LIMIT_BYTES >> 20} MiB, so it was not read. Leave out"
    " files that the bot does not need to run."
)
DOING = {
    "archive": "Unpacking it.",
    "queue": "Waiting for its trial.",
    "build": "Building it.",
    "start": "Starting it.",
    "match": "Playing a match against itself.",
}
STEPS = "\N{OBJECT REPLACEMENT CHARACTER}steps"
"""A placeholder in the page for the steps."""


class Uploads:
    """The uploads that are under way: one an owner, and so many in all. A page's process keeps each
    in a temporary file until the arena has it."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def take(self, owner: str) -> Iterator[None]:
        """Takes a place for as long as the context lasts. Raises ArenaError."""
        if self._open[owner]:
            raise ArenaError(
                Kind.TOO_MANY, "Another submission of yours is still in progress; wait for it."
            )
        if self._open.total() >= UPLOADS:
            raise ArenaError(
                Kind.TOO_MANY, "The pages are busy with other submissions; try again in a minute."
            )
        self._open[owner] += 1
        try:
            yield
        finally:
            del self._open[owner]


TAKEN = Uploads()
"""The uploads of this process."""


def show(request: Request) -> Response:
    """Returns the form. Raises ArenaError."""
    contestant_of(request)
    return _form(request, request.query_params.get("ladder", ""))


async def take(request: Request) -> Response:
    """Submits the archive of the form. Raises ArenaError."""
    login = await run_in_threadpool(contestant_of, request)
    server = (await run_in_threadpool(running_arena, request)).server
    async with AsyncExitStack() as stack:
        stack.enter_context(TAKEN.take(login.caller.owner))
        form = await _uploaded(request)
        stack.push_async_callback(form.close)
        ladder = str(form.get("ladder", ""))
        try:
            archive = _archive(form.get("archive"))
            head = SubmitHead(ladder=ladder, archive_bytes=archive.size or 0)
            events = watched_submission(server, login.token_id, head, archive.file)
            await stack.enter_async_context(aclosing(events))
            first = [event async for event in _until_unpacked(events)]
        except ArenaError as refused:
            return await run_in_threadpool(_form, request, ladder, refused)
        page = await run_in_threadpool(_begun, request, ladder, archive.filename)
        growing = _growing(page, first, events, stack.pop_all())
        headers = {"Cache-Control": NO_STORE}
        return StreamingResponse(growing, media_type="text/html", headers=headers)


def _form(request: Request, ladder: str, refused: ArenaError | None = None) -> Response:
    """Returns the form, with the reason why what was sent before is refused."""
    shown = failure_of(refused) if refused is not None else None
    with site_of(request).store.reading() as session:
        found = ladders(session)
        running = CompetitionState.RUNNING
        return private_page(
            request,
            "own/submit.html",
            HTTPStatus.OK if shown is None else shown.kind.http,
            ladders=[
                one
                for one in found
                if (one.state is running and takes_submissions(one)) or one.name == ladder
            ],
            chosen=ladder,
            sentence=shown.sentence if shown is not None else "",
            most=PACKED_LIMIT_BYTES >> 20,
            software=software_of(site_of(request).folder.holder()),
        )


async def _uploaded(request: Request) -> FormData:
    """Reads the form; the archive goes to a temporary file. Raises ArenaError."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise ArenaError(Kind.WRONG_INPUT, "A bot is submitted by the form of this page.")
    body = bounded(request, PACKED_LIMIT_BYTES + AROUND_BYTES, TOO_LARGE)
    parser = MultiPartParser(
        request.headers, body, max_files=1, max_fields=FIELDS, max_part_size=FIELD_BYTES
    )
    try:
        async with asyncio.timeout(UPLOAD_S):
            return await parser.parse()
    except TimeoutError:
        raise ArenaError(
            Kind.TOO_SLOW, f"The archive did not arrive within {UPLOAD_S:g} seconds; try again."
        ) from None
    except MultiPartException as broken:
        raise ArenaError(
            Kind.WRONG_INPUT, f"The form that arrived is broken ({broken.message})."
        ) from None


def _archive(field: UploadFile | str | None) -> UploadFile:
    """Returns the archive of the form. Raises ArenaError."""
    if not isinstance(field, UploadFile) or not field.size:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "There was no archive, or an empty one. Pack your bot's folder as described below, and"
            " choose the archive.",
        )
    return field


async def _until_unpacked(events: Events) -> AsyncIterator[SubmitResponse]:
    """Yields what happens until the archive is unpacked: most submissions that are refused are
    refused by then. Raises ArenaError."""
    async for event in events:
        yield event
        if not event.HasField("begun"):
            return


def _begun(request: Request, ladder: str, file: str | None) -> str:
    """Returns the page of a submission, with STEPS in it."""
    response = render(
        request, "own/submission.html", ladder=ladder, file=file or "the archive", steps=STEPS
    )
    return bytes(response.body).decode()


async def _growing(
    page: str, first: Sequence[SubmitResponse], events: Events, stack: AsyncExitStack
) -> AsyncIterator[str]:
    """Yields the page with each step as it comes. Closes the stack at the end, which withdraws the
    submission if it is not over."""
    before, _, after = page.partition(STEPS)
    waiting = asyncio.ensure_future(anext(events, None))
    try:
        yield before + "".join(map(_line, first))
        while True:
            done, _ = await asyncio.wait({waiting}, timeout=SIGN_OF_LIFE_S)
            if not done:
                yield "\n"
                continue
            event = waiting.result()
            if event is None:
                break
            yield _line(event)
            waiting = asyncio.ensure_future(anext(events, None))
        yield after
    except ArenaError as refused:
        yield _part("refused", sentence=failure_of(refused).sentence) + after
    finally:
        with CancelScope(shield=True):  # also when the visitor has left
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await stack.aclose()


def _line(event: SubmitResponse) -> str:
    """Returns what happened as a part of the page."""
    match event.WhichOneof("event"):
        case "begun":
            return _part("doing", sentence=DOING.get(event.begun.name, event.begun.name))
        case "progress":
            return _part("doing", sentence=event.progress.line)
        case "ended":
            return _part("step", step=event.ended)
        case _:
            return _part("outcome", outcome=event.outcome)


def _part(kind: str, **context: Any) -> str:
    return environment().get_template("own/step.html").render(kind=kind, **context)


ROUTES = [
    Route("/own/submit", show),
    Route("/own/submit", take, methods=["POST"]),
]
