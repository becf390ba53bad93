"""Remote bots: registered by their owners, admitted by their tokens."""

from __future__ import annotations

import asyncio
import re

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.bots.remote import Admitted, NotAdmitted, NotNow, RemoteGateway
from arena.bots.source import SLUG_PATTERN
from arena.errors import ArenaError, Kind
from arena.failures import STORE_TROUBLE, answer_to
from arena.operations.audit_log import begun
from arena.operations.caller import Caller
from arena.server.limits import Quotas
from arena.server.lookups import LOOKUPS
from arena.server.messages import version_message
from arena.server.submissions import Enter, check_ladder, check_not_suspended, check_quotas
from arena.store.queries import ladder_named
from arena.store.remote_bots import (
    add_remote_version,
    check_remote,
    latest_version,
    remote_names,
    remote_with_token,
    renew_token,
)
from arena.store.schema import (
    DONE,
    Entry,
    EntryState,
    Format,
    Ladder,
    Partners,
    Version,
    VersionState,
)
from arena.store.session import Store
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest, RegisterRemoteResponse

REPLACED = "The bot has a new token: put that into ARENA_TOKEN."


class Registrations:
    """Registers remote bots for ladders."""

    def __init__(self, store: Store, enter: Enter, quotas: Quotas, gateway: RemoteGateway) -> None:
        self._store = store
        self._enter = enter
        self._quotas = quotas
        self._gateway = gateway

    async def register(
        self, caller: Caller, request: RegisterRemoteRequest
    ) -> RegisterRemoteResponse:
        """Puts a bot on a ladder. If it gets a new token, a program that still plays with the old
        one is disconnected. Raises ArenaError."""
        caller.check_can_own()
        response = await asyncio.to_thread(self._register, caller, request)
        if response.token:
            self._gateway.dismiss(request.bot, REPLACED)
        return response

    def _register(self, caller: Caller, request: RegisterRemoteRequest) -> RegisterRemoteResponse:
        if not re.fullmatch(SLUG_PATTERN, request.bot):
            raise ArenaError(
                Kind.WRONG_INPUT,
                "A bot's name consists of at most 40 lower-case letters, digits and hyphens; it"
                f" cannot be {request.bot[:40]!r}.",
                "bot",
            )
        with self._store.writing() as session:
            ladder = ladder_named(session, request.ladder)
            check_ladder(ladder)
            _check_seats(ladder)
            version = self._version(session, caller, request)
            self._enter(session, ladder, version.digest)
            token = _new_token(session, request)
            told = {"ladder": ladder.name, "bot": version.bot, "number": version.number}
            begun(session, caller, "register_remote", told, DONE)
            return RegisterRemoteResponse(version=version_message(session, version), token=token)

    def _version(self, session: Session, caller: Caller, request: RegisterRemoteRequest) -> Version:
        bot, owner = request.bot, caller.owner
        check_remote(session, bot, owner)
        latest = latest_version(session, bot)
        if latest is None or request.new_version:
            check_quotas(session, bot, owner, 0, self._quotas)
            return add_remote_version(session, bot, owner)
        advice = "fix them and register a new version."
        check_not_suspended(session, latest, request.ladder, advice)
        latest.state = VersionState.ACTIVE
        return latest


class TokenCheck:
    """Checks the tokens of remote bots for the gateway."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def admit(self, token: str) -> Admitted:
        """Returns the bot that a token belongs to. Raises NotAdmitted and NotNow."""
        try:
            return await LOOKUPS.find(token, lambda: self._admit(token))
        except (ArenaError, *STORE_TROUBLE) as trouble:
            raise NotNow(answer_to(trouble).sentence) from trouble

    def _admit(self, token: str) -> Admitted:
        with self._store.reading() as session:
            remote = remote_with_token(session, token)
            if remote is None:
                raise NotAdmitted(
                    "The token belongs to no remote bot: put the one that `arena submit"
                    " remote:NAME` printed into ARENA_TOKEN, or get a new one with --new-token."
                )
            version = latest_version(session, remote.bot)
            if version is None or version.state is not VersionState.ACTIVE:
                state = version.state if version else "deleted"
                raise NotAdmitted(
                    f"The bot {remote.bot} is {state}: register it again with `arena submit"
                    f" remote:{remote.bot}`."
                )
            return Admitted(remote.bot, _notice(session, version))


def _notice(session: Session, version: Version) -> str:
    """Returns a notice about ladders that have suspended the version. Raises NotAdmitted if no
    other is left to play on."""
    entries = session.scalars(
        sa.select(Entry)
        .where(Entry.version == version.digest, Entry.state != EntryState.WITHDRAWN)
        .order_by(Entry.ladder)
    ).all()
    suspended = [entry.ladder for entry in entries if entry.state is EntryState.SUSPENDED]
    if not suspended:
        return ""
    bot, ladder = version.bot, suspended[0]
    sentence = (
        f"The bot {bot} is suspended from the ladder {' and from '.join(suspended)}, because too"
        f" many of its last matches ended in a fault: `arena bot faults {bot}` lists them. Fix it,"
        f" then register a new version: `arena submit remote:{bot} --ladder {ladder}"
        " --new-version`."
    )
    if len(suspended) == len(entries):
        raise NotAdmitted(sentence)
    return sentence


def _check_seats(ladder: Ladder) -> None:
    """Raises ArenaError if a bot on the ladder needs more than one process."""
    if ladder.format is Format.DUPLICATE:
        why = "repeats its deals, and a remote bot cannot be made to forget them"
    elif ladder.partners is Partners.SAME:
        why = "lets a bot be its own partner, but a remote bot holds one seat of a match"
    else:
        return
    raise ArenaError(
        Kind.NOT_NOW,
        f"The ladder {ladder.name} {why}: submit the bot's files, or choose another ladder.",
        "ladder",
    )


def _new_token(session: Session, request: RegisterRemoteRequest) -> str:
    """Returns a new token if the bot needs one or its owner asks for one; else an empty text."""
    if request.new_token or request.bot not in remote_names(session):
        return renew_token(session, request.bot)
    return ""
