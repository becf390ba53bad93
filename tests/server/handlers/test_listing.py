"""Ladders, their bots and their matches, as a server lists them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.league import LeagueComparisons, LeagueTables, LeagueTournaments, explain_rating
from arena.server.auth import LOCAL_CALLER
from arena.server.handlers.call import Call, League
from arena.server.handlers.ladders import read_ladder
from arena.server.handlers.paging import page_size
from arena.store.faults import suspend
from arena.store.queries import Placing, RatedEntry
from arena.store.schema import CompetitionState, Entry, Ladder, MatchSeat, Rating, Role
from sevens.league.v1 import ladder_pb2, match_pb2
from sevens.league.v1.ladder_pb2 import (
    ExplainRatingRequest,
    ListLaddersRequest,
    ReadHistoryRequest,
    ReadLadderRequest,
)
from sevens.league.v1.match_pb2 import ListFaultsRequest, ListMatchesRequest
from sevens.league.v1.version_pb2 import ListVersionsRequest
from tests.support.served import Served
from tests.support.stored_matches import AT, MATCH, WORDS, add_match, digest_of

ANN, BOB = digest_of("ann-bot"), digest_of("bob-bot")


async def test_ladders_are_listed_by_name_in_pages(server_with_match: Served) -> None:
    reader = server_with_match.person("Rea", Role.READER)
    whole = await reader.call("ListLadders", ListLaddersRequest())
    assert ([ladder.name for ladder in whole.ladders], whole.next) == (["main", "other"], "")
    first = await reader.call("ListLadders", ListLaddersRequest(limit=1))
    assert (list(first.ladders), first.next) == ([whole.ladders[0]], "main")
    second = await reader.call("ListLadders", ListLaddersRequest(limit=1, after=first.next))
    assert (list(second.ladders), second.next) == ([whole.ladders[1]], "")


async def test_a_ladder_tells_its_terms_and_whether_it_is_run_now(
    server_with_match: Served,
) -> None:
    reader = server_with_match.person("Rea", Role.READER)
    found = await reader.call("ReadLadder", ReadLadderRequest(ladder="main"))
    assert found.ladder == ladder_pb2.Ladder(
        name="main",
        game="xeri",
        rules_version=1,
        options={"deals": "1"},
        seats=2,
        format=ladder_pb2.LADDER_FORMAT_SINGLE,
        partners=ladder_pb2.LADDER_PARTNERS_ANY,
        bank_ms=60_000,
        increment_ms=200,
        draw_probability=0.05,
        fault_quota=5,
        state=ladder_pb2.LADDER_STATE_RUNNING,
        running_now=True,
        matches=1,
    )
    assert (found.jobs, found.obstacle) == (ladder_pb2.JobCounts(recorded=1), "")
    with server_with_match.store.writing() as session:
        session.get_one(Ladder, "main").state = CompetitionState.PAUSED
    found = await reader.call("ReadLadder", ReadLadderRequest(ladder="main"))
    assert found.ladder.state == ladder_pb2.LADDER_STATE_PAUSED
    assert (found.ladder.running_now, found.obstacle) == (False, "The ladder main is paused.")
    other = await reader.call("ReadLadder", ReadLadderRequest(ladder="other"))
    assert "has 0 bots that can play, and needs 2" in other.obstacle
    assert (other.ladder.running_now, list(other.standings)) == (False, [])


async def test_versions_stand_with_their_ratings_and_why_they_are_suspended(
    server_with_match: Served,
) -> None:
    with server_with_match.store.writing() as session:
        rating = session.get_one(Rating, ("main", BOB))
        rating.mu, rating.sigma, rating.matches = 30.0, 2.0, 7
        suspend(session.get_one(Entry, ("main", ANN)), MATCH)
    reader = server_with_match.person("Rea", Role.READER)
    first = await reader.call("ReadLadder", ReadLadderRequest(ladder="main", limit=1))
    assert list(first.standings) == [
        ladder_pb2.Standing(
            place=1,
            bot="bob-bot",
            number=1,
            version=BOB,
            owner="Bob",
            mu=30.0,
            sigma=2.0,
            rating=24.0,
            matches=7,
            state=ladder_pb2.STANDING_STATE_ACTIVE,
        )
    ]
    assert first.next == 1
    second = await reader.call("ReadLadder", ReadLadderRequest(ladder="main", limit=1, after=1))
    [standing] = second.standings
    assert (standing.place, standing.bot, second.next) == (2, "ann-bot", 0)
    assert standing.state == ladder_pb2.STANDING_STATE_SUSPENDED
    fault = standing.suspended_for
    assert (fault.match, fault.kind, fault.decision) == (MATCH, "crashed", 3)
    beyond = await reader.call("ReadLadder", ReadLadderRequest(ladder="main", after=2**32 - 1))
    assert (list(beyond.standings), beyond.next) == ([], 0)


async def test_matches_are_listed_in_pages_by_ladder_and_bot(server_with_match: Served) -> None:
    with server_with_match.store.writing() as session:
        add_match(session, "m-8", "main", minute=1)
        add_match(session, "m-9", "other", minute=2)
    reader = server_with_match.person("Rea", Role.READER)

    async def listed(**wanted: Any) -> tuple[list[str], str]:
        page = await reader.call("ListMatches", ListMatchesRequest(**wanted))
        return [match.match for match in page.matches], page.next

    assert await listed() == (["m-9", "m-8", "m-7"], "")
    assert await listed(ladder="main", bot="ann-bot") == (["m-8", "m-7"], "")
    assert await listed(limit=2) == (["m-9", "m-8"], "m-8")
    assert await listed(limit=2, after="m-8") == (["m-7"], "")
    page = await reader.call("ListMatches", ListMatchesRequest(after="m-8"))
    fault = match_pb2.SeatFault(kind="crashed", decision=3, sentence="It ended.")
    expected = match_pb2.Match(
        match=MATCH,
        job="job of m-7",
        attempt=1,
        ladder="main",
        game="xeri",
        seats=[
            match_pb2.MatchSeat(
                seat=0, bot="ann-bot", version=ANN, team=0, score=1, rank=2, faults=[fault]
            ),
            match_pb2.MatchSeat(seat=1, bot="bob-bot", version=BOB, team=1, score=-1, rank=1),
        ],
        reason="played-out",
    )
    expected.finished_at.FromDatetime(AT)
    assert list(page.matches) == [expected]


async def test_matches_are_chosen_by_all_that_the_pages_know(server_with_match: Served) -> None:
    with server_with_match.store.writing() as session:
        add_match(session, "m-8", "main", minute=1)
        add_match(session, "m-9", "other", minute=2)
        # Ann loses them by 9 and wins them by 4 points, and thinks long in the second.
        for match, margin, slowest_ms in (("m-8", -9, 10), ("m-9", 4, 7_000)):
            seat = session.get_one(MatchSeat, (match, 0))
            seat.margin, seat.slowest_ms = margin, slowest_ms
    reader = server_with_match.person("Rea", Role.READER)

    async def listed(**wanted: Any) -> list[str]:
        page = await reader.call("ListMatches", ListMatchesRequest(**wanted))
        return [match.match for match in page.matches]

    later = Timestamp()
    later.FromDatetime(AT + timedelta(minutes=1))
    assert await listed(since=later) == ["m-9", "m-8"]
    assert await listed(until=later) == ["m-7"]
    assert await listed(game="xeri") == ["m-9", "m-8", "m-7"]
    assert await listed(game="oh-seven") == []
    assert await listed(seats=2) == ["m-9", "m-8", "m-7"]
    assert await listed(seats=4) == []
    assert await listed(bot="ann-bot", seat=1) == []
    assert await listed(bot="bob-bot@1", seat=1) == ["m-9", "m-8", "m-7"]
    assert set(await listed(fault="crashed")) >= {"m-7"}
    assert await listed(fault="timeout") == []
    assert await listed(bot="ann-bot", slowest_ms=6_000) == ["m-9"]
    worst = await listed(bot="ann-bot", order=match_pb2.MATCH_ORDER_WORST)
    best = await listed(bot="ann-bot", order=match_pb2.MATCH_ORDER_BEST)
    assert (worst[0], best[0]) == ("m-8", "m-9")
    assert worst == best[::-1]


@pytest.mark.parametrize(
    ("request_", "field", "words"),
    [
        (ListMatchesRequest(fault="lost"), "fault", "fault is one of any, "),
        (ListMatchesRequest(bot="ann-bot@zero"), "bot", "bot takes a whole number from 1"),
        (ListMatchesRequest(bot="ann-bot", order=9), "order", "is one of latest, worst, best"),  # type: ignore[arg-type]
        (ListMatchesRequest(seats=4 * 10**9), "seats", "seats takes a whole number"),
        (ListMatchesRequest(slowest_ms=4 * 10**9), "slowest_ms", "takes a whole number"),
        (ListMatchesRequest(since=Timestamp(seconds=10**18)), "since", "since is not a moment"),
        (
            ListMatchesRequest(since=Timestamp(seconds=9), until=Timestamp(seconds=9)),
            "until",
            "later",
        ),
    ],
)
async def test_filters_that_cannot_be_are_refused(
    server_with_match: Served, request_: ListMatchesRequest, field: str, words: str
) -> None:
    refused = await server_with_match.person("Ann").refused("ListMatches", request_)
    assert (refused.code, refused.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)
    assert words in refused.sentence


@pytest.mark.parametrize(
    ("name", "request_", "field", "words"),
    [
        ("ReadLadder", ReadLadderRequest(ladder="mine"), "ladder", "Did you mean main?"),
        ("ReadLadder", ReadLadderRequest(), "ladder", "There is no ladder ''"),
        ("ListMatches", ListMatchesRequest(ladder="mine"), "ladder", "There is no ladder 'mine'"),
        ("ListMatches", ListMatchesRequest(bot="ann"), "bot", "Did you mean ann-bot?"),
        ("ListMatches", ListMatchesRequest(game="xery"), "game", "Did you mean xeri?"),
        ("ListMatches", ListMatchesRequest(after="x"), "after", "No match begins with 'x'"),
        (
            "ListMatches",
            ListMatchesRequest(bot="ann-bot", against="bob"),
            "against",
            "There is no bot 'bob'. Did you mean bob-bot?",
        ),
        ("ListFaults", ListFaultsRequest(bot="ann"), "bot", "Did you mean ann-bot?"),
        ("ListFaults", ListFaultsRequest(owner="Anne"), "owner", "Did you mean Ann?"),
        ("ListFaults", ListFaultsRequest(ladder="mine"), "ladder", "Did you mean main?"),
        ("ListVersions", ListVersionsRequest(bot="ann"), "bot", "Did you mean ann-bot?"),
        ("ListVersions", ListVersionsRequest(owner="Anne"), "owner", "no owner 'Anne'"),
        (
            "ReadHistory",
            ReadHistoryRequest(ladder="main", bot="ann"),
            "bot",
            "Did you mean ann-bot?",
        ),
        ("ReadHistory", ReadHistoryRequest(bot="ann-bot"), "ladder", "There is no ladder ''"),
        ("ReadHistory", ReadHistoryRequest(ladder="main"), "bot", "There is no bot ''"),
        (
            "ReadHistory",
            ReadHistoryRequest(ladder="other", bot="ann-bot"),
            "bot",
            "The bot ann-bot has never been on the ladder other.",
        ),
        (
            "ExplainRating",
            ExplainRatingRequest(ladder="main", bot="ann"),
            "bot",
            "Did you mean ann-bot?",
        ),
        ("ExplainRating", ExplainRatingRequest(bot="ann-bot"), "ladder", "There is no ladder ''"),
        (
            "ExplainRating",
            ExplainRatingRequest(ladder="other", bot="ann-bot"),
            "bot",
            "The bot ann-bot has never been on the ladder other.",
        ),
        (
            "ExplainRating",
            ExplainRatingRequest(ladder="main", bot="ann-bot", number=7),
            "bot",
            "The bot ann-bot has no version 7 on the ladder main, but 1.",
        ),
    ],
)
async def test_missing_things_are_reported(
    server_with_match: Served, name: str, request_: object, field: str, words: str
) -> None:
    refused = await server_with_match.person("Ann").refused(name, request_)
    assert (refused.code, refused.field) == (grpc.StatusCode.NOT_FOUND, field)
    assert words in refused.sentence


@pytest.mark.parametrize(
    "request_",
    [
        ListMatchesRequest(against="bob-bot"),
        ListMatchesRequest(result=match_pb2.MATCH_RESULT_LOST),
        ListMatchesRequest(seat=0),
        ListMatchesRequest(order=match_pb2.MATCH_ORDER_WORST),
    ],
    ids=str,
)
async def test_opponents_and_results_are_those_of_a_bot(
    server_with_match: Served, request_: ListMatchesRequest
) -> None:
    refused = await server_with_match.person("Ann").refused("ListMatches", request_)
    assert (refused.code, refused.field) == (grpc.StatusCode.INVALID_ARGUMENT, "bot")


async def test_an_owner_without_bots_is_known_by_their_token(server_with_match: Served) -> None:
    cat = server_with_match.person("Cat")
    assert list((await cat.call("ListVersions", ListVersionsRequest(owner="Cat"))).versions) == []
    assert list((await cat.call("ListFaults", ListFaultsRequest(owner="Cat"))).faults) == []


@pytest.mark.parametrize(
    ("asked", "given"), [(0, 50), (1, 1), (1000, 1000), (1001, 1000), (2**32 - 1, 1000)]
)
def test_no_page_has_more_than_a_thousand(asked: int, given: int) -> None:
    assert page_size(asked) == given


def test_pages_of_standings_follow_each_other_without_gaps(server_with_match: Served) -> None:
    entry = RatedEntry("bob-bot", 1, BOB, "Bob", 25.0, 8.0, 0, 0, "active")
    many = [Placing(1, 1.0, replace(entry, number=number)) for number in range(1, 2502)]
    league = League(
        lambda *_: many,
        lambda *_: None,
        explain_rating,
        lambda name: True,
        LeagueTournaments(),
        LeagueComparisons(),
        LeagueTables(),
    )
    call = Call(LOCAL_CALLER, server_with_match.store, server_with_match.data, league)
    numbers: list[int] = []
    after, lengths = 0, []
    while not lengths or after:
        request = ReadLadderRequest(ladder="main", limit=5000, after=after)
        found = read_ladder(call, request)
        numbers += [standing.number for standing in found.standings]
        lengths.append(len(found.standings))
        after = found.next
    assert lengths == [1000, 1000, 501]
    assert numbers == list(range(1, 2502))


async def test_the_words_of_a_bot_at_fault_are_for_its_owner_and_organisers(
    server_with_match: Served,
) -> None:
    async def words(owner: str, role: Role) -> tuple[str, str]:
        caller = server_with_match.person(owner, role)
        [fault] = (await caller.call("ListFaults", ListFaultsRequest())).faults
        ladder = await caller.call("ReadLadder", ReadLadderRequest(ladder="main"))
        [suspended] = [s.suspended_for for s in ladder.standings if s.HasField("suspended_for")]
        assert (fault.sentence, suspended.sentence) == ("It ended.", "It ended.")
        return fault.words, suspended.words

    with server_with_match.store.writing() as session:
        suspend(session.get_one(Entry, ("main", ANN)), MATCH)
    assert await words("Ann", Role.OWNER) == (WORDS, WORDS)
    assert await words("Orla", Role.ORGANISER) == (WORDS, WORDS)
    assert await words("Bob", Role.OWNER) == ("", "")
    assert await words("Rea", Role.READER) == ("", "")
