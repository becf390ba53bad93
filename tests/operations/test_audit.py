"""The audit log has a line for every change, without secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from arena.bots.source import Manifest
from arena.errors import ArenaError, Kind
from arena.operations.arena import read_audit
from arena.operations.audit_log import audited
from arena.operations.caller import LOCAL_CALLER, Caller
from arena.operations.competitions.ladders import change_ladder, create_ladder, delete_ladder
from arena.operations.competitions.seats import sit_down
from arena.operations.owners import ban_owner
from arena.operations.tokens import create_token
from arena.operations.versions import StoredVersion, add_versions, retire_version
from arena.queue.signing_key import made_key
from arena.store import schema, tokens
from arena.store.schema import CompetitionState, Role
from arena.store.session import Store
from arena.views.audit_line import AuditLine
from tests.support.asked import Asked
from tests.support.stored_matches import digest_of
from tests.support.visitor import Answer, Visitor


async def lines(arena: Asked, **wanted: Any) -> list[AuditLine]:
    """Returns the lines of the log, oldest first."""
    found = await arena.local().ask(read_audit, **wanted)
    return list(reversed(found.lines))


async def test_changes_leave_a_line_each_with_who_what_and_outcome(arena: Asked) -> None:
    organiser, ann = arena.asker("Org", Role.ORGANISER), arena.asker("Ann")
    await organiser.ask(change_ladder, "main", CompetitionState.PAUSED)
    await ann.ask(retire_version, "ann-bot", 1)
    await arena.local().ask(create_ladder, "new", "xeri", draw_probability=0.05)
    await organiser.refused(delete_ladder, "nowhere")
    told = [(one.caller, one.role, one.operation, one.arguments) for one in await lines(arena)]
    assert told == [
        ("Org", Role.ORGANISER, "change_ladder", {"ladder": "main", "state": "paused"}),
        ("Ann", Role.OWNER, "retire_version", {"bot": "ann-bot", "number": 1}),
        (
            "",
            Role.ORGANISER,
            "create_ladder",
            {"name": "new", "game": "xeri", "draw_probability": 0.05},
        ),
        ("Org", Role.ORGANISER, "delete_ladder", {"ladder": "nowhere"}),
    ]
    *done, refused = [one.outcome for one in await lines(arena)]
    assert done == ["done"] * 3
    assert refused.startswith("There is no ladder 'nowhere'")


async def test_what_others_are_refused_leaves_no_line(arena: Asked) -> None:
    ann, reader = arena.asker("Ann"), arena.asker("Rea", Role.READER)
    await ann.refused(retire_version, "bob-bot", 1)
    await ann.refused(retire_version, "ann-bot", 7)
    await ann.refused(ban_owner, "Bob", "Why not?")
    await reader.refused(retire_version, "bob-bot", 1)
    await arena.asker().refused(retire_version, "bob-bot", 1)
    assert await lines(arena) == []


async def test_lines_have_no_secrets_and_no_addresses(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    created = await organiser.ask(create_token, "Cid", Role.OWNER)
    await arena.local().ask(sit_down, "xeri", address="203.0.113.7")
    (arena.data.versions / digest_of("new")).mkdir(parents=True)
    manifest = Manifest(name="new", games=("xeri",), run=("secret",), language="python")
    await arena.local().ask(
        add_versions,
        (StoredVersion(bot="new", owner="Org", version=digest_of("new"), manifest=manifest),),
    )
    with arena.store.reading() as session:
        text = str(session.execute(sa.select(schema.AuditLine.__table__)).all())
    assert "create_token" in text
    assert digest_of("new") in text
    for secret in (created.text, "203.0.113.7", "secret"):
        assert secret not in text


async def test_lines_are_chosen_by_time_and_caller_page_by_page(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    for state in (CompetitionState.PAUSED, CompetitionState.RUNNING, CompetitionState.PAUSED):
        await organiser.ask(change_ladder, "main", state)
    await arena.local().ask(change_ladder, "main", CompetitionState.RUNNING)
    page = await organiser.ask(read_audit, caller="Org", limit=2)
    assert [one.arguments["state"] for one in page.lines] == ["paused", "running"]
    assert page.next is not None
    last = await organiser.ask(read_audit, caller="Org", after=page.next)
    assert ([one.arguments["state"] for one in last.lines], last.next) == (["paused"], None)
    assert len((await organiser.ask(read_audit, since="2020-01-01")).lines) == 4
    assert (await organiser.ask(read_audit, since="2100-01-01")).lines == ()
    refused = await organiser.refused(read_audit, since="yesterday")
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "since")
    assert (await arena.asker("Ann").refused(read_audit)).kind is Kind.FORBIDDEN


def outcomes(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(sa.select(schema.AuditLine.outcome)))


def test_a_change_that_is_not_over_has_its_line(store: Store) -> None:
    with audited(store, LOCAL_CALLER, "x", {}):
        assert outcomes(store) == [""]
    assert outcomes(store) == ["done"]


@pytest.mark.parametrize("caller", [LOCAL_CALLER, Caller("Ann", Role.OWNER)])
def test_a_failure_is_told_of_organisers(store: Store, caller: Caller) -> None:
    def failing(error: Exception) -> Callable[[], None]:
        def fail() -> None:
            with audited(store, caller, "x", {}):
                raise error

        return fail

    for error in (ArenaError(Kind.NOT_NOW, "Not now."), KeyError("y")):
        with pytest.raises(type(error)):
            failing(error)()
    told = ["Not now.", "The arena failed: KeyError."]
    assert outcomes(store) == (told if caller.role is Role.ORGANISER else [])


async def test_organisers_read_it_on_a_page(arena: Asked) -> None:
    made_key(arena.data.pages_key)
    await arena.asker("Org", Role.ORGANISER).ask(change_ladder, "main", CompetitionState.PAUSED)
    with arena.store.writing() as session:
        texts = [tokens.create_token(session, "Cid", role)[1] for role in Role if role != "worker"]

    def visited() -> list[Answer]:
        pages = []
        for text in texts:
            visitor = Visitor(f"http://{arena.address}").log_in(text)
            pages += [visitor.get("/own/audit?since=2020-01-01"), visitor.get("/own")]
        return pages

    log, own, *others = await asyncio.to_thread(visited)
    assert "change_ladder (ladder: main, state: paused)" in log.text
    assert 'href="/own/audit"' in own.text
    assert all("change_ladder" not in page.text for page in others)
    assert [page.status for page in others[::2]] == [403, 403]
