"""Sitting down at a table: who may, what is refused, and what the table then is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.errors import Kind
from arena.league import job_of
from arena.league.table import TableJobs
from arena.operations.competitions.seats import sit_down
from arena.store.data_folder import DataFolder
from arena.store.people import people, table_with_key
from arena.store.queries import competitions
from arena.store.schema import CompetitionState, Job, JobState, Table
from arena.store.session import Store
from arena.views.table import Seated
from tests.support.asked import Asked, asked_arena
from tests.support.stored_matches import add_bots


def asked(seat: int = 0, **more: Any) -> dict[str, Any]:
    return {"game": "xeri", "seat": seat, **more}


def stored(store: Store, seated: Seated) -> tuple[Table, Any]:
    with store.reading() as session:
        table = table_with_key(session, seated.key)
        assert table is not None
        return table, job_of(table.job)


async def test_a_guest_sits_down_with_bots_of_the_ladders(arena: Asked) -> None:
    pages = arena.local()
    seated = await pages.ask(sit_down, **asked(seat=1, address="ipv4:192.0.2.7"))
    assert seated.name == "person-guest"
    table, job = stored(arena.store, seated)
    assert (table.name, table.seat, table.state) == (seated.table, 1, CompetitionState.RUNNING)
    assert job.entrants[0].bot in ("ann-bot", "bob-bot")
    assert job.entrants[1].bot == "person-guest"
    assert [entrant.remote for entrant in job.entrants] == [False, True]
    assert (job.clock.bank_ms, job.clock.increment_ms) == (900_000, 60_000)
    assert job.unhurried
    assert job.options["deals"] == "5"


async def test_an_owner_sits_down_in_their_own_name(arena: Asked) -> None:
    bob = arena.asker("Bob")
    seated = await bob.ask(sit_down, **asked(options={"deals": "1"}, opponents=["ann-bot@1"]))
    assert seated.name == "person-bob"
    _, job = stored(arena.store, seated)
    assert job.options["deals"] == "1"
    again = await bob.ask(sit_down, **asked())
    assert again.name == "person-bob-2"  # one name at two tables would end each other's stream
    with arena.store.reading() as session:
        assert people(session) == {"person-bob", "person-bob-2"}


@pytest.mark.parametrize(
    ("arguments", "kind", "field", "sentence"),
    [
        (asked(game="whist"), Kind.NOT_FOUND, "game", "no game 'whist'"),
        (asked(seat=2), Kind.WRONG_INPUT, "seat", "there is no seat 2"),
        (asked(seats=9), Kind.WRONG_INPUT, "seats", "seats, not 9"),
        (asked(options={"deals": "x"}), Kind.WRONG_INPUT, "options", "deals must be"),
        (asked(opponents=["an-bot"]), Kind.WRONG_INPUT, "opponents", "Did you mean ann-bot"),
        (asked(opponents=["ann-bot@7"]), Kind.WRONG_INPUT, "opponents", "ann-bot@7"),
        (asked(opponents=["", ""]), Kind.WRONG_INPUT, "opponents", "1 other seats, and 2"),
        (asked(bank_ms=10**9), Kind.WRONG_INPUT, "bank_ms", "is too long"),
        (asked(match="none"), Kind.WRONG_INPUT, "match", "has its own game"),
        ({"match": "none"}, Kind.NOT_FOUND, "match", "No match begins with"),
        (asked(person="Ann"), Kind.FORBIDDEN, "person", "in your own name"),
        (asked(address="x"), Kind.FORBIDDEN, "person", "in your own name"),
    ],
)
async def test_what_is_refused(
    arena: Asked, arguments: dict[str, Any], kind: Kind, field: str, sentence: str
) -> None:
    refused = await arena.asker("Bob").refused(sit_down, **arguments)
    assert (refused.kind, refused.field) == (kind, field)
    assert sentence in refused.sentence
    with arena.store.reading() as session:
        assert people(session) == set()  # nothing is left of it


async def test_where_no_bot_plays_nobody_sits_down(
    store: Store, data: DataFolder, tmp_path: Path
) -> None:
    async with asked_arena(store, data, tmp_path) as arena:
        refused = await arena.asker("Bob").refused(sit_down, **asked())
    assert refused.sentence == ("No bot on a ladder of this arena plays xeri: choose another game.")


async def test_an_arena_that_plays_no_tables_seats_nobody(
    store: Store, data: DataFolder, tmp_path: Path
) -> None:
    with store.writing() as session:
        add_bots(session)
    async with asked_arena(store, data, tmp_path, only=["main"]) as arena:
        for asker in (arena.asker("Bob"), arena.local()):
            refused = await asker.refused(sit_down, **asked())
            assert refused.kind is Kind.NOT_NOW
            assert "No arena that plays tables runs at the moment" in refused.sentence
    with store.reading() as session:
        assert people(session) == set()


async def test_a_person_has_two_tables_and_an_address_too(arena: Asked) -> None:
    pages = arena.local()
    for address in ("ipv4:192.0.2.7", "ipv4:192.0.2.8"):
        for _ in range(2):
            await pages.ask(sit_down, **asked(address=address))
        refused = await pages.refused(sit_down, **asked(address=address))
        assert refused.kind is Kind.NOT_NOW
        assert refused.sentence.startswith("Guests from your address sit at 2 tables already")
    for _ in range(2):
        await pages.ask(sit_down, **asked(person="Bob"))
    refused = await pages.refused(sit_down, **asked(person="Bob"))
    assert refused.sentence.startswith("You sit at 2 tables already")
    for _ in range(2):
        await pages.ask(sit_down, **asked(person="Cy"))
    refused = await pages.refused(sit_down, **asked(person="Di"))
    assert refused.sentence == "All 8 tables are taken. Try again when one is free."


async def test_guests_leave_two_tables_to_people_with_a_token(arena: Asked) -> None:
    pages = arena.local()
    for address in ("ipv4:192.0.2.7", "ipv4:192.0.2.8", "ipv4:192.0.2.9"):
        for _ in range(2):
            await pages.ask(sit_down, **asked(address=address))
    refused = await pages.refused(sit_down, **asked(address="ipv4:192.0.2.10"))
    assert refused.sentence == (
        "All 6 tables for guests are taken. Log in, or try again when one is free."
    )
    for _ in range(2):
        await pages.ask(sit_down, **asked(person="Bob"))


async def test_a_table_ends_with_its_job_and_forgets_the_address(arena: Asked) -> None:
    pages = arena.local()
    seated = await pages.ask(sit_down, **asked(address="ipv4:192.0.2.7"))
    store = arena.store
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
