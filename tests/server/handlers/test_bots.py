"""Owners manage their bots."""

from __future__ import annotations

from pathlib import Path

import grpc

from arena.league.jobs import new_job, row_of
from arena.queue.job import Entrant
from arena.store.schema import Job, JobState, Ladder, Role
from sevens.league.v1 import version_pb2
from tests.support.served import Served, archive_of

CODES = grpc.StatusCode
LIST = version_pb2.ListVersionsRequest
RETIRE = version_pb2.RetireVersionRequest
DELETE = version_pb2.DeleteBotRequest


async def test_versions_are_listed_by_bot_and_owner(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    (bot / "note.txt").write_text("better")
    await ann.submits(archive_of(bot))
    reader = server.person("Rea", Role.READER)
    for request, numbers in [
        (LIST(), [1, 2]),
        (LIST(bot="random", owner="Ann"), [1, 2]),
        (LIST(owner="Rea"), []),
        (LIST(bot="random", owner="Rea"), []),
    ]:
        listed = (await reader.call("ListVersions", request)).versions
        assert [version.number for version in listed] == numbers


async def test_only_its_owner_and_organisers_change_a_bot(server: Served, bot: Path) -> None:
    await server.person("Ann").submits(archive_of(bot))
    bob = server.person("Bob")
    for name, request in [
        ("RetireVersion", RETIRE(bot="random")),
        ("DeleteBot", DELETE(bot="random")),
    ]:
        refused = await bob.refused(name, request)
        assert refused.code is CODES.PERMISSION_DENIED
        assert refused.sentence == "The bot random belongs to Ann, not to you."
    organiser = server.person("Org", Role.ORGANISER)
    await organiser.call("RetireVersion", RETIRE(bot="random", number=1))
    refused = await organiser.refused("RetireVersion", RETIRE(bot="random", number=2))
    assert refused.sentence == "There is no version 2 of random."
    assert (await organiser.refused("DeleteBot", DELETE(bot="x"))).code is CODES.NOT_FOUND


async def test_a_deleted_bot_has_no_files_and_its_name_is_nobodys(
    server: Served, bot: Path
) -> None:
    ann = server.person("Ann")
    digest = (await ann.submits(archive_of(bot))).version.digest
    with server.store.writing() as session:
        ladder = session.get_one(Ladder, "main")
        job = row_of(new_job(ladder, [Entrant(bot="random", version=digest)] * 2))
        session.add(job)
    refused = await ann.refused("DeleteBot", DELETE(bot="random"))
    assert refused.code is CODES.FAILED_PRECONDITION
    assert "random is retired, but some of its matches are still queued" in refused.sentence
    assert server.kept() == [digest]
    with server.store.writing() as session:
        session.get_one(Job, job.id).state = JobState.PARKED
    assert (await ann.call("DeleteBot", DELETE(bot="random"))).versions == 1
    assert (await ann.refused("DeleteBot", DELETE(bot="random"))).code is CODES.NOT_FOUND
    assert server.kept() == []
    [version] = (await ann.call("ListVersions", LIST())).versions
    assert (version.state, version.owner) == (version_pb2.VERSION_STATE_RETIRED, "(deleted)")
    # Nobody can reuse its name, not even its former owner.
    for person in (ann, server.person("Bob")):
        refused = await person.submits_in_vain(archive_of(bot))
        assert refused.code is CODES.ALREADY_EXISTS
        assert refused.sentence == "The bot random was deleted: choose another name."
