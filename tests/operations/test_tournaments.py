"""Tournaments: who may do what, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import httpx
import pytest

from arena.errors import Kind
from arena.league.recorder import Recorded, Recorder
from arena.operations.competitions.tournaments import (
    change_tournament,
    check_in,
    create_tournament,
    enter_tournament,
    leave_tournament,
    list_tournaments,
    read_tournament,
    replay_table,
)
from arena.operations.competitions.versions_to_enter import VersionToEnter
from arena.operations.operation import Operation
from arena.store.schema import CompetitionState, Format, Partners, Role, now
from arena.tournament import TournamentTerms
from tests.support.asked import Asked
from tests.support.job_outcomes import outcome_of
from tests.support.unplayed_jobs import CUP, swiss_round

RUNNING, CANCELLED = CompetitionState.RUNNING, CompetitionState.CANCELLED


@pytest.fixture
async def cup(arena: Asked) -> Asked:
    """An arena with a tournament that has not begun."""
    organiser = arena.asker("Org", Role.ORGANISER)
    created = await organiser.ask(
        create_tournament, "cup", "xeri", TournamentTerms(format="swiss", rounds=3)
    )
    assert created.state is CompetitionState.OPEN
    assert (created.terms.rounds, created.terms.groups, created.common_deals) == (3, 2, True)
    assert (created.deals, created.partners) == (Format.DUPLICATE, Partners.SAME)
    assert (created.bank_ms, created.increment_ms) == (60_000, 200)
    assert len(created.commitment) == 64
    return arena


async def test_owners_enter_their_own_bots_and_organisers_any(cup: Asked) -> None:
    refused = await cup.asker("Bob").refused(enter_tournament, "cup", "ann-bot")
    assert refused.kind is Kind.FORBIDDEN
    assert "The bot ann-bot belongs to Ann, not to you." in refused.sentence
    ann = cup.asker("Ann")
    for _ in range(2):
        entered = await ann.ask(enter_tournament, "cup", "ann-bot")
        assert (entered.number, entered.version_number, entered.entered_round) == (1, 1, 1)
    visitor = cup.asker()
    found = await visitor.ask(read_tournament, "cup")
    assert found.entrants == (entered,)
    assert (entered.bot, entered.owner, entered.reason, found.secret) == ("ann-bot", "Ann", "", "")
    assert [one.number for one in found.standings] == [1]
    [listed] = (await visitor.ask(list_tournaments)).tournaments
    assert (listed.tournament, listed.game, listed.format) == ("cup", "xeri", "swiss")
    assert (listed.entrants, listed.round, listed.matches) == (1, 0, 0)
    assert (listed.state, listed.running_now) == (CompetitionState.OPEN, False)
    assert (await visitor.refused(leave_tournament, "cup", "ann-bot")).field == "token"
    left = await ann.ask(leave_tournament, "cup", "ann-bot")
    assert (left.withdrawn_round, left.reason) == (1, "Its owner withdrew it.")
    assert (await visitor.ask(read_tournament, "cup")).entrants == (left,)
    organiser = cup.asker("Org", Role.ORGANISER)
    await organiser.ask(enter_tournament, "cup", "bob-bot")
    left = await organiser.ask(leave_tournament, "cup", "bob-bot")
    assert (left.number, left.reason) == (2, "The organiser withdrew it.")


async def test_one_is_created_with_its_bots_or_not_at_all(cup: Asked) -> None:
    organiser = cup.asker("Org", Role.ORGANISER)
    wanted = (VersionToEnter(bot="bob-bot"), VersionToEnter(bot="ann-bot", number=7))
    refused = await organiser.refused(create_tournament, "new", "xeri", entrants=wanted)
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, "number")
    assert [one.tournament for one in await all_of(cup)] == ["cup"]
    created = await organiser.ask(create_tournament, "new", "xeri", entrants=wanted[:1])
    assert [(one.number, one.bot, one.entered_round) for one in created.entrants] == [
        (1, "bob-bot", 1)
    ]
    assert [one.tournament for one in await all_of(cup)] == ["cup", "new"]


async def test_the_terms_are_those_of_the_request(arena: Asked) -> None:
    organiser = arena.asker("Org", Role.ORGANISER)
    terms = TournamentTerms(groups=3, tie_breaks=("wins", "lot"))
    created = await organiser.ask(
        create_tournament,
        "cup",
        "dingo",
        terms=terms,
        seats=4,
        deals=Format.SINGLE,
        common_deals=False,
        bank_ms=0,
        increment_ms=50,
        options={},
    )
    assert (created.seats, created.deals, created.common_deals) == (4, Format.SINGLE, False)
    assert (created.bank_ms, created.increment_ms) == (0, 50)
    assert (created.terms.groups, created.terms.tie_breaks) == (3, ("wins", "lot"))
    assert (created.terms.per_table, created.plays) == (4, "auto")


@pytest.mark.parametrize(
    ("operation", "arguments", "kind", "field", "sentence"),
    [
        (
            enter_tournament,
            {"tournament": "cap", "bot": "ann-bot"},
            Kind.NOT_FOUND,
            "tournament",
            "There is no tournament 'cap'; there are: cup.",
        ),
        (
            read_tournament,
            {"tournament": "cap"},
            Kind.NOT_FOUND,
            "tournament",
            "There is no tournament 'cap'; there are: cup.",
        ),
        (
            enter_tournament,
            {"tournament": "cup", "bot": "ann-bot", "number": 7},
            Kind.NOT_FOUND,
            "number",
            "ann-bot has no version 7 that plays",
        ),
        (
            enter_tournament,
            {"tournament": "cup", "bot": "anne-bot"},
            Kind.NOT_FOUND,
            "bot",
            "Did you mean ann-bot?",
        ),
        (
            change_tournament,
            {"tournament": "cup", "state": RUNNING},
            Kind.NOT_NOW,
            "",
            "has 0 entrants, and a table needs 2",
        ),
        (
            change_tournament,
            {"tournament": "cup", "state": CompetitionState.OVER},
            Kind.WRONG_INPUT,
            "state",
            "becomes one of running, paused, cancelled",
        ),
        (
            create_tournament,
            {"name": "c", "game": "xerii"},
            Kind.NOT_FOUND,
            "game",
            "Did you mean xeri?",
        ),
        (
            create_tournament,
            {"name": "c", "game": "xeri", "options": {"deal": "1"}},
            Kind.WRONG_INPUT,
            "options",
            "Did you mean deals?",
        ),
        (
            create_tournament,
            {"name": "c", "game": "xeri", "bank_ms": 86_400_001},
            Kind.WRONG_INPUT,
            "bank_ms",
            "`bank_ms` is 86,400,001 milliseconds, which is too long.",
        ),
        (
            create_tournament,
            {"name": "main", "game": "xeri"},
            Kind.TAKEN,
            "name",
            "There is a ladder 'main' already.",
        ),
        (
            leave_tournament,
            {"tournament": "cup", "bot": "ann-bot"},
            Kind.NOT_FOUND,
            "bot",
            "ann-bot is not in the tournament cup.",
        ),
    ],
)
async def test_what_cannot_be_is_refused_with_the_field(
    cup: Asked,
    operation: Operation[..., Any],
    arguments: dict[str, Any],
    kind: Kind,
    field: str,
    sentence: str,
) -> None:
    refused = await cup.asker("Org", Role.ORGANISER).refused(operation, **arguments)
    assert (refused.kind, refused.field) == (kind, field)
    assert sentence in refused.sentence


async def test_wrong_terms_of_a_program_are_refused_in_a_sentence(cup: Asked) -> None:
    organiser = cup.asker("Org", Role.ORGANISER)
    body = {"name": "c", "game": "xeri", "terms": {"format": "knockout"}}
    async with httpx.AsyncClient(headers=organiser.headers, trust_env=False) as client:
        answer = await client.post(f"http://{organiser.server}/api/tournaments", json=body)
    assert answer.status_code == 400
    assert answer.json()["field"] == "terms"
    assert answer.json()["sentence"].startswith("`terms` is wrong: `format` is 'knockout'; choose")
    assert len(await all_of(cup)) == 1


async def test_only_organisers_create_and_change(cup: Asked) -> None:
    ann, organiser = cup.asker("Ann"), cup.asker("Org", Role.ORGANISER)
    refused = await ann.refused(create_tournament, "c", "xeri")
    assert refused.kind is Kind.FORBIDDEN
    refused = await ann.refused(change_tournament, "cup", CANCELLED)
    assert refused.kind is Kind.FORBIDDEN
    changed = await organiser.ask(change_tournament, "cup", CANCELLED)
    assert changed.state is CANCELLED
    assert len((await organiser.ask(read_tournament, "cup")).secret) == 64


async def test_owners_check_in_their_own_bots(arena: Asked) -> None:
    organiser, ann = arena.asker("Org", Role.ORGANISER), arena.asker("Ann")
    starts_at = (now() + timedelta(hours=2)).isoformat()
    created = await organiser.ask(
        create_tournament, "cup", "xeri", starts_at=starts_at, check_in_minutes=600
    )
    assert created.check_in_minutes == 600
    await ann.ask(enter_tournament, "cup", "ann-bot")
    refused = await arena.asker("Bob").refused(check_in, "cup", "ann-bot")
    assert refused.kind is Kind.FORBIDDEN
    assert (await ann.ask(check_in, "cup", "ann-bot")).checked_in
    [entrant] = (await arena.asker().ask(read_tournament, "cup")).entrants
    assert entrant.checked_in


@pytest.mark.parametrize("text", ["2099-07-07T18:00:00", "tomorrow", "2099-07-07", "4000000000"])
async def test_a_start_without_a_zone_is_refused(cup: Asked, text: str) -> None:
    organiser = cup.asker("Org", Role.ORGANISER)
    refused = await organiser.refused(create_tournament, "new", "xeri", starts_at=text)
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "starts_at")
    assert f"`starts_at` is '{text}'; write a time with its zone" in refused.sentence


async def test_a_tournament_that_an_arena_runs_says_so(cup: Asked) -> None:
    organiser = cup.asker("Org", Role.ORGANISER)
    for bot in ("ann-bot", "bob-bot"):
        await organiser.ask(enter_tournament, "cup", bot)
    changed = await organiser.ask(change_tournament, "cup", RUNNING)
    assert (changed.state, changed.running_now) == (RUNNING, True)
    assert await all_of(cup) == (changed,)


async def all_of(arena: Asked) -> Any:
    return (await arena.asker().ask(list_tournaments)).tournaments


async def test_a_misspelt_member_of_a_body_is_named_and_changes_nothing(cup: Asked) -> None:
    organiser = cup.asker("Org", Role.ORGANISER)
    body = {"name": "other", "game": "xeri", "common_deal": False}
    async with httpx.AsyncClient(headers=organiser.headers, trust_env=False) as client:
        answer = await client.post(f"http://{cup.address}/api/tournaments", json=body)
    assert answer.status_code == 400
    assert answer.json() == {
        "kind": "wrong-input",
        "sentence": "There is no member 'common_deal'. Did you mean common_deals?",
        "field": "common_deal",
    }
    assert (await organiser.refused(read_tournament, "other")).field == "tournament"


async def test_a_table_plays_again_with_a_public_reason(arena: Asked) -> None:
    jobs, rng = swiss_round(arena.store, common_deals=False), Random(7)
    for job in jobs:
        assert Recorder(arena.store).record(outcome_of(job, rng)) == Recorded()
    organiser = arena.asker("Org", Role.ORGANISER)
    void = await organiser.ask(replay_table, CUP, 2, "The machine was overloaded.", 2)
    assert void.matches == {CUP: 2}
    found = await organiser.ask(read_tournament, CUP)
    told = "Table 2 plays group 2 again: The machine was overloaded."
    assert found.events[-1].sentence == told
    assert [len(table.groups) for table in found.rounds[0].tables] == [2, 1, 2]
    again = await organiser.refused(replay_table, CUP, 2, "Why not.", 2)
    assert (again.kind, again.field) == (Kind.NOT_FOUND, "group")
