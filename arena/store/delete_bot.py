"""Deletes a bot, and with it all that its owner stored.

Its name stays: it appears in the sealed records of its matches, whose digests others have seen. So
the row of the bot stays as well, without an owner, and prevents the name from being taken again.
"""

from __future__ import annotations

import sqlalchemy as sa

from arena.records import PrivateLog, SeatLog
from arena.store import schema
from arena.store.data_folder import DataFolder
from arena.store.schema import NOBODY, Bot, MatchSeat, Version, VersionState
from arena.store.session import Store
from arena.store.texts import packed, unpacked
from arena.store.versions import drop_files

AT_ONCE = 100  # private logs per transaction, so that others can write in between


def forget_bot(store: Store, data: DataFolder, bot: str) -> None:
    """Deletes everything about a bot except its matches, ratings and name.

    Safe to rerun after a crash: ownership is cleared last.
    """
    with store.reading() as session:
        digests = session.scalars(sa.select(Version.digest).where(Version.bot == bot)).all()
    for digest in digests:
        drop_files(data, digest)
    last: str | None = ""
    while last is not None:
        last = _forget_logs(store, bot, last)
    with store.writing() as session:
        session.execute(
            sa.update(Version)
            .where(Version.bot == bot)
            .values(manifest={}, size=0, state=VersionState.RETIRED)
        )
        session.execute(sa.update(MatchSeat).where(MatchSeat.bot == bot).values(fault_words=None))
        session.execute(sa.update(Bot).where(Bot.name == bot).values(owner=NOBODY))


def _forget_logs(store: Store, bot: str, after: str) -> str | None:
    """Empties the bot's part of some private logs, starting after match `after`; returns the last
    match handled, or None if none was left."""
    with store.writing() as session:
        matches = session.scalars(
            sa.select(MatchSeat.match)
            .where(MatchSeat.bot == bot, MatchSeat.match > after)
            .distinct()
            .order_by(MatchSeat.match)
            .limit(AT_ONCE)
        ).all()
        for log in session.scalars(
            sa.select(schema.PrivateLog).where(schema.PrivateLog.match.in_(matches))
        ):
            log.body = packed(_without(PrivateLog.from_json(unpacked(log.body)), bot).to_json())
    return matches[-1] if matches else None


def _without(log: PrivateLog, bot: str) -> PrivateLog:
    seats = [SeatLog(bot=bot) if seat.bot == bot else seat for seat in log.seats]
    return log.model_copy(update={"seats": seats})
