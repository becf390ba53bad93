"""Remote bots: one program, one token, one active version."""

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.store.remote_bots import (
    add_remote_version,
    check_not_remote,
    check_remote,
    forget_connections,
    latest_version,
    remote_names,
    remote_with_token,
    renew_token,
    set_connected,
)
from arena.store.schema import Remote, VersionState
from arena.store.session import Store
from arena.store.versions import add_version
from tests.support.failing import failing


@pytest.fixture
def token(store: Store) -> str:
    """The token of Ann's remote bot, which has one version."""
    with store.writing() as session:
        add_remote_version(session, "far", "Ann")
        session.flush()
        return renew_token(session, "far")


def test_a_new_version_retires_those_before(store: Store, token: str) -> None:
    with store.writing() as session:
        first = latest_version(session, "far")
        second = add_remote_version(session, "far", "Ann")
        session.flush()
        assert first is not None
        assert first.digest != second.digest
        assert [first.state, second.state] == [VersionState.RETIRED, VersionState.ACTIVE]
        assert latest_version(session, "far") is second


def test_a_renewed_token_invalidates_the_old_one(store: Store, token: str) -> None:
    with store.writing() as session:
        renewed = renew_token(session, "far")
    with store.reading() as session:
        assert remote_with_token(session, token) is None
        found = remote_with_token(session, renewed)
        assert found is not None
        assert found.bot == "far"
        hashes = session.scalars(sa.select(Remote.token_hash)).all()
        assert not any(renewed in text for text in hashes)


def test_a_name_is_either_a_remote_bots_or_one_with_files(store: Store, token: str) -> None:
    with store.writing() as session:
        add_version(session, bot="near", owner="Ann", version="n" * 64, manifest={})
    with store.reading() as session:
        check_remote(session, "far", "Ann")
        check_remote(session, "new", "Bob")
        check_not_remote(session, "near")
        with failing(Kind.TAKEN, match="belongs to Ann"):
            check_remote(session, "far", "Bob")
        with failing(Kind.TAKEN, match="files you submitted"):
            check_remote(session, "near", "Ann")
        with failing(Kind.TAKEN, match="is a remote bot"):
            check_not_remote(session, "far")


def test_connections_are_forgotten_when_the_server_starts(store: Store, token: str) -> None:
    with store.writing() as session:
        set_connected(session, "far", True)
    with store.reading() as session:
        assert remote_names(session) == {"far"}
        remote = session.get_one(Remote, "far")
        assert remote.connected
        assert remote.seen_at is not None
    with store.writing() as session:
        forget_connections(session)
    with store.reading() as session:
        assert not session.get_one(Remote, "far").connected
