"""The league's gRPC service: one table of methods, each with the roles that may call it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from arena.failures import answer_to
from arena.foreign_text import visible
from arena.league.fleet import enrol
from arena.operations.acting import ENROLLING
from arena.operations.audit_log import begun
from arena.operations.caller import CONTESTANTS, PLAYERS, WORKERS, Caller
from arena.queue import machine_of, read_key
from arena.server.auth import authenticate
from arena.server.download import Downloads
from arena.server.remote import Registrations
from arena.server.status import Context, refuse
from arena.server.submissions import Submissions
from arena.store.data_folder import DataFolder
from arena.store.schema import DONE, Role
from arena.store.session import Store
from sevens.league.v1.worker_pb2 import EnrolWorkerResponse

LONGEST_NAME = 200

Work: TypeAlias = Callable[[Caller, Any, Context], Awaitable[Any]]
"""Answers a request, or a stream of them. The context is for those that answer by a stream."""


class _Row(NamedTuple):
    roles: tuple[Role, ...]
    work: Work


class LeagueService:
    """The servicer: an attribute for each method, named as in `league_service.proto`."""

    def __init__(
        self,
        store: Store,
        folder: DataFolder,
        submissions: Submissions,
        registrations: Registrations,
        downloads: Downloads,
    ) -> None:
        self._store = store
        self._folder = folder
        table: Mapping[str, _Row] = {
            "Submit": _Row(
                CONTESTANTS,
                lambda caller, parts, context: submissions.take(caller, parts, context.write),
            ),
            "RegisterRemote": _Row(
                CONTESTANTS, lambda caller, request, _: registrations.register(caller, request)
            ),
            "FetchVersion": _Row(
                WORKERS, lambda _, request, context: downloads.send(request.version, context.write)
            ),
            "EnrolWorker": _Row(
                PLAYERS,
                lambda caller, _, context: asyncio.to_thread(
                    self._enrol, caller, *_enrolling(context)
                ),
            ),
        }
        for name, row in table.items():
            setattr(self, name, self._answering(row))

    async def identify(self, context: Context) -> str:
        """Returns the name in which a call is made, whichever it is. Raises ArenaError."""
        return (await authenticate(self._store, context, tuple(Role))).owner

    def _enrol(self, caller: Caller, worker: str, address: str) -> EnrolWorkerResponse:
        """`worker`: its name; empty if it has not given one."""
        with self._store.writing() as session:
            named = {"worker": worker} if worker else {}
            begun(session, caller, "enrol_worker", named, DONE)
            if worker:
                enrol(session, machine_of(worker), address)
        return EnrolWorkerResponse(signing_key=read_key(self._folder.queue_key))

    def _answering(self, row: _Row) -> Callable[[Any, Context], Awaitable[Any]]:
        async def answer(request: Any, context: Context) -> Any:
            """Turns every failure into a status with a sentence."""
            try:
                caller = await authenticate(self._store, context, row.roles)
                return await row.work(caller, request, context)
            except Exception as failure:
                await refuse(context, answer_to(failure))

        return answer


def _enrolling(context: Context) -> tuple[str, str]:
    """Returns the name of the worker that enrols, and its address."""
    given = dict(context.invocation_metadata() or ()).get(ENROLLING, "")
    worker = visible(str(given))[:LONGEST_NAME]
    kind, _, place = context.peer().partition(":")
    return worker, "" if kind == "unix" else unquote(place).rpartition(":")[0].strip("[]")
