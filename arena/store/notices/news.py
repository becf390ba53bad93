"""News: written in the transaction of what happened, so that none is missing or untrue."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import Entry, News, NewsKind, TournamentEntrant, Version

PUBLIC = (NewsKind.BOT_SUSPENDED, NewsKind.TOURNAMENT_OVER, NewsKind.SEASON_OVER)


def add_news(
    session: Session, kind: NewsKind, sentence: str, *, competition: str, bot: str = ""
) -> None:
    """Adds news. `sentence`: for everybody if the kind is in PUBLIC, else for organisers."""
    session.add(News(kind=kind, sentence=sentence, competition=competition, bot=bot))


def latest_news(
    session: Session, kinds: Sequence[NewsKind], *, ladder: str = "", bot: str = "", limit: int
) -> Sequence[News]:
    """Returns news of these kinds, the latest first: of a ladder, and about a bot or the end of a
    competition in which it is, if given."""
    query = sa.select(News).where(News.kind.in_(kinds)).order_by(News.number.desc()).limit(limit)
    if ladder:
        query = query.where(News.competition == ladder)
    if bot:
        versions = sa.select(Version.digest).where(Version.bot == bot)
        is_there = sa.union(
            sa.select(Entry.ladder).where(Entry.version.in_(versions)),
            sa.select(TournamentEntrant.tournament).where(TournamentEntrant.version.in_(versions)),
        )
        query = query.where((News.bot == bot) | (News.bot == "") & News.competition.in_(is_there))
    return session.scalars(query).all()
