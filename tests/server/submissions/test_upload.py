"""Senders that are slow, greedy, or break the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.bots.source import PACKED_LIMIT_BYTES
from arena.server.limits import SERVER_LIMITS
from sevens.league.v1.submission_pb2 import SubmitHead, SubmitRequest, SubmitResponse
from tests.support.patience import PATIENCE_S
from tests.support.seats import until
from tests.support.served import Person, Serve, Served, archive_of, head

CODES = grpc.StatusCode
CHUNK = SubmitRequest(chunk=b"7" * 10)


async def parts(*requests: SubmitRequest, then_s: float = 0) -> AsyncIterator[SubmitRequest]:
    for request in requests:
        yield request
    await asyncio.sleep(then_s)


def large(size: int) -> SubmitRequest:
    return SubmitRequest(head=SubmitHead(ladder="main", archive_bytes=size))


WRONG = {
    "nothing": ((), "A submission begins with its head."),
    "a chunk first": ((CHUNK,), "A submission begins with its head."),
    "an empty request first": ((SubmitRequest(),), "A submission begins with its head."),
    "two heads": ((head(b"x"), head(b"x")), "A submission has one head, and then only chunks."),
    "too little": ((large(11), CHUNK), "announced an archive of 11 bytes, but 10 arrived"),
    "too much": ((large(15), CHUNK, CHUNK), "announced an archive of 15 bytes, but more arrived"),
    "too large": ((large(PACKED_LIMIT_BYTES + 1),), "the limit is 104,857,600"),
    "no archive": ((large(10), CHUNK), "is not a readable tar.gz"),
    "no bytes": ((large(0),), "the file ends too early"),
}


@pytest.mark.parametrize(("requests", "words"), WRONG.values(), ids=WRONG)
async def test_what_is_no_submission_is_refused(
    server: Served, requests: tuple[SubmitRequest, ...], words: str
) -> None:
    refused = await server.person("Ann").refused_submission(parts(*requests))
    assert refused.code is CODES.INVALID_ARGUMENT
    assert words in refused.sentence
    assert server.kept() == []


async def test_a_message_that_is_too_large_ends_the_call(server: Served) -> None:
    request = SubmitRequest(chunk=b"7" * (5 << 20))
    refused = await server.person("Ann").refused_submission(parts(large(5 << 20), request))
    assert refused.code is CODES.RESOURCE_EXHAUSTED
    assert server.kept() == []


async def test_whoever_falls_silent_is_cut_off(serve: Serve) -> None:
    async with serve(replace(SERVER_LIMITS, silence_s=0.2)) as server:
        ann = server.person("Ann")
        for silent in (parts(then_s=9), parts(large(100), CHUNK, then_s=9)):
            refused = await ann.refused_submission(silent)
            assert refused.code is CODES.DEADLINE_EXCEEDED
            assert "paused for more than 0.2 seconds" in refused.sentence


async def test_whoever_takes_too_long_is_cut_off(serve: Serve, bot: Path) -> None:
    async with serve(replace(SERVER_LIMITS, upload_s=0.5)) as server:
        ann = server.person("Ann")
        refused = await ann.refused_submission(ann.slowly(archive_of(bot), pause_s=0.1))
        assert refused.code is CODES.DEADLINE_EXCEEDED
        assert "did not arrive within 0.5 seconds" in refused.sentence


async def holding(server: Served, person: Person) -> asyncio.Task[list[SubmitResponse]]:
    """A submission that sends its head, and then nothing."""
    kept = len(server.kept())

    async def requests() -> AsyncIterator[SubmitRequest]:
        yield large(100)
        await asyncio.Event().wait()

    task = asyncio.create_task(person.submitted(requests()))
    await until(lambda: len(server.kept()) > kept)
    return task


async def test_nobody_takes_more_than_their_place(serve: Serve) -> None:
    async with serve(replace(SERVER_LIMITS, submissions=2)) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        tasks = [await holding(server, ann)]
        refused = await ann.submits_in_vain(b"x")
        assert refused.code is CODES.RESOURCE_EXHAUSTED
        assert "Another submission of yours is still in progress" in refused.sentence
        tasks.append(await holding(server, bob))
        refused = await server.person("Cy").submits_in_vain(b"x")
        assert "The server is busy with other submissions" in refused.sentence
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Their places are free again, once the server has noticed.
        async with asyncio.timeout(PATIENCE_S):
            while (await ann.submits_in_vain(b"x")).code is not CODES.INVALID_ARGUMENT:
                await asyncio.sleep(0.05)
        await until(lambda: not server.kept())


async def test_there_is_an_end_to_trying(serve: Serve) -> None:
    async with serve(replace(SERVER_LIMITS, submissions_a_day=2)) as server:
        ann = server.person("Ann")
        for _ in range(2):
            assert (await ann.submits_in_vain(b"x")).code is CODES.INVALID_ARGUMENT
        assert "limit of 2 submissions in 24 hours" in (await ann.submits_in_vain(b"")).sentence
        assert (await server.person("Bob").submits_in_vain(b"x")).code is CODES.INVALID_ARGUMENT
