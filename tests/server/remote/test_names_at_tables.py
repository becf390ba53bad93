"""The names under which people sit at tables, and those of bots on ladders."""

from __future__ import annotations

import pytest

from arena.operations.competitions.seats import sit_down
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest
from tests.support.served import Served
from tests.support.stored_matches import add_bots

REQUEST = RegisterRemoteRequest(bot="person-bob", ladder="main")


@pytest.fixture
def with_bot(server: Served) -> Served:
    """A server on whose ladder bots of Ann and Bob play."""
    with server.store.writing() as session:
        add_bots(session)
    return server


async def test_the_name_of_a_person_is_not_registered_for_a_ladder(with_bot: Served) -> None:
    await with_bot.asker("Bob").ask(sit_down, "xeri")
    refused = await with_bot.person("Bob").refused("RegisterRemote", REQUEST)
    assert refused.sentence == (
        "person-bob is the name under which you sit at tables: choose another name."
    )


async def test_a_name_on_a_ladder_is_left_to_its_bot(with_bot: Served) -> None:
    await with_bot.person("Bob").call("RegisterRemote", REQUEST)
    assert (await with_bot.asker("Bob").ask(sit_down, "xeri")).name == "person-bob-2"
