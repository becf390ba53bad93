"""The forms of organisers: one for every change that is theirs, and what they send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from arena.operations.competitions.ladders import read_ladder
from arena.operations.competitions.tournaments import read_tournament
from arena.operations.registry import OPERATIONS
from arena.operations.running.disk import prune_matches, read_disk
from arena.operations.tokens import list_tokens
from arena.queue.signing_key import made_key
from arena.store import tokens
from arena.store.schema import AuditLine, Role
from arena.web.pages.changes.forms import BY_NAME, FORMS
from tests.support.asked import Asked, Asker
from tests.support.visitor import Answer, Visitor

ELSEWHERE = {
    "add_versions": "a command, with the files",
    "end_login": "the pages, when you log out",
    "sit_down": "the page for playing",
}


def visited(arena: Asked, tour: Callable[[Visitor], list[Answer]]) -> list[Answer]:
    made_key(arena.data.pages_key)
    with arena.store.writing() as session:
        org = tokens.create_token(session, "Org", Role.ORGANISER)[1]
    return tour(Visitor(f"http://{arena.address}").log_in(org))


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


async def test_every_change_of_organisers_has_a_form(arena: Asked) -> None:
    changes = {
        one.name for one in OPERATIONS.values() if one.changes and Role.ORGANISER in one.roles
    }
    assert changes - BY_NAME.keys() == ELSEWHERE.keys()
    pages = [
        "/organiser",
        "/organiser/tokens",
        "/organiser/notices",
        "/organiser/disk?keep_records=1",
    ]
    pages += [f"/do/{name}" for name in BY_NAME]
    shown = await asyncio.to_thread(
        visited, arena, lambda visitor: [visitor.get(page) for page in pages]
    )
    assert {page: one.status for page, one in zip(pages, shown, strict=True)} == dict.fromkeys(
        pages, 200
    )
    for name, one in zip(BY_NAME, shown[4:], strict=True):
        for parameter in BY_NAME[name][1].parameters:
            assert f'name="{parameter.name}' in one.text, (name, parameter.name)
    assert all(subject in shown[0].text for subject in FORMS)


async def test_a_ladder_is_created_changed_and_closed_by_forms(
    arena: Asked, organiser: Asker
) -> None:
    def tour(visitor: Visitor) -> list[Answer]:
        def do(operation: str, **fields: str) -> Answer:
            return visitor.post(f"/do/{operation}", fields)

        new = {"name": "new", "game": "xeri", "options": "deals=2", "deals": "single"}
        return [
            do("create_ladder", **new, newest_only="yes", seats="", entrants="ann-bot 1\nbob-bot"),
            do("schedule_ladder", ladder="new", starts_at="", ends_at="2077-07-07"),
            do("delay_ladder", ladder="new", live_delay_s="0"),
            do("leave_ladder", ladder="new", bot="bob-bot"),
            do("change_ladder", ladder="new", state="paused"),
            do("create_ladder", name="odd", game="xeri", seats="two"),
            do("create_ladder", name="odd", game="xerri"),
            do("change_ladder", ladder="new"),
            do("begin_season", ladder="new", name="next"),
            visitor.get("/do/no_such"),
        ]

    *done, wrong, unknown, missing, season, nothing = await asyncio.to_thread(visited, arena, tour)
    assert [(one.status, one.location) for one in done] == [(303, "/ladders/new")] * 5
    assert "The parameter seats is wrong" in wrong.text
    assert "Did you mean xeri?" in unknown.text
    assert (missing.status, "`state` is missing" in missing.text) == (400, True)
    assert (season.status, season.location) == (303, "/ladders/new")
    assert nothing.status == 404
    ladder = await organiser.ask(read_ladder, "new")
    assert (ladder.options["deals"], ladder.newest_only, ladder.state) == ("2", True, "over")
    assert ladder.ends_at is not None
    following = await organiser.ask(read_ladder, "next")
    assert (following.entrants, following.live_delay_s) == (1, 0)
    with arena.store.reading() as session:
        told = session.scalars(sa.select(AuditLine.caller)).all()
        assert set(told) == {"Org"}


async def test_a_tournament_is_created_with_its_terms(arena: Asked, organiser: Asker) -> None:
    def tour(visitor: Visitor) -> list[Answer]:
        fields = {"name": "cup", "game": "xeri", "terms.format": "swiss", "terms.rounds": "3"}
        terms = {"terms.tie_breaks": "wins\nlot", "terms.seed_by_lot": "yes"}
        return [
            visitor.post("/do/create_tournament", fields | terms),
            visitor.post("/do/enter_tournament", {"tournament": "cup", "bot": "ann-bot"}),
            visitor.post("/do/change_tournament", {"tournament": "cup", "state": "gone"}),
        ]

    *done, wrong = await asyncio.to_thread(visited, arena, tour)
    assert [(one.status, one.location) for one in done] == [(303, "/tournaments/cup")] * 2
    assert "The parameter state is wrong" in wrong.text
    cup = await organiser.ask(read_tournament, "cup")
    assert (cup.terms.format, cup.terms.rounds, cup.terms.seed_by_lot) == ("swiss", 3, True)
    assert (cup.terms.tie_breaks, cup.common_deals) == (("wins", "lot"), False)
    assert [one.bot for one in cup.entrants] == ["ann-bot"]


async def test_tokens_for_a_class_are_shown_once(arena: Asked, organiser: Asker) -> None:
    names = [f"pupil-{number}" for number in range(300)]

    def tour(visitor: Visitor) -> list[Answer]:
        fields = {"owners": "\r\n".join(names), "role": "owner", "expires": "2077-07-07"}
        made = visitor.post("/do/create_tokens", fields)
        return [made, visitor.get("/organiser/tokens")]

    made, listed = await asyncio.to_thread(visited, arena, tour)
    assert made.headers["cache-control"] == "no-store"
    assert made.text.count("<code>") == 300
    new = [one for one in (await organiser.ask(list_tokens)).tokens if one.owner in names]
    assert [one.owner for one in new] == names
    assert all(f"token_id={one.id}" in listed.text for one in new)
    text = made.text.partition("<code>")[2].partition("</code>")[0]
    assert text not in listed.text


async def test_the_disk_is_measured_and_pruned(arena: Asked, organiser: Asker) -> None:
    whole = await organiser.ask(read_disk, "1", "90d")
    assert (whole.total > whole.free > 0, whole.records.matches, whole.records.beyond) == (
        True,
        1,
        0,
    )
    sizes = {part.name: part.size for part in whole.parts}
    assert sizes["store"] > 0
    assert sizes.keys() == {"store", "versions", "logs", "backups", "played", "queue"}
    wrong = await organiser.refused(prune_matches, keep_logs="a week")
    assert (wrong.field, "is no limit" in wrong.sentence) == ("keep_logs", True)
    pruned = await organiser.ask(prune_matches, keep_records="90d")
    assert (pruned.records, pruned.logs) == (1, 0)
