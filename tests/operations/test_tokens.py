"""Tokens, as organisers handle them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arena.errors import Kind
from arena.operations.tokens import create_token, create_tokens, list_tokens, revoke_token
from arena.operations.versions import list_versions
from arena.store.schema import Role, Token
from tests.support.asked import Asked, Asker


async def test_tokens_are_created_listed_and_revoked(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    created = await organiser.ask(create_token, "Ann", Role.OWNER)
    ann = Asker(arena.address, {"authorization": f"Bearer {created.text}"})
    await ann.ask(list_versions)
    listed = await organiser.ask(list_tokens)
    assert [token.owner for token in listed.tokens] == ["Org", "Ann"]
    assert created.text not in listed.model_dump_json()
    revoked = await organiser.ask(revoke_token, created.token.id)
    assert revoked.token.revoked_at is not None
    refused = await ann.refused(list_versions)
    assert refused.kind is Kind.UNAUTHENTICATED
    assert "was revoked" in refused.sentence


@pytest.mark.parametrize(
    "owner",
    ["Seán O'Neill", "O\u2019Brien & Søns", "Ἀριστοτέλης", "देवनागरी", "李明", "José.7@x_y-z"],
)
async def test_names_of_all_scripts(arena: Asked, owner: str) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    created = await organiser.ask(create_token, owner, Role.OWNER)
    assert created.token.owner == owner


async def test_names_that_differ_by_case_or_normal_form_are_one(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    given = ("José Weiß", "JOSE\u0301 WEISS", "josé weiß")
    for name in given:
        created = await organiser.ask(create_token, name, Role.OWNER)
        assert created.token.owner == given[0]
    assert (await organiser.ask(list_versions, owner=given[1])).versions == ()
    assert (await organiser.refused(list_versions, owner="José")).kind is Kind.NOT_FOUND


@pytest.mark.parametrize(
    "owner", ["\n", "", "x" * 64, "-x", "a\u202eb", "\u0301a", "a\u3164", "a" + "\u0301" * 9, "a/b"]
)
async def test_a_name_that_is_none_is_refused(arena: Asked, owner: str) -> None:
    refused = await arena.asker("Org", Role.ORGANISER).refused(create_token, owner, Role.OWNER)
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "owner")


async def test_a_token_that_is_not_there_is_not_revoked(arena: Asked) -> None:
    refused = await arena.asker("Org", Role.ORGANISER).refused(revoke_token, "x")
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, "id")


async def test_a_token_expires(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    created = await organiser.ask(create_token, "Ann", Role.OWNER, "2100-01-31")
    assert created.token.expires_at == datetime(2100, 2, 1, tzinfo=UTC)
    ann = Asker(arena.address, {"authorization": f"Bearer {created.text}"})
    await ann.ask(list_versions)
    with arena.store.writing() as session:
        session.get_one(Token, created.token.id).expires_at = datetime.now(UTC)
    refused = await ann.refused(list_versions)
    assert (refused.kind, refused.field) == (Kind.UNAUTHENTICATED, "token")
    assert refused.sentence.startswith("The token expired at 20")
    past = await organiser.refused(create_token, "Ann", Role.OWNER, "2020-01-01")
    assert (past.kind, past.field) == (Kind.WRONG_INPUT, "expires")


async def test_tokens_are_created_for_a_whole_class_or_for_nobody(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    names = ("Zoe", "Ann", "\u738b\u4f1f")
    made = (await organiser.ask(create_tokens, names, Role.OWNER, "2100-01-31")).tokens
    assert tuple(one.token.owner for one in made) == names
    assert len({one.text for one in made}) == len(names)
    for wrong, field, sentence in (
        (("Cid", "cid"), "owners", "Cid is in the list twice."),
        (("Cid", "-"), "owner", "An owner's name begins with"),
        ((), "owners", "The list has no names."),
    ):
        refused = await organiser.refused(create_tokens, wrong, Role.OWNER)
        assert (refused.field, sentence in refused.sentence) == (field, True), refused.sentence
    listed = (await organiser.ask(list_tokens)).tokens
    assert {one.owner for one in listed} == {"Org", *names}
