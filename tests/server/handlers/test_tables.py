"""Sitting down at a table: who may, what is refused, and what the table then is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
import pytest

from arena.league import job_of
from arena.league.table import TableJobs
from arena.store.people import people, table_with_key
from arena.store.queries import competitions
from arena.store.schema import CompetitionState, Job, JobState, Table
from arena.store.session import Store
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest
from sevens.league.v1.table_pb2 import SitDownRequest, SitDownResponse
from tests.support.served import Person, Served
from tests.support.stored_matches import add_bots

CODES = grpc.StatusCode


def asked(seat: int = 0, **more: Any) -> SitDownRequest:
    return SitDownRequest(**{"game": "xeri", "seat": seat, **more})


@pytest.fixture
def with_bot(server: Served) -> Served:
    """A server on whose ladder bots of Ann and Bob play."""
    with server.store.writing() as session:
        add_bots(session)
    return server


@pytest.fixture
async def pages(with_bot: Served) -> AsyncIterator[Person]:
    """The arena's own pages, which call by the socket of the data folder."""
    async with grpc.aio.insecure_channel(f"unix:{with_bot.socket}") as channel:
        yield Person(LeagueServiceStub(channel), None)


def stored(store: Store, seated: SitDownResponse) -> tuple[Table, Any]:
    with store.reading() as session:
        table = table_with_key(session, seated.key)
        assert table is not None
        return table, job_of(table.job)


async def test_a_guest_sits_down_with_bots_of_the_ladders(with_bot: Served, pages: Person) -> None:
    seated = await pages.call("SitDown", asked(seat=1, address="ipv4:192.0.2.7"))
    assert seated.name == "person-guest"
    table, job = stored(with_bot.store, seated)
    assert (table.name, table.seat, table.state) == (seated.table, 1, CompetitionState.RUNNING)
    assert job.entrants[0].bot in ("ann-bot", "bob-bot")
    assert job.entrants[1].bot == "person-guest"
    assert [entrant.remote for entrant in job.entrants] == [False, True]
    assert (job.clock.bank_ms, job.clock.increment_ms) == (900_000, 60_000)
    assert job.unhurried
    assert job.options["deals"] == "5"


async def test_an_owner_sits_down_in_their_own_name(with_bot: Served) -> None:
    bob = with_bot.person("Bob")
    seated = await bob.call("SitDown", asked(options={"deals": "1"}, opponents=["ann-bot@1"]))
    assert seated.name == "person-bob"
    _, job = stored(with_bot.store, seated)
    assert job.options["deals"] == "1"
    again = await bob.call("SitDown", asked())
    assert again.name == "person-bob-2"  # one name at two tables would end each other's stream
    with with_bot.store.reading() as session:
        assert people(session) == {"person-bob", "person-bob-2"}


@pytest.mark.parametrize(
    ("request_", "code", "field", "sentence"),
    [
        (asked(game="whist"), CODES.NOT_FOUND, "game", "no game 'whist'"),
        (asked(seat=2), CODES.INVALID_ARGUMENT, "seat", "there is no seat 2"),
        (asked(seats=9), CODES.INVALID_ARGUMENT, "seats", "seats, not 9"),
        (asked(options={"deals": "x"}), CODES.INVALID_ARGUMENT, "options", "deals must be"),
        (asked(opponents=["an-bot"]), CODES.INVALID_ARGUMENT, "opponents", "Did you mean ann-bot"),
        (asked(opponents=["ann-bot@7"]), CODES.INVALID_ARGUMENT, "opponents", "ann-bot@7"),
        (asked(opponents=["", ""]), CODES.INVALID_ARGUMENT, "opponents", "1 other seats, and 2"),
        (asked(bank_ms=10**9), CODES.INVALID_ARGUMENT, "bank_ms", "is too long"),
        (asked(match="none"), CODES.INVALID_ARGUMENT, "match", "has its own game"),
        (SitDownRequest(match="none"), CODES.NOT_FOUND, "match", "No match begins with"),
        (asked(person="Ann"), CODES.PERMISSION_DENIED, "person", "in your own name"),
        (asked(address="x"), CODES.PERMISSION_DENIED, "person", "in your own name"),
    ],
)
async def test_what_is_refused(
    with_bot: Served, request_: object, code: CODES, field: str, sentence: str
) -> None:
    refused = await with_bot.person("Bob").refused("SitDown", request_)
    assert (refused.code, refused.field) == (code, field)
    assert sentence in refused.sentence
    with with_bot.store.reading() as session:
        assert people(session) == set()  # nothing is left of it


async def test_where_no_bot_plays_nobody_sits_down(server: Served) -> None:
    refused = await server.person("Bob").refused("SitDown", asked())
    assert refused.sentence == ("No bot on a ladder of this arena plays xeri: choose another game.")


async def test_a_person_has_two_tables_and_an_address_too(with_bot: Served, pages: Person) -> None:
    for address in ("ipv4:192.0.2.7", "ipv4:192.0.2.8"):
        for _ in range(2):
            await pages.call("SitDown", asked(address=address))
        refused = await pages.refused("SitDown", asked(address=address))
        assert refused.code is CODES.FAILED_PRECONDITION
        assert refused.sentence.startswith("Guests from your address sit at 2 tables already")
    for _ in range(2):
        await pages.call("SitDown", asked(person="Bob"))
    refused = await pages.refused("SitDown", asked(person="Bob"))
    assert refused.sentence.startswith("You sit at 2 tables already")
    for _ in range(2):
        await pages.call("SitDown", asked(person="Cy"))
    refused = await pages.refused("SitDown", asked(person="Di"))
    assert refused.sentence == "All 8 tables are taken. Try again when one is free."


async def test_a_table_ends_with_its_job_and_forgets_the_address(
    with_bot: Served, pages: Person
) -> None:
    seated = await pages.call("SitDown", asked(address="ipv4:192.0.2.7"))
    store = with_bot.store
    with store.writing() as session:
        [table] = [one for one in competitions(session) if isinstance(one, Table)]
        source = TableJobs(session, table)
        [job] = source.make(session, keep=8)
        assert job.competition == seated.table
        assert source.make(session, keep=8) == []
        assert not source.over(session)
        session.get_one(Job, job.job_id).state = JobState.PARKED
        session.flush()
        assert source.make(session, keep=8) == []
        assert source.over(session)
        assert (table.state, table.address) == (CompetitionState.OVER, "")
        assert table not in competitions(session)


async def test_the_name_of_a_person_is_not_registered_for_a_ladder(with_bot: Served) -> None:
    bob = with_bot.person("Bob")
    await bob.call("SitDown", asked())
    request = RegisterRemoteRequest(bot="person-bob", ladder="main")
    refused = await bob.refused("RegisterRemote", request)
    assert refused.sentence == (
        "person-bob is the name under which you sit at tables: choose another name."
    )


async def test_a_name_on_a_ladder_is_left_to_its_bot(with_bot: Served) -> None:
    bob = with_bot.person("Bob")
    await bob.call("RegisterRemote", RegisterRemoteRequest(bot="person-bob", ladder="main"))
    assert (await bob.call("SitDown", asked())).name == "person-bob-2"
