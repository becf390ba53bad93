"""Remote bots of the server: registered by their owners, let in by their tokens."""

from __future__ import annotations

import asyncio
import re

import grpc
from sqlalchemy.orm import Session

from arena.bots.remote.gateway import NotAdmitted, NotNow
from arena.bots.source.manifest import SLUG_PATTERN
from arena.server.auth import Caller
from arena.server.errors import Refusal, wrong
from arena.server.failures import STORE_TROUBLE, explained
from arena.server.limits import Quotas
from arena.server.submissions.eligibility import check_ladder, check_not_suspended, check_quotas
from arena.server.submissions.submit import Enter
from arena.store.queries import ladder_named
from arena.store.remotes import (
    add_remote_version,
    check_remote,
    latest_version,
    remote_names,
    remote_with_token,
    renew_token,
)
from arena.store.session import Store
from arena.store.tables import Format, Ladder, Partners, Version, VersionState
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest

REPLACED = "The bot has another token by now: put that into ARENA_TOKEN."


class Registrations:
    """Takes registrations."""

    def __init__(self, store: Store, enter: Enter, quotas: Quotas) -> None:
        self._store = store
        self._enter = enter
        self._quotas = quotas

    def register(self, caller: Caller, request: RegisterRemoteRequest) -> tuple[Version, str]:
        """The version as which the bot plays on the ladder, and its token if it has a new one.
        Raises Refusal, NotFound and NotYours."""
        if not re.fullmatch(SLUG_PATTERN, request.bot):
            raise wrong(
                "A bot's name has lower-case letters, digits and hyphens, at most 40; not"
                f" {request.bot[:40]!r}.",
                "bot",
            )
        with self._store.writing() as session:
            ladder = ladder_named(session, request.ladder)
            check_ladder(ladder)
            _check_seats(ladder)
            version = self._version(session, caller, request)
            self._enter(session, ladder, version.digest)
            return version, _token(session, request)

    def _version(self, session: Session, caller: Caller, request: RegisterRemoteRequest) -> Version:
        bot, owner = request.bot, caller.owner
        check_remote(session, bot, owner)
        latest = latest_version(session, bot)
        if latest is None or request.new_version:
            check_quotas(session, bot, owner, 0, self._quotas)
            return add_remote_version(session, bot, owner)
        advice = "mend it, and register a new version."
        check_not_suspended(session, latest, request.ladder, advice)
        latest.state = VersionState.ACTIVE
        return latest


class Register:
    """Who is let in: what the gateway asks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def admit(self, token: str) -> str:
        """The name of the bot that a token belongs to. Raises NotAdmitted and NotNow."""
        try:
            return await asyncio.to_thread(self._admit, token)
        except STORE_TROUBLE as trouble:
            raise NotNow(str(explained(trouble))) from trouble

    def _admit(self, token: str) -> str:
        with self._store.reading() as session:
            remote = remote_with_token(session, token)
            if remote is None:
                raise NotAdmitted(
                    "The token is no remote bot's: ARENA_TOKEN takes the one that `arena submit"
                    " remote:SLUG_PATTERN` told; --new-token tells another."
                )
            version = latest_version(session, remote.bot)
            if version is None or version.state is not VersionState.ACTIVE:
                state = version.state if version else "gone"
                raise NotAdmitted(
                    f"The bot {remote.bot} is {state}: register it again with `arena submit"
                    f" remote:{remote.bot}`."
                )
            return remote.bot


def _check_seats(ladder: Ladder) -> None:
    """Raises Refusal if a bot on the ladder needs more than one process."""
    if ladder.format is Format.DUPLICATE:
        why = "plays the same deals several times, and a remote bot cannot be made to forget"
    elif ladder.partners is Partners.SAME:
        why = "lets a bot be its own partner, and a remote bot holds one seat of a match"
    else:
        return
    raise Refusal(
        grpc.StatusCode.FAILED_PRECONDITION,
        f"The ladder {ladder.name} {why}: submit the bot's files, or choose another ladder.",
        "ladder",
    )


def _token(session: Session, request: RegisterRemoteRequest) -> str:
    if request.new_token or request.bot not in remote_names(session):
        return renew_token(session, request.bot)
    return ""
