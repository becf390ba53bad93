"""Column types: times with a zone, enumerations as text."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import StatementError

from arena.store.schema import Bot, Job, JobState
from arena.store.session import Store
from tests.support.stored_matches import AT, add_bots, add_match, new_ladder


def created_at(store: Store) -> datetime:
    with store.reading() as session:
        return session.get_one(Bot, "odd").created_at


@pytest.mark.parametrize("hours", [-11, 0, 5.5])
def test_a_time_comes_back_in_utc_whatever_its_zone_was(store: Store, hours: float) -> None:
    moment = AT.astimezone(timezone(timedelta(hours=hours)))
    with store.writing() as session:
        session.add(Bot(name="odd", owner="Ann", created_at=moment))
    assert created_at(store) == AT
    assert created_at(store).tzinfo is UTC


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    naive = AT.replace(tzinfo=None)
    with pytest.raises(StatementError, match="has no time zone"), store.writing() as session:
        session.add(Bot(name="odd", owner="Ann", created_at=naive))


def test_a_state_is_stored_as_its_word(store: Store) -> None:
    with store.writing() as session:
        session.add(new_ladder("main"))
        session.flush()
        add_bots(session)
        add_match(session, "m-1", "main")
    with store.reading() as session:
        assert session.scalar(sa.text("SELECT state FROM jobs")) == "recorded"
        assert session.get_one(Job, "job of m-1").state is JobState.RECORDED
