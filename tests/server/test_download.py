"""Workers fetch versions."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import grpc.aio
import pytest

from arena.bots.source import Image, digest, kept_image, list_content, unpack
from arena.operations.caller import PLAYERS
from arena.operations.versions import retire_version
from arena.queue.signing_key import made_key
from arena.server.limits import SERVER_LIMITS
from arena.store.schema import Role
from arena.store.versions import keep_image
from sevens.league.v1.league_service_pb2_grpc import LeagueServiceStub
from sevens.league.v1.version_pb2 import FetchHead, FetchVersionRequest
from sevens.league.v1.worker_pb2 import EnrolWorkerRequest, EnrolWorkerResponse
from tests.support.served import Serve, Served, archive_of, version_of

CODES = grpc.StatusCode
# Windows keep their initial size, 64 KiB.
NO_READING_AHEAD = (("grpc.http2.bdp_probe", 0),)


class Fetched:
    """The unpacked download."""

    def __init__(self, head: FetchHead, archive: bytes, folder: Path) -> None:
        assert head.archive_bytes == len(archive)
        self.head = head
        folder.mkdir()
        unpack(io.BytesIO(archive), folder)
        self.digest = digest(list_content(folder))


async def fetch(server: Served, version: str, folder: Path, role: Role = Role.WORKER) -> Fetched:
    person = server.person("w1", role)
    call = server.stub.FetchVersion(FetchVersionRequest(version=version), metadata=person.metadata)
    first, *rest = [part async for part in call]
    return Fetched(first.head, b"".join(part.chunk for part in rest), folder)


async def read_on(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


async def refusal(server: Served, version: str, role: Role = Role.WORKER) -> grpc.StatusCode:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await fetch(server, version, Path("/nowhere"), role)
    return refused.value.code()


async def test_a_worker_gets_what_was_submitted(server: Served, bot: Path, tmp_path: Path) -> None:
    (bot / "book.txt").write_bytes(bytes(range(256)) * 9000)
    ann = server.person("Ann")
    version = (await ann.submits(archive_of(bot))).version.version
    fetched = await fetch(server, version, tmp_path / "fetched")
    assert (fetched.digest, fetched.head.content, fetched.head.built) == (version, version, False)
    # Jobs with it may still be queued.
    await server.asker("Ann").ask(retire_version, "random", 1)
    assert (await fetch(server, version, tmp_path / "again")).digest == version
    assert server.kept() == [version]


async def test_of_a_built_bot_a_worker_gets_what_the_build_left(
    server: Served, bot: Path, tmp_path: Path
) -> None:
    (bot / "build.py").write_text("open('made', 'w').write('made')")
    (bot / "bot.toml").write_text(
        'name = "built"\nrun = ["python", "bot.py"]\nbuild = ["python", "build.py"]\n'
    )
    version = (await server.person("Ann").submits(archive_of(bot))).version.version
    fetched = await fetch(server, version, tmp_path / "fetched")
    assert fetched.head.built
    assert fetched.digest == fetched.head.content == version_of(server.data.built(version))
    assert fetched.digest != version


async def test_an_image_is_sent_with_its_archive(server: Served, tmp_path: Path) -> None:
    (tmp_path / "mine.tar").write_text("an archive")
    image = Image("mine", "7" * 64, "mine", tmp_path / "mine.tar")
    keep_image(server.data, image)
    fetched = await fetch(server, image.version, tmp_path / "fetched")
    assert (fetched.head.image, fetched.head.built) == (True, False)
    assert fetched.digest == fetched.head.content
    sent = kept_image(tmp_path / "fetched")
    assert (sent.version, sent.archive) == (image.version, tmp_path / "fetched" / "image.tar")


@pytest.mark.parametrize("version", ["", "7" * 64, "..", "../versions", "a" * 200])
async def test_nothing_else_is_available(server: Served, version: str) -> None:
    assert await refusal(server, version) is CODES.NOT_FOUND


async def test_an_endless_digest_is_refused(server: Served) -> None:
    assert await refusal(server, "a" * 10_000) is CODES.INVALID_ARGUMENT


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.WORKER])
async def test_bots_are_sent_to_nobody_but_workers(server: Served, role: Role) -> None:
    assert await refusal(server, "7" * 64, role) is CODES.PERMISSION_DENIED


async def test_a_worker_that_takes_nothing_does_not_hold_the_others_up(
    serve: Serve, bot: Path, tmp_path: Path
) -> None:
    (bot / "book.txt").write_bytes(Random(7).randbytes(8 << 20))
    async with serve(replace(SERVER_LIMITS, fetches=1, fetch_s=0.5)) as server:
        version = (await server.person("Ann").submits(archive_of(bot))).version.version
        lazy = server.person("w1", Role.WORKER)
        request = FetchVersionRequest(version=version)
        # gRPC may otherwise buffer the whole version before anybody reads it.
        async with grpc.aio.insecure_channel(server.grpc, options=NO_READING_AHEAD) as narrow:
            call = LeagueServiceStub(narrow).FetchVersion(request, metadata=lazy.metadata)
            assert (await call.read()).HasField("head")
            other = server.person("w2", Role.WORKER)
            waiting = server.stub.FetchVersion(request, metadata=other.metadata)
            assert (await waiting.read()).HasField("head")
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await read_on(call)
            assert refused.value.code() is CODES.DEADLINE_EXCEEDED
            waiting.cancel()


@pytest.mark.parametrize("role", PLAYERS)
async def test_a_worker_that_enrols_receives_the_key_that_signs_results(
    server: Served, role: Role
) -> None:
    key = made_key(server.data.queue_key)
    worker = server.person("fleet", role)
    answer = await worker.call("EnrolWorker", EnrolWorkerRequest())
    assert answer == EnrolWorkerResponse(signing_key=key)


@pytest.mark.parametrize("role", [role for role in Role if role not in PLAYERS])
async def test_nobody_but_workers_receives_the_key(server: Served, role: Role) -> None:
    made_key(server.data.queue_key)
    refused = await server.person("Eve", role).refused("EnrolWorker", EnrolWorkerRequest())
    assert refused.code is grpc.StatusCode.PERMISSION_DENIED
    unknown = await server.stranger("sat_x").refused("EnrolWorker", EnrolWorkerRequest())
    assert unknown.code is grpc.StatusCode.UNAUTHENTICATED
