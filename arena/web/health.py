"""The health of an arena, for load balancers, container engines and monitors: /healthz, /readyz."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from http import HTTPStatus

import httpx
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.views.condition import AT_THE_DOOR, Condition, Part, PartName, condition_of
from arena.web.door import ANSWER_WITHIN_S, answer_at_the_door
from arena.web.site import Site

LEAST_FREE_BYTES = 64 << 20


class Health:
    """The health of the arena of a site. One look at a time, however many ask."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._looking: asyncio.Task[Condition] | None = None
        self._in_threads: dict[PartName, asyncio.Task[Part]] = {}

    async def look(self) -> Condition:
        """Returns the condition of the arena, within a few seconds even if parts of it hang."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> Condition:
        store, disk, arena = await asyncio.gather(
            self._within(PartName.STORE, lambda: _store(self._site.store)),
            self._within(PartName.DISK, lambda: _disk(self._site.folder)),
            _arena(self._site.folder),
        )
        return condition_of((store, disk, *arena))

    async def _within(self, part: PartName, look: Callable[[], Part]) -> Part:
        """Returns what `look` finds in a thread, if it does so in time. A look that hangs takes one
        thread, however often it is asked for."""
        looking = self._in_threads.get(part)
        if looking is None or looking.done():
            looking = self._in_threads[part] = asyncio.create_task(asyncio.to_thread(look))
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return await asyncio.shield(looking)
        except TimeoutError:
            sentence = f"No answer within {ANSWER_WITHIN_S:g} seconds."
            return Part(part=part, ok=False, sentence=sentence)


def _store(store: Store) -> Part:
    try:
        with store.reading() as session:
            session.scalar(sa.text("SELECT version_num FROM alembic_version"))
    except (ArenaError, sa.exc.SQLAlchemyError):
        return Part(part=PartName.STORE, ok=False, sentence="The store cannot be read.")
    return Part(part=PartName.STORE, ok=True, sentence="The store can be read.")


def _disk(folder: DataFolder) -> Part:
    free = shutil.disk_usage(folder.path).free
    sentence = f"The disk of the data folder has {free >> 20:,} MiB free."
    return Part(part=PartName.DISK, ok=free >= LEAST_FREE_BYTES, sentence=sentence)


async def _arena(folder: DataFolder) -> tuple[Part, ...]:
    """Returns the parts that only the process of the arena sees."""
    holder = await asyncio.to_thread(folder.holder)
    if holder is None:
        return (_no_league("No arena runs on this data folder: start it with `arena serve`."),)
    if not holder.door:
        return (_no_league("The arena that runs has no server: run it with `arena serve`."),)
    try:
        answer = await answer_at_the_door(holder, AT_THE_DOOR)
        return Condition.model_validate_json(answer).parts
    except (httpx.HTTPError, TimeoutError, ValueError):
        sentence = f"Process {holder.pid}, the league, gives no answer within a few seconds."
        return (_no_league(sentence),)


def _no_league(sentence: str) -> Part:
    return Part(part=PartName.LEAGUE, ok=False, sentence=sentence)


async def healthz(request: Request) -> Response:
    """Says that the process of the pages answers."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """Returns the condition of the arena, and 503 if a part does not work. Raises ArenaError.

    `exclude` in the query: a part that does not count, as often as there are some.
    """
    left_out = [_part(name) for name in request.query_params.getlist("exclude")]
    health = request.app.state.health
    assert isinstance(health, Health)
    found = (await health.look()).parts
    condition = condition_of(tuple(part for part in found if part.part not in left_out))
    return Response(
        condition.model_dump_json() + "\n",
        HTTPStatus.OK if condition.ready else HTTPStatus.SERVICE_UNAVAILABLE,
        media_type="application/json",
    )


def _part(name: str) -> PartName:
    try:
        return PartName(name)
    except ValueError:
        raise ArenaError(
            Kind.WRONG_INPUT, no_such("part", name, list(PartName)), "exclude"
        ) from None


ROUTES = [Route("/healthz", healthz), Route("/readyz", readyz)]
