"""Who may read what of a match."""

from __future__ import annotations

from datetime import UTC, datetime

import grpc
import pytest
from served import Served

from arena.records.private import Note, PrivateLog, SeatLog
from arena.store import tables
from arena.store.tables import Job, Match, MatchSeat, Record, Role
from arena.store.texts import packed
from arena.store.versions import add_version
from sevens.league.v1 import match_pb2, version_pb2

CODES = grpc.StatusCode
BOTS = {"ann-bot": "Ann", "bob-bot": "Bob"}
MATCH = "m-7"
AT = datetime(2026, 7, 7, tzinfo=UTC)


@pytest.fixture
def server_with_match(server: Served) -> Served:
    """Ann's bot plays Bob's, and crashes."""
    with server.store.writing() as session:
        for bot, owner in BOTS.items():
            add_version(session, bot=bot, owner=owner, version=bot.ljust(64, "0"), manifest={})
        session.add(Job(id="job", ladder="main", body="", token_hash=""))
        session.flush()
        session.add(
            Match(
                id=MATCH,
                job="job",
                number=1,
                attempt=1,
                ladder="main",
                game="xeri",
                rules_version=1,
                reason="played-out",
                rated=True,
                digest="d" * 64,
                started_at=AT,
                finished_at=AT,
                seats=[_seat(seat, bot) for seat, bot in enumerate(BOTS)],
            )
        )
        session.flush()
        session.add(Record(match=MATCH, digest="d" * 64, body=packed("{}")))
        logs = [
            SeatLog(bot=bot, notes=[Note(decision=3, text="why")], stderr=f"words of {bot}")
            for bot in BOTS
        ]
        log = PrivateLog(match_id=MATCH, seats=logs).to_json()
        session.add(tables.PrivateLog(match=MATCH, body=packed(log)))
    return server


def _seat(seat: int, bot: str) -> MatchSeat:
    fault = ("crashed", 3, "It ended.") if seat == 0 else (None, None, None)
    names = ("fault_kind", "fault_decision", "fault_sentence")
    return MatchSeat(
        seat=seat,
        version=bot.ljust(64, "0"),
        bot=bot,
        team=seat,
        **{"score": 1, "rank": 1} | dict(zip(names, fault, strict=True)),
    )


async def test_everybody_reads_the_record_and_each_owner_his_own_private_log(
    server_with_match: Served,
) -> None:
    request = match_pb2.ReadMatchRequest(match="m-")
    for owner, role, seen, own in [
        ("Ann", Role.OWNER, [0], [0]),
        ("Bob", Role.OWNER, [1], [1]),
        ("Ann", Role.READER, [0], [0]),
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
        session.delete(session.get_one(tables.PrivateLog, MATCH))
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
    with server_with_match.store.writing() as session:
        session.get_one(Job, "job").state = tables.JobState.RECORDED
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
