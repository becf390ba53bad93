"""Owners manage the bots that they have submitted."""

from __future__ import annotations

from pathlib import Path

import grpc

from arena.errors import Kind
from arena.league.job_rows import new_job, row_of
from arena.operations.versions import delete_bot, list_versions, retire_version
from arena.queue.job import Entrant
from arena.store.schema import Job, JobState, Ladder, Role, VersionState
from tests.support.served import Served, archive_of

CODES = grpc.StatusCode


async def test_versions_are_listed_by_bot_and_owner(server: Served, bot: Path) -> None:
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    (bot / "note.txt").write_text("better")
    await ann.submits(archive_of(bot))
    reader = server.asker("Rea", Role.READER)
    for wanted, numbers in [
        ({}, [1, 2]),
        ({"bot": "random", "owner": "Ann"}, [1, 2]),
        ({"owner": "Rea"}, []),
        ({"bot": "random", "owner": "Rea"}, []),
    ]:
        listed = (await reader.ask(list_versions, **wanted)).versions
        assert [version.number for version in listed] == numbers


async def test_only_its_owner_and_organisers_change_a_bot(server: Served, bot: Path) -> None:
    await server.person("Ann").submits(archive_of(bot))
    bob = server.asker("Bob")
    for refused in (
        await bob.refused(retire_version, "random", 1),
        await bob.refused(delete_bot, "random"),
    ):
        assert refused.kind is Kind.FORBIDDEN
        assert refused.sentence == "The bot random belongs to Ann, not to you."
    organiser = server.asker("Org", Role.ORGANISER)
    await organiser.ask(retire_version, "random", 1)
    refused = await organiser.refused(retire_version, "random", 2)
    assert refused.sentence == "There is no version 2 of random."
    assert (await organiser.refused(delete_bot, "x")).kind is Kind.NOT_FOUND


async def test_a_deleted_bot_has_no_files_and_its_name_is_nobodys(
    server: Served, bot: Path
) -> None:
    submitter, ann = server.person("Ann"), server.asker("Ann")
    digest = (await submitter.submits(archive_of(bot))).version.version
    with server.store.writing() as session:
        ladder = session.get_one(Ladder, "main")
        job = row_of(new_job(ladder, [Entrant(bot="random", version=digest)] * 2))
        session.add(job)
    refused = await ann.refused(delete_bot, "random")
    assert refused.kind is Kind.NOT_NOW
    assert "random is retired, but some of its matches are still queued" in refused.sentence
    assert server.kept() == [digest]
    with server.store.writing() as session:
        session.get_one(Job, job.id).state = JobState.PARKED
    assert (await ann.ask(delete_bot, "random")).versions == 1
    assert (await ann.refused(delete_bot, "random")).kind is Kind.NOT_FOUND
    assert server.kept() == []
    [version] = (await ann.ask(list_versions)).versions
    assert (version.state, version.owner) == (VersionState.RETIRED, "(deleted)")
    # Nobody can reuse its name, not even its former owner.
    for person in (submitter, server.person("Bob")):
        again = await person.submits_in_vain(archive_of(bot))
        assert again.code is CODES.ALREADY_EXISTS
        assert again.sentence == "The bot random was deleted: choose another name."
