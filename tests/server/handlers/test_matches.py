"""Readers' permissions for the parts of a match."""

from __future__ import annotations

import grpc

from arena.store import schema
from arena.store.schema import Role
from sevens.league.v1 import match_pb2, version_pb2
from tests.support.served import Served
from tests.support.stored_matches import BOTS, MATCH

CODES = grpc.StatusCode


async def test_everybody_reads_the_record_and_each_owner_their_own_private_log(
    server_with_match: Served,
) -> None:
    request = match_pb2.ReadMatchRequest(match="m-")
    for owner, role, seen, own in [
        ("Ann", Role.OWNER, [0], [0]),
        ("Bob", Role.OWNER, [1], [1]),
        ("Ann", Role.READER, [], [0]),
        ("Eve", Role.OWNER, [], []),
        ("Eve", Role.ORGANISER, [0, 1], []),
        ("Bob", Role.ORGANISER, [0, 1], [1]),
    ]:
        answer = await server_with_match.person(owner, role).call("ReadMatch", request)
        assert (answer.record, answer.digest) == ("{}", "d" * 64)
        assert [log.seat for log in answer.logs] == seen
        assert list(answer.own_seats) == own
        for log in answer.logs:
            assert log.stderr == f"words of {list(BOTS)[log.seat]}"
            assert (log.notes[0].decision, log.notes[0].text) == (3, "why")
            assert not log.HasField("start_ms")
    eve = server_with_match.person("Eve")
    refused = await eve.refused("ReadMatch", match_pb2.ReadMatchRequest(match="x"))
    assert refused.code is CODES.NOT_FOUND


async def test_what_was_pruned_is_left_out(server_with_match: Served) -> None:
    with server_with_match.store.writing() as session:
        session.delete(session.get_one(schema.PrivateLog, MATCH))
    request = match_pb2.ReadMatchRequest(match=MATCH)
    answer = await server_with_match.person("Ann").call("ReadMatch", request)
    assert (list(answer.logs), list(answer.own_seats)) == ([], [0])


async def test_faults_are_listed(server_with_match: Served) -> None:
    reader = server_with_match.person("Rea", Role.READER)
    for request, count in [
        (match_pb2.ListFaultsRequest(), 1),
        (match_pb2.ListFaultsRequest(owner="Ann", bot="ann-bot", ladder="main", limit=9), 1),
        (match_pb2.ListFaultsRequest(owner="Bob"), 0),
    ]:
        found = (await reader.call("ListFaults", request)).faults
        assert [(f.match, f.bot, f.kind, f.decision) for f in found] == [
            (MATCH, "ann-bot", "crashed", 3)
        ] * count


async def test_of_a_deleted_bot_no_private_log_is_left(server_with_match: Served) -> None:
    ann = server_with_match.person("Ann")
    deleted = await ann.call("DeleteBot", version_pb2.DeleteBotRequest(bot="ann-bot"))
    assert deleted.versions == 1
    request = match_pb2.ReadMatchRequest(match=MATCH)
    organiser = server_with_match.person("Org", Role.ORGANISER)
    first, second = (await organiser.call("ReadMatch", request)).logs
    assert (first.stderr, list(first.notes)) == ("", [])
    assert second.stderr == "words of bob-bot"
    listed = await organiser.call("ListVersions", version_pb2.ListVersionsRequest(bot="ann-bot"))
    assert [version.owner for version in listed.versions] == ["(deleted)"]
