"""The bots of an owner: versions, where they play, why not, and what they use of the quotas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import sqlalchemy as sa
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.store import schema
from arena.store.schema import Bot, Entry, EntryState, Rating, Version
from arena.store.tokens import owner_named
from arena.store.versions import usage_of
from arena.views.matches.fault import Fault, suspensions
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import check_private, contestant_of


@dataclass(frozen=True)
class LadderPlace:
    """A version on a ladder. `fault`: the one for which it is suspended."""

    ladder: str
    state: EntryState
    rating: Rating | None
    fault: Fault | None


@dataclass(frozen=True)
class OwnVersion:
    """A version, and its places on ladders."""

    version: Version
    places: list[LadderPlace] = field(default_factory=list)


def show(request: Request) -> Response:
    """Returns the page of an owner's bots. Raises ArenaError."""
    login = contestant_of(request)
    owner, site = request.query_params.get("owner") or login.caller.owner, site_of(request)
    check_private(login, owner)
    with site.store.reading() as session:
        if owner != login.caller.owner:
            owner = owner_named(session, owner)
        versions = _versions(session, owner)
        return private_page(
            request,
            "own/bots.html",
            owner=owner,
            bots=[
                (bot, list(each)) for bot, each in groupby(versions, lambda one: one.version.bot)
            ],
            latest=sorted(versions, key=lambda one: one.version.created_at, reverse=True)[:5],
            usage=usage_of(session, owner),
            quotas=site.settings.quotas,
        )


def _versions(session: Session, owner: str) -> list[OwnVersion]:
    """Returns an owner's versions, by bot, the newest first."""
    rows = session.execute(
        sa.select(Version, Entry, Rating)
        .join(Bot, Bot.name == Version.bot)
        .outerjoin(Entry, Entry.version == Version.digest)
        .outerjoin(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .where(Bot.owner == owner, Bot.name.not_in(sa.select(schema.Table.person)))
        .order_by(Bot.name, Version.number.desc(), Entry.ladder)
    ).all()
    faults = _suspended_for(session, (row.Entry for row in rows if row.Entry is not None))
    found: dict[str, OwnVersion] = {}
    for version, entry, rating in rows:
        own = found.setdefault(version.digest, OwnVersion(version))
        if entry is not None:
            fault = faults.get((entry.ladder, version.digest))
            own.places.append(LadderPlace(entry.ladder, entry.state, rating, fault))
    return list(found.values())


def _suspended_for(session: Session, entries: Iterable[Entry]) -> dict[tuple[str, str], Fault]:
    """Returns the faults for which versions are suspended, by ladder and version."""
    ladders = {entry.ladder for entry in entries if entry.state is EntryState.SUSPENDED}
    found: Sequence[tuple[str, Fault]] = [
        (ladder, fault) for ladder in sorted(ladders) for fault in suspensions(session, ladder)
    ]
    return {(ladder, fault.version): fault for ladder, fault in found}


ROUTES = [Route("/own", show)]
