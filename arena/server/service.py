"""The calls of `LeagueService`: who may make which, and how each failure is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias, TypeVar

import grpc
import grpc.aio

from arena.server.callers import LOCAL, LOCAL_CALLER, Caller, caller_of
from arena.server.messages import (
    ROLES,
    sendable,
    step_message,
    token_message,
    version_message,
)
from arena.server.receiving import Requests
from arena.server.refusal import Refusal, wrong
from arena.server.submitting import Submissions
from arena.server.upkeep import delete, listed, retire
from arena.store.folder import DataFolder
from arena.store.reading import NotFound
from arena.store.store import Store
from arena.store.tables import Role, Version
from arena.store.tokens import WrongOwner, create_token, revoke_token, tokens
from arena.store.versions import NotYours
from sevens.league.v1 import submission_pb2, token_pb2, version_pb2

log = logging.getLogger(__name__)

T = TypeVar("T")
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

FIELD = "sevens-field"
SENTENCE_BYTES = 1500  # the status of a call travels in a header
ORGANISERS = (Role.ORGANISER,)
CONTESTANTS = (Role.OWNER, Role.ORGANISER)
EVERYBODY = tuple(Role)
# What the parts raise for a caller's mistakes, and which argument that is about.
MISTAKES: Mapping[type[Exception], tuple[grpc.StatusCode, str]] = {
    NotFound: (grpc.StatusCode.NOT_FOUND, "name"),
    NotYours: (grpc.StatusCode.ALREADY_EXISTS, "name"),
    WrongOwner: (grpc.StatusCode.INVALID_ARGUMENT, "owner"),
}


class LeagueService:
    """Answers calls. What waits for the disk does so in a thread."""

    def __init__(self, store: Store, data: DataFolder, submissions: Submissions) -> None:
        self._store = store
        self._data = data
        self._submissions = submissions

    async def Submit(self, requests: Requests, context: Context) -> submission_pb2.SubmitResponse:
        async def work(caller: Caller) -> submission_pb2.SubmitResponse:
            if caller is LOCAL_CALLER:
                raise Refusal(
                    grpc.StatusCode.UNAUTHENTICATED,
                    "A bot is its owner's: submit it with the owner's token.",
                    "token",
                )
            submitted = await self._submissions.take(caller, requests)
            return submission_pb2.SubmitResponse(
                accepted=bool(submitted.version),
                version=await asyncio.to_thread(self._version, submitted.version),
                steps=map(step_message, submitted.steps),
            )

        return await self._answer(context, CONTESTANTS, work)

    async def ListVersions(
        self, request: version_pb2.ListVersionsRequest, context: Context
    ) -> version_pb2.ListVersionsResponse:
        def work(_: Caller) -> version_pb2.ListVersionsResponse:
            with self._store.reading() as session:
                versions = listed(session, request.bot, request.owner)
                return version_pb2.ListVersionsResponse(
                    versions=[version_message(session, version) for version in versions]
                )

        return await self._answer(context, EVERYBODY, _in_thread(work))

    async def RetireVersion(
        self, request: version_pb2.RetireVersionRequest, context: Context
    ) -> version_pb2.RetireVersionResponse:
        def work(caller: Caller) -> version_pb2.RetireVersionResponse:
            with self._store.writing() as session:
                version = retire(session, caller, request.bot, request.number)
                return version_pb2.RetireVersionResponse(version=version_message(session, version))

        return await self._answer(context, CONTESTANTS, _in_thread(work))

    async def DeleteBot(
        self, request: version_pb2.DeleteBotRequest, context: Context
    ) -> version_pb2.DeleteBotResponse:
        def work(caller: Caller) -> version_pb2.DeleteBotResponse:
            count = delete(self._store, self._data, caller, request.bot)
            return version_pb2.DeleteBotResponse(versions=count)

        return await self._answer(context, CONTESTANTS, _in_thread(work))

    async def CreateToken(
        self, request: token_pb2.CreateTokenRequest, context: Context
    ) -> token_pb2.CreateTokenResponse:
        def work(_: Caller) -> token_pb2.CreateTokenResponse:
            role = _role(request.role)
            with self._store.writing() as session:
                token, text = create_token(session, request.owner, role)
                return token_pb2.CreateTokenResponse(token=token_message(token), text=text)

        return await self._answer(context, ORGANISERS, _in_thread(work))

    async def ListTokens(
        self, request: token_pb2.ListTokensRequest, context: Context
    ) -> token_pb2.ListTokensResponse:
        def work(_: Caller) -> token_pb2.ListTokensResponse:
            with self._store.reading() as session:
                return token_pb2.ListTokensResponse(tokens=map(token_message, tokens(session)))

        return await self._answer(context, ORGANISERS, _in_thread(work))

    async def RevokeToken(
        self, request: token_pb2.RevokeTokenRequest, context: Context
    ) -> token_pb2.RevokeTokenResponse:
        def work(_: Caller) -> token_pb2.RevokeTokenResponse:
            with self._store.writing() as session:
                token = revoke_token(session, request.id)
                return token_pb2.RevokeTokenResponse(token=token_message(token))

        return await self._answer(context, ORGANISERS, _in_thread(work))

    async def _answer(
        self, context: Context, allowed: tuple[Role, ...], work: Callable[[Caller], Awaitable[T]]
    ) -> T:
        """What comes of a call; every failure becomes a status with a sentence."""
        try:
            caller = await asyncio.to_thread(self._caller, context, allowed)
            return await work(caller)
        except Exception as failure:
            refusal = _refusal(failure)
        await context.abort(
            refusal.code,
            sendable(str(refusal), SENTENCE_BYTES),
            ((FIELD, refusal.field),) if refusal.field else (),
        )
        raise AssertionError("abort raises")

    def _caller(self, context: Context, allowed: tuple[Role, ...]) -> Caller:
        if context.peer().startswith(LOCAL):
            metadata = dict(context.invocation_metadata() or ())
            if "authorization" not in metadata:
                return LOCAL_CALLER
        with self._store.reading() as session:
            return caller_of(session, context.invocation_metadata() or (), allowed)

    def _version(self, digest: str) -> version_pb2.Version | None:
        if not digest:
            return None
        with self._store.reading() as session:
            return version_message(session, session.get_one(Version, digest))


def _in_thread(work: Callable[[Caller], T]) -> Callable[[Caller], Awaitable[T]]:
    return lambda caller: asyncio.to_thread(work, caller)


def _refusal(failure: Exception) -> Refusal:
    """What the caller is told of a failure. The arena's own are for its log."""
    if isinstance(failure, Refusal):
        return failure
    if type(failure) in MISTAKES:
        code, field = MISTAKES[type(failure)]
        return Refusal(code, str(failure), field)
    log.error("a call failed", exc_info=failure)
    sentence = "The arena itself failed, which its log explains; tell the organiser."
    return Refusal(grpc.StatusCode.INTERNAL, sentence)


def _role(role: token_pb2.Role) -> Role:
    for known, number in ROLES.items():
        if number == role:
            return known
    raise wrong(f"A token's role is one of {', '.join(Role)}.", "role")
