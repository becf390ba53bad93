"""Owners: banned, readmitted, renamed and deleted by organisers, and their bots."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from arena import league
from arena.errors import ArenaError, Kind
from arena.league.comparison import change_state
from arena.operations.caller import ORGANISERS
from arena.operations.operation import AnyText, Changing, Reading, Reason, Text, changes, reads
from arena.operations.versions import check_not_queued
from arena.store import schema
from arena.store.delete_bot import forget_bot
from arena.store.queries import ENDED, bot_named
from arena.store.remote_bots import is_person, latest_version, remote_names, renew_token
from arena.store.schema import NOBODY, CompetitionState
from arena.store.session import Store
from arena.store.tokens import (
    ban_of,
    check_not_banned,
    known_spelling,
    normalised_name,
    owner_named,
)
from arena.views.ban import Ban, BannedOwner, Bans, DeletedOwner, ReadmittedOwner
from arena.views.bot import OwnedBots, owned_bots


@reads("/owners/{owner}")
def read_owner(asked: Reading, owner: AnyText) -> OwnedBots:
    """The bots of an owner, by name."""
    return owned_bots(asked.session, owner)


@reads("/bans")
def list_bans(asked: Reading) -> Bans:
    """The owners who are banned, by name."""
    found = asked.session.scalars(sa.select(schema.Ban).order_by(schema.Ban.owner))
    return Bans(bans=tuple(map(Ban.model_validate, found)))


@changes("POST", "/owners/{owner}/ban", ORGANISERS)
def ban_owner(call: Changing, owner: Text, reason: Reason) -> BannedOwner:
    """Ban an owner: all versions of their bots are retired and leave ladders and tournaments, their
    tokens end, also those of remote bots, and submissions are refused with the reason."""
    with call.store.writing() as session:
        owner = owner_named(session, owner)
        if owner == call.caller.owner:
            raise ArenaError(
                Kind.FORBIDDEN, "You cannot ban yourself; another organiser can.", "owner"
            )
        if (known := ban_of(session, owner)) is not None:
            raise ArenaError(Kind.NOT_NOW, f"{owner} is banned already: {known.reason}", "owner")
        versions, tokens = league.ban(session, owner, reason)
        ban = Ban.model_validate(ban_of(session, owner))
        return BannedOwner(ban=ban, versions=versions, tokens=tokens)


@changes("POST", "/owners/{owner}/readmission", ORGANISERS)
def readmit_owner(call: Changing, owner: Text) -> ReadmittedOwner:
    """Let a banned owner take part again. Their tokens stay revoked and their versions retired:
    create a new token, by which they submit their bots again."""
    with call.store.writing() as session:
        owner = known_spelling(session, owner) or owner
        ban = ban_of(session, owner)
        if ban is None:
            raise ArenaError(Kind.NOT_NOW, f"{owner} is not banned.", "owner")
        session.delete(ban)
        return ReadmittedOwner(owner=owner)


@changes("PUT", "/owners/{owner}/name", ORGANISERS)
def rename_owner(call: Changing, owner: Text, name: Text) -> OwnedBots:
    """Give an owner another name, which nobody has: their bots, comparisons, analyses and tokens go
    with it. Tournaments and the audit log keep the name that was theirs at the time."""
    with call.store.writing() as session:
        former = owner_named(session, owner)
        check_not_banned(session, former)
        new = normalised_name(name)
        known = known_spelling(session, new)
        if known is not None and known != former:
            raise ArenaError(Kind.TAKEN, f"There is an owner {known} already.", "name")
        for column in (
            schema.Bot.owner,
            schema.Token.owner,
            schema.Comparison.owner,
            schema.Analysis.owner,
        ):
            session.execute(
                sa.update(column.class_).where(column == former).values({column.key: new})
            )
    with call.store.reading() as session:
        return owned_bots(session, new)


@changes("DELETE", "/owners/{owner}", ORGANISERS)
def delete_owner(call: Changing, owner: Text) -> DeletedOwner:
    """Delete an owner's data for good: their tokens, and their bots with files, manifests and
    private logs. Matches with the bots' names stay, and the owner's name in tournaments that have
    begun. While matches with the bots are queued, the bots only leave everything, and the tokens
    end."""
    with call.store.writing() as session:
        owner = owner_named(session, owner)
        if owner == call.caller.owner:
            raise ArenaError(
                Kind.FORBIDDEN, "You cannot delete yourself; another organiser can.", "owner"
            )
        league.leave_everything(session, owner, "Its owner has left the arena.")
        asked = schema.Comparison.owner == owner
        for comparison in session.scalars(sa.select(schema.Comparison).where(asked)):
            if comparison.state not in ENDED:
                change_state(session, comparison, CompetitionState.CANCELLED)
    bots = _check_played_out(call.store, owner)
    for bot in bots:
        forget_bot(call.store, call.folder, bot)
    with call.store.writing() as session:  # last, so that it can be repeated after a crash
        session.execute(sa.update(schema.Comparison).where(asked).values(owner=NOBODY))
        wanted = schema.Analysis.owner == owner
        session.execute(sa.update(schema.Analysis).where(wanted).values(owner=NOBODY))
        own = sa.delete(schema.Token).where(schema.Token.owner == owner)
        tokens = session.connection().execute(own).rowcount
    return DeletedOwner(owner=owner, bots=len(bots), tokens=tokens)


def _check_played_out(store: Store, owner: str) -> Sequence[str]:
    """Returns the names of an owner's bots. Raises ArenaError if some are still to play."""
    with store.reading() as session:
        bots = session.scalars(sa.select(schema.Bot.name).where(schema.Bot.owner == owner)).all()
        for bot in bots:
            versions = sa.select(schema.Version).where(schema.Version.bot == bot)
            check_not_queued(session, bot, session.scalars(versions).all())
        return bots


@changes("PUT", "/bots/{bot}/owner", ORGANISERS)
def hand_over_bot(call: Changing, bot: Text, owner: Text) -> OwnedBots:
    """Hand a bot over to another owner, with all its versions, logs and ratings. A remote bot's
    token ends: its new owner registers it again."""
    with call.store.writing() as session:
        row = bot_named(session, bot)
        if row.owner == NOBODY:
            raise ArenaError(Kind.NOT_FOUND, f"The bot {bot} was deleted.", "bot")
        version = latest_version(session, bot)
        if version is not None and is_person(version):
            raise ArenaError(Kind.NOT_NOW, f"{bot} is a person, and belongs to nobody else.", "bot")
        row.owner = owner_named(session, owner)
        check_not_banned(session, row.owner)
        if bot in remote_names(session):
            renew_token(session, bot)
        owner = row.owner
    with call.store.reading() as session:
        return owned_bots(session, owner)
