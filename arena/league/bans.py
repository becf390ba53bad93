"""Bans owners, and lets them leave for good: their bots leave everything, their tokens end."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.seasons import is_over
from arena.league.tournament import leave_tournament
from arena.store.queries import ENDED, ladders
from arena.store.remote_bots import remote_names, renew_token
from arena.store.schema import (
    Ban,
    Bot,
    Entry,
    EntryState,
    Token,
    Tournament,
    TournamentEntrant,
    Version,
    VersionState,
    now,
)


def ban(session: Session, owner: str, reason: str) -> tuple[int, int]:
    """Bans an owner, given as the name is stored. `reason`: a sentence for everybody.

    Returns how many versions have been retired, and how many tokens revoked.
    """
    left = leave_everything(session, owner, f"Its owner is banned: {reason}")
    session.add(Ban(owner=owner, reason=reason))
    session.flush()
    return left


def leave_everything(session: Session, owner: str, reason: str) -> tuple[int, int]:
    """Takes an owner's bots off all ladders and tournaments, and ends the owner's tokens. `reason`:
    a sentence for everybody.

    Returns how many versions have been retired, and how many tokens revoked.
    """
    bots = session.scalars(sa.select(Bot.name).where(Bot.owner == owner)).all()
    versions = session.scalars(sa.select(Version).where(Version.bot.in_(bots))).all()
    _leave_tournaments(session, versions, reason)
    playing = [one for one in versions if one.state is VersionState.ACTIVE]
    for version in playing:
        version.state = VersionState.RETIRED
    digests = [one.digest for one in versions]
    going_on = [one.name for one in ladders(session) if not is_over(one)]
    session.execute(
        sa.update(Entry)
        .where(Entry.version.in_(digests), Entry.ladder.in_(going_on))
        .values(state=EntryState.WITHDRAWN)
    )
    for bot in remote_names(session).intersection(bots):
        renew_token(session, bot)  # nobody receives the new one
    valid = sa.update(Token).where(Token.owner == owner, Token.revoked_at.is_(None))
    tokens = session.connection().execute(valid.values(revoked_at=now())).rowcount
    session.flush()
    return len(playing), tokens


def _leave_tournaments(session: Session, versions: Sequence[Version], reason: str) -> None:
    version_of = {one.digest: one for one in versions}
    entered = session.execute(
        sa.select(Tournament, TournamentEntrant.version)
        .join(TournamentEntrant, TournamentEntrant.tournament == Tournament.name)
        .where(
            TournamentEntrant.version.in_(version_of),
            TournamentEntrant.withdrawn_round.is_(None),
            Tournament.state.not_in(ENDED),
        )
        .order_by(Tournament.name, TournamentEntrant.number)
    ).all()
    for tournament, version in entered:
        leave_tournament(session, tournament, version_of[version], reason)
