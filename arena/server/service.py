"""The calls of `LeagueService`: who may make which, and how each failure is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc
import grpc.aio
from sqlalchemy.orm import Session

from arena.bots.remote.gateway import RemoteGateway
from arena.server.auth import LOCAL_CALLER, Caller, caller_of
from arena.server.download import Sending
from arena.server.errors import Context, Refusal, refuse, wrong
from arena.server.failures import explained
from arena.server.handlers.bots import delete, listed, retire
from arena.server.handlers.ladders import Ladders
from arena.server.handlers.matches import faults_asked_for, match_for, matches_asked_for
from arena.server.messages import (
    ROLES,
    step_message,
    token_message,
    version_message,
)
from arena.server.remote.registration import REPLACED, Registrations
from arena.server.submissions.submit import Submissions
from arena.server.submissions.upload import Requests
from arena.store.data_folder import DataFolder
from arena.store.faults import readmit
from arena.store.session import Store
from arena.store.tables import Role, Version
from arena.store.tokens import create_token, revoke_token, tokens
from sevens.league.v1 import (
    ladder_pb2,
    match_pb2,
    remote_pb2,
    submission_pb2,
    token_pb2,
    version_pb2,
)

T = TypeVar("T")

ORGANISERS = (Role.ORGANISER,)
CONTESTANTS = (Role.OWNER, Role.ORGANISER)
READERS = (Role.READER, *CONTESTANTS)
WORKERS = (Role.WORKER,)


class LeagueService:
    """Answers calls. What waits for the disk does so in a thread."""

    def __init__(
        self,
        store: Store,
        data: DataFolder,
        submissions: Submissions,
        sending: Sending,
        registrations: Registrations,
        gateway: RemoteGateway,
        ladders: Ladders,
    ) -> None:
        self._store = store
        self._data = data
        self._submissions = submissions
        self._sending = sending
        self._registrations = registrations
        self._gateway = gateway
        self._ladders = ladders

    async def identify(self, context: Context) -> str:
        """In whose name a call is made, whatever it is. Raises Refusal."""
        return (await caller_of(self._store, context, tuple(Role))).owner

    async def Submit(self, requests: Requests, context: Context) -> submission_pb2.SubmitResponse:
        async def work(caller: Caller) -> submission_pb2.SubmitResponse:
            _check_is_an_owner(caller)
            submitted = await self._submissions.take(caller, requests)
            return submission_pb2.SubmitResponse(
                accepted=bool(submitted.version),
                version=await asyncio.to_thread(self._version, submitted.version),
                steps=map(step_message, submitted.steps),
            )

        return await self._answer(context, CONTESTANTS, work)

    async def RegisterRemote(
        self, request: remote_pb2.RegisterRemoteRequest, context: Context
    ) -> remote_pb2.RegisterRemoteResponse:
        async def work(caller: Caller) -> remote_pb2.RegisterRemoteResponse:
            _check_is_an_owner(caller)
            version, token = await asyncio.to_thread(self._registrations.register, caller, request)
            if token:
                self._gateway.dismiss(request.bot, REPLACED)
            message = await asyncio.to_thread(self._version, version.digest)
            return remote_pb2.RegisterRemoteResponse(version=message, token=token)

        return await self._answer(context, CONTESTANTS, work)

    async def ListVersions(
        self, request: version_pb2.ListVersionsRequest, context: Context
    ) -> version_pb2.ListVersionsResponse:
        def read(session: Session, _: Caller) -> version_pb2.ListVersionsResponse:
            versions = listed(session, request.bot, request.owner)
            return version_pb2.ListVersionsResponse(
                versions=[version_message(session, version) for version in versions]
            )

        return await self._answer(context, READERS, self._reading(read))

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

    async def ReadmitVersion(
        self, request: version_pb2.ReadmitVersionRequest, context: Context
    ) -> version_pb2.ReadmitVersionResponse:
        def work(_: Caller) -> version_pb2.ReadmitVersionResponse:
            with self._store.writing() as session:
                version = readmit(session, request.ladder, request.bot, request.number)
                return version_pb2.ReadmitVersionResponse(version=version_message(session, version))

        return await self._answer(context, ORGANISERS, _in_thread(work))

    async def ListFaults(
        self, request: match_pb2.ListFaultsRequest, context: Context
    ) -> match_pb2.ListFaultsResponse:
        work = self._reading(lambda session, _: faults_asked_for(session, request))
        return await self._answer(context, READERS, work)

    async def ListLadders(
        self, request: ladder_pb2.ListLaddersRequest, context: Context
    ) -> ladder_pb2.ListLaddersResponse:
        work = self._reading(lambda session, _: self._ladders.listed(session, request))
        return await self._answer(context, READERS, work)

    async def ReadLadder(
        self, request: ladder_pb2.ReadLadderRequest, context: Context
    ) -> ladder_pb2.ReadLadderResponse:
        work = self._reading(lambda session, _: self._ladders.read(session, request))
        return await self._answer(context, READERS, work)

    async def ListMatches(
        self, request: match_pb2.ListMatchesRequest, context: Context
    ) -> match_pb2.ListMatchesResponse:
        work = self._reading(lambda session, _: matches_asked_for(session, request))
        return await self._answer(context, READERS, work)

    async def ReadMatch(
        self, request: match_pb2.ReadMatchRequest, context: Context
    ) -> match_pb2.ReadMatchResponse:
        work = self._reading(lambda session, caller: match_for(session, caller, request.match))
        return await self._answer(context, READERS, work)

    async def FetchVersion(
        self, request: version_pb2.FetchVersionRequest, context: Context
    ) -> None:
        async def work(_: Caller) -> None:
            await self._sending.send(request.version, context.write)

        await self._answer(context, WORKERS, work)

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
        def read(session: Session, _: Caller) -> token_pb2.ListTokensResponse:
            return token_pb2.ListTokensResponse(tokens=map(token_message, tokens(session)))

        return await self._answer(context, ORGANISERS, self._reading(read))

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
            caller = await caller_of(self._store, context, allowed)
            return await work(caller)
        except Exception as failure:
            refusal = explained(failure)
        await refuse(context, refusal)
        raise AssertionError("refuse raises")

    def _reading(self, read: Callable[[Session, Caller], T]) -> Callable[[Caller], Awaitable[T]]:
        """What is done, in a thread, by reading the store."""

        def work(caller: Caller) -> T:
            with self._store.reading() as session:
                return read(session, caller)

        return _in_thread(work)

    def _version(self, digest: str) -> version_pb2.Version | None:
        if not digest:
            return None
        with self._store.reading() as session:
            return version_message(session, session.get_one(Version, digest))


def _check_is_an_owner(caller: Caller) -> None:
    """Raises Refusal."""
    if caller is LOCAL_CALLER:
        raise Refusal(
            grpc.StatusCode.UNAUTHENTICATED,
            "A bot is its owner's: submit it with the owner's token.",
            "token",
        )


def _in_thread(work: Callable[[Caller], T]) -> Callable[[Caller], Awaitable[T]]:
    return lambda caller: asyncio.to_thread(work, caller)


def _role(role: token_pb2.Role) -> Role:
    for known, number in ROLES.items():
        if number == role:
            return known
    raise wrong(f"A token's role is one of {', '.join(Role)}.", "role")
