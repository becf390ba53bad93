"""Tokens, as organisers handle them."""

from __future__ import annotations

import pytest

from arena.errors import Kind
from arena.operations.tokens import create_token, list_tokens, revoke_token
from arena.operations.versions import list_versions
from arena.store.schema import Role
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
