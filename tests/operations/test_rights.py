"""Who may ask for what: every operation, role and way in."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from arena.errors import ArenaError, Kind
from arena.operations.operation import Operation
from arena.operations.registry import OPERATIONS
from arena.store.schema import Role
from arena.store.tokens import create_token
from tests.support.asked import Asked, Asker

ROLES = (None, *Role)


def arguments_of(operation: Operation[..., Any]) -> dict[str, Any]:
    """Returns some value for each parameter that must have one; nothing has that name."""
    return {
        one.name: _some(one.adapter.json_schema()) for one in operation.parameters if one.required
    }


def _some(schema: dict[str, Any]) -> Any:
    if "$ref" in schema:
        schema = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"type": "string"}:
            return "nobody"
        case {"type": "integer"}:
            return 1
        case {"type": "array"}:
            return []
        case {"properties": properties, "required": names}:
            return {name: _some(properties[name]) for name in names}
        case _:
            return {}


async def refusal(asker: Asker, operation: Operation[..., Any]) -> ArenaError | None:
    """Returns why it is refused; None if it is answered."""
    try:
        await asker.ask(operation, **arguments_of(operation))
    except ArenaError as error:
        return error
    return None


def not_allowed(error: ArenaError | None) -> bool:
    return error is not None and error.field == "token"


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_allows_what_the_table_says(arena: Asked, role: Role | None) -> None:
    with arena.store.writing() as session:
        tokens = {one: create_token(session, "Cid", one) for one in Role}
    for operation in OPERATIONS.values():
        allowed = not operation.roles or role in operation.roles
        for asker in ways(arena, tokens, role):
            error = await refusal(asker, operation)
            assert not_allowed(error) is not allowed, (operation.name, asker.server, error)
            if not allowed:
                assert error is not None
                expected = Kind.UNAUTHENTICATED if role is None else Kind.FORBIDDEN
                assert error.kind is expected
                assert role is None or f"has the role {role}" in error.sentence


def ways(arena: Asked, tokens: dict[Role, tuple[Any, str]], role: Role | None) -> Iterator[Asker]:
    """Yields somebody of that role by each way in."""
    if role is None:
        yield Asker(arena.address, {})
        return
    token, text = tokens[role]
    yield Asker(arena.address, {"authorization": f"Bearer {text}"})
    yield Asker(arena.door, {"authorization": f"Bearer {text}"})
    yield Asker(arena.door, {"acting-token-id": token.id})


async def test_who_may_enter_the_data_folder_may_do_everything(arena: Asked) -> None:
    for operation in OPERATIONS.values():
        assert not not_allowed(await refusal(arena.local(), operation)), operation.name


@pytest.mark.parametrize("text", ["x", "sat_", "sat_" + "x" * 43])
async def test_nobody_asks_by_a_token_that_is_none(arena: Asked, text: str) -> None:
    asker = Asker(arena.address, {"authorization": f"Bearer {text}"})
    for operation in OPERATIONS.values():
        assert not_allowed(await refusal(asker, operation)), operation.name


async def test_nobody_else_can_act_in_the_name_of_a_token(arena: Asked) -> None:
    with arena.store.writing() as session:
        token, _ = create_token(session, "Org", Role.ORGANISER)
    refused = await refusal(
        Asker(arena.address, {"acting-token-id": token.id}), OPERATIONS["list_tokens"]
    )
    assert refused is not None
    assert refused.kind is Kind.UNAUTHENTICATED


def test_every_change_needs_a_role_but_the_one_that_an_invitation_allows() -> None:
    without = [one for one in OPERATIONS.values() if one.changes and not one.roles]
    assert [one.name for one in without] == ["join"]


def test_every_operation_is_described_and_bounds_its_texts() -> None:
    for operation in OPERATIONS.values():
        assert operation.description.endswith("."), operation.name
        for one in operation.parameters:
            if isinstance(one.default, str) or one.default is inspect.Parameter.empty:
                with pytest.raises(ArenaError) as refused:
                    one.checked("x" * 100_000)
                assert refused.value.field == one.name
