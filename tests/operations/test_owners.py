"""Banned owners: their bots leave everything, their tokens end, until they are readmitted."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from arena.errors import Kind
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.recorder import Recorder
from arena.league.tournament import change_state, enter_tournament
from arena.operations.competitions.ladders import read_ladder
from arena.operations.competitions.tournaments import read_tournament
from arena.operations.owners import (
    ban_owner,
    delete_owner,
    hand_over_bot,
    list_bans,
    read_owner,
    readmit_owner,
    rename_owner,
)
from arena.operations.tokens import create_token, list_tokens
from arena.operations.versions import delete_bot, list_versions, retire_version
from arena.queue.signing_key import made_key
from arena.records.private_log import PrivateLog
from arena.store import tokens
from arena.store.queries import ladder_named
from arena.store.remote_bots import add_remote_version, check_remote, remote_with_token, renew_token
from arena.store.schema import (
    NOBODY,
    Bot,
    CompetitionState,
    EntryState,
    Role,
    Version,
    VersionState,
)
from arena.store.texts import private_log_text
from arena.store.versions import known_version
from arena.tournament import TournamentTerms
from tests.support.asked import Asked, Asker
from tests.support.failing import failing
from tests.support.new_tournament import new_tournament
from tests.support.stored_matches import MATCH, digest_of
from tests.support.visitor import Answer, Visitor

WHY = "Two names, one contestant."


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


async def test_a_banned_owner_leaves_everything_and_is_told_why(
    arena: Asked, organiser: Asker
) -> None:
    ann = arena.asker("Ann")
    with arena.store.writing() as session:
        cup = new_tournament(session, "cup", terms=TournamentTerms(format="swiss"))
        for bot in ("ann-bot", "bob-bot"):
            enter_tournament(session, cup, session.get_one(Version, digest_of(bot)))
        change_state(session, cup, CompetitionState.RUNNING)
        add_remote_version(session, "ann-remote", "Ann")
        remote = renew_token(session, "ann-remote")
    banned = await organiser.ask(ban_owner, "ann", WHY)
    assert (banned.ban.owner, banned.ban.reason) == ("Ann", WHY)
    assert (banned.versions, banned.tokens) == (2, 1)
    versions = (await organiser.ask(list_versions, owner="Ann")).versions
    assert {one.state for one in versions} == {VersionState.RETIRED}
    assert {entry.state for one in versions for entry in one.ladders} == {EntryState.WITHDRAWN}
    assert (await organiser.ask(read_ladder, "main")).entrants == 1
    entrants = (await organiser.ask(read_tournament, "cup")).entrants
    assert [one.reason for one in entrants] == [f"Its owner is banned: {WHY}", ""]
    refused = await ann.refused(list_versions, "ann-bot")
    assert (refused.kind, refused.sentence) == (Kind.FORBIDDEN, f"Ann is banned: {WHY}")
    refused = await organiser.refused(create_token, "ANN", Role.OWNER)
    assert refused.sentence == f"Ann is banned: {WHY}"
    with arena.store.reading() as session:
        taken = {"bot": "ann-bot", "owner": "Ann", "version": digest_of("ann-bot")}
        with failing(Kind.FORBIDDEN, WHY):
            known_version(session, **taken)
        with failing(Kind.FORBIDDEN, WHY):
            check_remote(session, "ann-remote", "Ann")
        assert remote_with_token(session, remote) is None


async def test_who_is_readmitted_has_the_name_again_but_neither_tokens_nor_places(
    arena: Asked, organiser: Asker
) -> None:
    ann = arena.asker("Ann")
    await organiser.ask(ban_owner, "Ann", WHY)
    assert [one.owner for one in (await organiser.ask(list_bans)).bans] == ["Ann"]
    assert (await organiser.ask(read_owner, "Ann")).banned == WHY
    assert (await organiser.ask(readmit_owner, "ANN")).owner == "Ann"
    assert (await organiser.ask(list_bans)).bans == ()
    assert (await organiser.ask(read_owner, "Ann")).banned is None
    assert "was revoked" in (await ann.refused(list_versions)).sentence
    assert [one.revoked_at is None for one in (await organiser.ask(list_tokens)).tokens] == [
        True,
        False,
    ]
    [version] = (await organiser.ask(list_versions, owner="Ann")).versions
    assert version.state is VersionState.RETIRED
    created = await organiser.ask(create_token, "Ann", Role.OWNER)
    again = Asker(arena.address, {"authorization": f"Bearer {created.text}"})
    assert (await again.ask(list_versions, "ann-bot")).versions == (version,)


async def test_a_deleted_owner_leaves_matches_and_nothing_else(
    arena: Asked, organiser: Asker
) -> None:
    ann = arena.asker("Ann")
    files = arena.data.version(digest_of("ann-bot"))
    files.mkdir(parents=True)
    with arena.store.writing() as session:
        cup = new_tournament(session, "cup", terms=TournamentTerms(format="swiss"))
        for bot in ("ann-bot", "bob-bot"):
            enter_tournament(session, cup, session.get_one(Version, digest_of(bot)))
        change_state(session, cup, CompetitionState.RUNNING)
        [job] = LadderJobs(session, ladder_named(session, "main"), Random(1)).make(session, 1)
    refused = await organiser.refused(delete_owner, "ann")
    assert (refused.kind, refused.field) == (Kind.NOT_NOW, "bot")
    assert "ann-bot is retired, but some of its matches" in refused.sentence
    assert files.exists()
    assert "was revoked" in (await ann.refused(list_versions)).sentence  # that is over at once
    Recorder(arena.store).park(job.job_id, "Given up.")
    deleted = await organiser.ask(delete_owner, "ann")
    assert (deleted.owner, deleted.bots, deleted.tokens) == ("Ann", 1, 1)
    assert not files.exists()
    assert [one.owner for one in (await organiser.ask(list_tokens)).tokens] == ["Org"]
    with arena.store.reading() as session:
        assert session.get_one(Bot, "ann-bot").owner == NOBODY
        log = PrivateLog.from_json(private_log_text(session, MATCH))
        assert [seat.stderr for seat in log.seats] == ["", "words of bob-bot"]
    entrants = (await organiser.ask(read_tournament, "cup")).entrants
    assert (entrants[0].bot, entrants[0].reason) == ("ann-bot", "Its owner has left the arena.")
    assert (await organiser.refused(delete_owner, "Ann")).kind is Kind.NOT_FOUND
    themselves = await organiser.refused(delete_owner, "org")
    assert (themselves.kind, themselves.field) == (Kind.FORBIDDEN, "owner")


async def test_bans_that_make_no_sense_are_refused(arena: Asked, organiser: Asker) -> None:
    themselves = await organiser.refused(ban_owner, "org", WHY)
    assert (themselves.kind, themselves.field) == (Kind.FORBIDDEN, "owner")
    assert "cannot ban yourself" in themselves.sentence
    unknown = await organiser.refused(ban_owner, "Anne", WHY)
    assert (unknown.kind, "Ann" in unknown.sentence) == (Kind.NOT_FOUND, True)
    free = await organiser.refused(readmit_owner, "Ann")
    assert (free.kind, free.sentence) == (Kind.NOT_NOW, "Ann is not banned.")
    await organiser.ask(ban_owner, "Ann", WHY)
    twice = await organiser.refused(ban_owner, "Ann", "Again.")
    assert twice.sentence == f"Ann is banned already: {WHY}"


async def test_the_pages_ban_and_tell_why(arena: Asked) -> None:
    made_key(arena.data.pages_key)
    with arena.store.writing() as session:
        ann = tokens.create_token(session, "Ann", Role.OWNER)[1]
        org = tokens.create_token(session, "Org", Role.ORGANISER)[1]

    def visited() -> list[Answer]:
        origin = f"http://{arena.address}"
        organiser, owner = Visitor(origin).log_in(org), Visitor(origin).log_in(ann)
        return [
            organiser.get("/owners/Ann"),
            organiser.get("/owners/Org"),
            organiser.get("/do/ban_owner?owner=Ann"),
            owner.post("/do/ban_owner", {"owner": "Bob", "reason": WHY}),
            organiser.post("/do/ban_owner", {"owner": "Ann", "reason": WHY}),
            Visitor(origin).get("/owners/Ann"),
            owner.get("/own"),
            Visitor(origin).post("/login", {"token": ann}),
            organiser.post("/do/readmit_owner", {"owner": "Ann"}),
            owner.post("/do/delete_owner", {"owner": "Bob"}),
            organiser.post("/do/delete_owner", {"owner": "Ann"}),
        ]

    (
        theirs,
        own,
        form,
        refused,
        banned,
        page,
        told,
        login,
        back,
        not_theirs,
        gone,
    ) = await asyncio.to_thread(visited)
    assert 'href="/do/ban_owner?owner=Ann"' in theirs.text
    assert "/do/ban_owner" not in own.text
    assert "Ban Ann?" in form.text
    assert refused.status == 403
    assert (banned.status, banned.location) == (303, "/owners/Ann")
    assert f"Banned: {WHY}" in page.text
    for answer in (told, login):
        assert (answer.status, f"Ann is banned: {WHY}" in answer.text) == (403, True)
    assert back.status == 303
    assert not_theirs.status == 401  # their token ended with the ban
    assert (gone.status, gone.location) == (303, "/organiser")
    assert (await arena.asker().refused(read_owner, "Ann")).kind is Kind.NOT_FOUND


async def test_an_owner_is_renamed_with_bots_and_tokens(arena: Asked, organiser: Asker) -> None:
    ann = arena.asker("Ann")
    renamed = await organiser.ask(rename_owner, "ann", "Ann Lee")
    assert (renamed.owner, [one.bot for one in renamed.bots]) == ("Ann Lee", ["ann-bot"])
    await ann.ask(retire_version, "ann-bot", 1)
    assert (await organiser.refused(read_owner, "Ann")).kind is Kind.NOT_FOUND
    assert (await organiser.ask(rename_owner, "Ann Lee", "ANN LEE")).owner == "ANN LEE"
    taken = await organiser.refused(rename_owner, "Ann Lee", "bob")
    assert (taken.kind, taken.sentence) == (Kind.TAKEN, "There is an owner Bob already.")
    wrong = await organiser.refused(rename_owner, "Ann Lee", "-")
    assert wrong.kind is Kind.WRONG_INPUT
    await organiser.ask(ban_owner, "Bob", WHY)
    assert (await organiser.refused(rename_owner, "Bob", "Rob")).sentence == f"Bob is banned: {WHY}"


async def test_a_bot_is_handed_over(arena: Asked, organiser: Asker) -> None:
    ann, bob = arena.asker("Ann"), arena.asker("Bob")
    with arena.store.writing() as session:
        add_remote_version(session, "ann-remote", "Ann")
        remote = renew_token(session, "ann-remote")
    for bot in ("ann-bot", "ann-remote"):
        given = await organiser.ask(hand_over_bot, bot, "bob")
    assert (given.owner, [one.bot for one in given.bots]) == (
        "Bob",
        ["ann-bot", "ann-remote", "bob-bot"],
    )
    with arena.store.reading() as session:
        assert remote_with_token(session, remote) is None
    assert (await ann.refused(retire_version, "ann-bot", 1)).kind is Kind.FORBIDDEN
    await bob.ask(retire_version, "ann-bot", 1)
    assert (await organiser.refused(hand_over_bot, "ann-bot", "Nobody")).kind is Kind.NOT_FOUND
    assert (await organiser.refused(hand_over_bot, "no-bot", "Bob")).kind is Kind.NOT_FOUND
    await organiser.ask(ban_owner, "Ann", WHY)
    assert (await organiser.refused(hand_over_bot, "ann-bot", "Ann")).kind is Kind.FORBIDDEN
    await organiser.ask(delete_bot, "ann-bot")
    deleted = await organiser.refused(hand_over_bot, "ann-bot", "Bob")
    assert deleted.sentence == "The bot ann-bot was deleted."
