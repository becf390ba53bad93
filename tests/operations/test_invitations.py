"""People create their own tokens by an organiser's invitation."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

import pytest

from arena.errors import Kind
from arena.operations.arena import read_audit
from arena.operations.owners import ban_owner
from arena.operations.tokens import (
    create_invitation,
    join,
    list_invitations,
    list_tokens,
    revoke_invitation,
)
from arena.operations.versions import list_versions
from arena.queue.signing_key import made_key
from arena.store.schema import Role
from tests.support.asked import Asked, Asker
from tests.support.visitor import Visitor

OVER = "The invitation is unknown, used up or over; ask an organiser for another."


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    made_key(arena.data.pages_key)
    return arena.asker("Org", Role.ORGANISER)


async def test_an_invitation_makes_as_many_contestants_as_it_has_uses(
    arena: Asked, organiser: Asker
) -> None:
    made = await organiser.ask(create_invitation, 2, "2999-01-01")
    visitor = arena.asker()
    joined = await visitor.ask(join, f" {made.code} ", "Zoe")
    assert (joined.token.owner, joined.token.role) == ("Zoe", Role.OWNER)
    zoe = Asker(arena.address, {"authorization": f"Bearer {joined.text}"})
    assert (await zoe.ask(list_versions, owner="Zoe")).versions == ()
    assert (await zoe.refused(list_tokens)).kind is Kind.FORBIDDEN
    for taken in ("zoe", "Ann", "org"):
        refused = await visitor.refused(join, made.code, taken)
        assert (refused.kind, refused.field) == (Kind.TAKEN, "owner")
    wrong = await visitor.refused(join, made.code, "(guests)")
    assert (wrong.kind, wrong.field) == (Kind.WRONG_INPUT, "owner")
    [listed] = (await organiser.ask(list_invitations)).invitations
    assert (listed.uses, listed.id) == (1, made.invitation.id)  # refusals use nothing up
    assert (await arena.local().ask(join, made.code, "Yan")).token.owner == "Yan"
    assert (await visitor.refused(join, made.code, "Xi")).sentence == OVER
    lines = (await arena.local().ask(read_audit)).lines
    assert made.code not in repr(lines)
    assert [one.who for one in lines if one.operation == "join"] == ["(data folder)", "(visitor)"]


async def test_an_invitation_ends(
    arena: Asked, organiser: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = arena.asker()
    revoked = await organiser.ask(create_invitation)
    await organiser.ask(revoke_invitation, revoked.invitation.id)
    over = await organiser.ask(create_invitation, 5, "2998-12-31")
    later = datetime(2999, 1, 1, tzinfo=UTC)
    with monkeypatch.context() as patch:
        patch.setattr("arena.store.tokens.now", lambda: later)
        assert (await visitor.refused(join, over.code, "Zoe")).sentence == OVER
    assert (await visitor.refused(join, revoked.code, "Zoe")).sentence == OVER
    unknown = await organiser.refused(revoke_invitation, "none")
    assert (unknown.kind, unknown.field) == (Kind.NOT_FOUND, "invitation_id")
    for uses, expires, field in ((0, "", "uses"), (1001, "", "uses"), (1, "2020-01-01", "expires")):
        assert (await organiser.refused(create_invitation, uses, expires)).field == field


async def test_nobody_returns_as_an_owner_who_was_banned(arena: Asked, organiser: Asker) -> None:
    ann = arena.asker("Ann")
    made = await organiser.ask(create_invitation)
    await organiser.ask(ban_owner, "Ann", "Two names.")
    assert (await ann.refused(join, made.code, "Zoe")).kind is Kind.FORBIDDEN
    assert (await arena.asker().refused(join, made.code, "Ann")).kind is Kind.TAKEN


async def test_codes_are_guessed_no_more_often_than_logins(arena: Asked, organiser: Asker) -> None:
    made = await organiser.ask(create_invitation)
    visitor = arena.asker()
    for _ in range(10):
        assert (await visitor.refused(join, "inv_x", "Zoe")).sentence == OVER
    for asker in (visitor, arena.asker("Ann")):  # a token lifts no bound
        assert (await asker.refused(join, made.code, "Zoe")).kind is Kind.TOO_MANY


async def test_people_join_by_a_page(arena: Asked, organiser: Asker) -> None:
    made = await organiser.ask(create_invitation)
    person = Visitor(f"http://{arena.address}")

    def post(**fields: str) -> tuple[int, str]:
        answer = person.post("/join", fields)
        return answer.status, answer.text

    form = await asyncio.to_thread(person.get, "/join")
    assert (form.status, form.headers["cache-control"]) == (200, "no-store")
    status, text = await asyncio.to_thread(lambda: post(code=made.code, owner="Ann"))
    assert status == 409
    assert "There is an owner Ann already" in text
    assert f'value="{made.code}"' in text
    status, text = await asyncio.to_thread(lambda: post(code=made.code, owner="Zoe <3"))
    assert status == 400
    status, text = await asyncio.to_thread(lambda: post(code=made.code, owner="Zoe"))
    assert status == 200
    found = re.search(r"sat_[\w-]+", text)
    assert found is not None
    zoe = Asker(arena.address, {"authorization": f"Bearer {found[0]}"})
    assert (await zoe.ask(list_versions, owner="Zoe")).versions == ()
    own = await asyncio.to_thread(person.get, "/own")
    assert (own.status, "Zoe" in own.text) == (200, True)
