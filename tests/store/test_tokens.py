"""A token identifies the person it was created for, until it is revoked."""

import pytest

from arena.errors import Kind
from arena.store.schema import Role, Token
from arena.store.session import Store
from arena.store.tokens import all_tokens, create_token, revoke_token, token_with_id, verified
from tests.support.failing import failing


def test_a_token_is_known_by_its_text_alone(store: Store) -> None:
    with store.writing() as session:
        token, text = create_token(session, "Ann", Role.OWNER)
    assert text.startswith("sat_")
    assert len(text) == 47
    with store.reading() as session:
        found = verified(session, text)
        assert found is not None
        assert (found.id, found.owner, found.role) == (token.id, "Ann", Role.OWNER)
        for wrong in ("", "sat_", text[:-1], text + "=", token.id, token.hash, "\udcff"):
            assert verified(session, wrong) is None


def test_the_text_is_not_kept(store: Store) -> None:
    with store.writing() as session:
        _, text = create_token(session, "Ann", Role.OWNER)
    with store.reading() as session:
        [row] = all_tokens(session)
        assert text not in "".join(str(getattr(row, column.key)) for column in Token.__table__.c)


def test_a_revoked_token_is_worth_nothing(store: Store) -> None:
    with store.writing() as session:
        token, text = create_token(session, "Ann", Role.OWNER)
        _, other = create_token(session, "Ann", Role.OWNER)
        assert token_with_id(session, token.id) is token
        revoked_at = revoke_token(session, token.id).revoked_at
    with store.writing() as session:
        assert verified(session, text) is None
        assert token_with_id(session, token.id) is None
        assert token_with_id(session, text) is None
        assert verified(session, other) is not None
        assert revoke_token(session, token.id).revoked_at == revoked_at
        with failing(Kind.NOT_FOUND, match="There is no token 'x'; `arena token list`"):
            revoke_token(session, "x")


@pytest.mark.parametrize("owner", ["", " Ann", "a\nb", "x" * 64, "<b>"])
def test_odd_names_are_refused(store: Store, owner: str) -> None:
    with store.writing() as session, failing(Kind.WRONG_INPUT, match="An owner's name begins"):
        create_token(session, owner, Role.OWNER)
