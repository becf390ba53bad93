"""Bots that are container images. tests/escape_bot tests what they cannot reach."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing
from pathlib import Path

import docker
import pytest

from arena.bots.container.engine_client import LABEL, RUNTIME_VARIABLE, arena_of
from arena.bots.host import Host
from arena.bots.interface import ArenaFailure, MachineFailure
from arena.bots.references import IMAGE_SUFFIX, UnknownBot, find_bot, find_version
from arena.bots.source.image import IMAGE_ARCHIVE, Image, kept_image
from arena.bots.watchdog.remove_containers import EngineConnection
from arena.protocol.faults import FaultKind
from tests.support.container_engine import BuildImage, find_image
from tests.support.puppets import SCRIPTED
from tests.support.seats import Seat, until
from tools.bot_images import BotImages

pytestmark = pytest.mark.needs("a container engine")
PUPPET = ("python", "puppet.py")

MakeImage = Callable[..., Image]


@pytest.fixture
def make_image(build_image: BuildImage, tmp_path: Path) -> MakeImage:
    """Builds an image with puppet.py that runs a command."""

    def make(words: Sequence[str] = PUPPET, dockerfile: str = "") -> Image:
        shutil.copy(SCRIPTED / "puppet.py", tmp_path)
        return find_image(build_image(tmp_path, words, dockerfile))

    return make


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    async with Host() as host:
        yield host


def containers(client: docker.DockerClient, arena: str) -> list[str]:
    """Returns the names of the containers whose label begins with that text."""
    found = client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
    return [str(one.name) for one in found if one.labels[LABEL].startswith(arena)]


def refusal(reference: str) -> str:
    with pytest.raises(UnknownBot) as refused:
        find_bot(reference)
    return str(refused.value)


async def test_nothing_is_left_of_it(
    host: Host, make_image: MakeImage, engine: docker.DockerClient
) -> None:
    bot = await host.start(make_image())
    assert await bot.ready() is None
    assert len(containers(engine, arena_of(os.getpid()))) == 1
    await bot.stop("That was all.")
    assert containers(engine, arena_of(os.getpid())) == []


async def test_a_fresh_container_follows_a_crash(host: Host, make_image: MakeImage) -> None:
    seat = Seat(await host.start(make_image()), "m")
    await seat.acceptance()
    seat.ask("exit 3")
    loss = await seat.loss()
    assert (loss.kind, "exit code 3" in loss.sentence) == (FaultKind.CRASHED, True)
    await seat.restoration()


async def test_a_memory_hog_is_ended(host: Host, make_image: MakeImage) -> None:
    bot = await host.start(make_image())
    seat = Seat(bot, "m")
    await seat.answer_to("hog 100")
    await until(lambda: 0.1 < bot.memory_share < 1)
    seat.ask("hog 600")
    loss = await seat.loss()
    assert loss.kind is FaultKind.RESOURCE_LIMIT
    assert "used up its 512 MiB of memory" in loss.sentence


async def test_of_what_it_prints_the_end_is_kept(host: Host, make_image: MakeImage) -> None:
    seat = Seat(await host.start(make_image()), "m")
    await seat.answer_to("say Καλημέρα")
    await until(lambda: seat.channel.stderr() == "Καλημέρα\n")
    await seat.answer_to("flood 2")
    await until(lambda: "   2047 ..." in seat.channel.stderr())
    assert len(seat.channel.stderr()) < 65 * 1024


async def test_a_program_that_is_not_there_is_the_bots_own_fault(
    host: Host, make_image: MakeImage
) -> None:
    loss = await Seat(await host.start(make_image(["/no/such/program"])), "m").loss()
    assert loss.kind is FaultKind.START_FAILED
    assert "The image's program could not be started" in loss.sentence
    assert "/no/such/program" in loss.words


async def test_a_runtime_that_is_not_there_is_the_arenas_failure(
    host: Host, make_image: MakeImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(RUNTIME_VARIABLE, "no-such-runtime")
    bot = await host.start(make_image())
    with pytest.raises(ArenaFailure, match="no-such-runtime"):
        await bot.ready()


async def test_what_a_killed_arena_left_is_removed(
    host: Host, make_image: MakeImage, engine: docker.DockerClient
) -> None:
    dead = arena_of(os.getpid()).replace(str(os.getpid()), str(2**22 + 1), 1)
    living = arena_of(os.getppid())
    image = make_image()
    for arena in (dead, living):
        engine.containers.create(image.id, labels={LABEL: f"{arena}/x"})
    try:
        assert await (await host.start(image)).ready() is None
        assert containers(engine, dead) == []
        assert len(containers(engine, living)) == 1
    finally:
        for name in containers(engine, living):
            engine.containers.get(name).remove(force=True)


ARENA = """
import asyncio, sys
from arena.bots.host import Host
from arena.bots.references import find_bot

async def main(bot):
    async with Host() as host:
        bot = await host.start(bot)
        assert await bot.ready() is None
        print("ready", flush=True)
        await asyncio.sleep(60)

asyncio.run(main(find_bot(sys.argv[1])))
"""


async def test_containers_end_with_an_arena_that_is_killed(
    make_image: MakeImage, engine: docker.DockerClient
) -> None:
    command = [sys.executable, "-c", ARENA, f"image:{make_image().reference}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        assert arena.stdout.readline() == "ready\n"
        mark = arena_of(arena.pid)
        assert containers(engine, mark)
        arena.send_signal(signal.SIGKILL)
    await until(lambda: not containers(engine, mark))


def save(engine: docker.DockerClient, image: Image, path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(engine.images.get(image.id).save())


def keep(engine: docker.DockerClient, archive: Path, versions: Path) -> str:
    """Stores the bot of an archive, removes the archive and the image, and returns the version."""
    image = find_image(str(archive))
    place = versions / f"{image.version}{IMAGE_SUFFIX}"
    place.mkdir()
    image.keep_in(place)
    archive.unlink()
    engine.images.remove(image.id, force=True)
    return image.version


class TestReferences:
    def test_an_image_is_known_by_its_id(
        self, make_image: MakeImage, engine: docker.DockerClient
    ) -> None:
        image = make_image()
        assert image.name.startswith("sevens-bot-")
        assert engine.images.get(image.reference).id == f"sha256:{image.version}"

    @pytest.mark.usefixtures("engine")
    def test_no_such_image(self) -> None:
        assert "The engine has no image bots/none:3; build it" in refusal("image:bots/none:3")

    @pytest.mark.usefixtures("engine")
    def test_no_image_name_at_all(self) -> None:
        assert "Bots/None is not the name of an image" in refusal("image:Bots/None")

    def test_an_image_that_does_not_say_what_to_run(self, images: BotImages) -> None:
        told = refusal(f"image:{images.base}")
        assert f"The image {images.base} does not say what to run; give it" in told

    def test_an_image_with_a_place_to_write_to(self, make_image: MakeImage) -> None:
        with pytest.raises(UnknownBot, match="has VOLUME /data, but bots have no disk"):
            make_image(dockerfile="VOLUME /data")


class TestArchives:
    @pytest.fixture
    def archive(self, make_image: MakeImage, engine: docker.DockerClient, tmp_path: Path) -> Path:
        """An archive of an image that the engine no longer has."""
        image = make_image()
        path = tmp_path / "my-bot.tar"
        save(engine, image, path)
        engine.images.remove(image.id, force=True)
        return path

    async def test_an_archive_is_a_bot(self, host: Host, archive: Path) -> None:
        image = find_image(str(archive))
        assert image.name == "my-bot"
        assert await (await host.start(image)).ready() is None

    async def test_a_kept_archive_is_loaded_again(
        self, host: Host, archive: Path, engine: docker.DockerClient, tmp_path: Path
    ) -> None:
        version = keep(engine, archive, tmp_path)
        again = find_version(tmp_path, version)
        assert again.version == version
        assert await (await host.start(again)).ready() is None

    def test_an_archive_may_have_several_tags_of_its_one_image(
        self, make_image: MakeImage, engine: docker.DockerClient, tmp_path: Path
    ) -> None:
        image = make_image()
        engine.images.get(image.id).tag("sevens-test-other-tag")
        path = tmp_path / "tagged.tar"
        names = f"names={image.reference}&names=sevens-test-other-tag"
        socket = os.environ["DOCKER_HOST"].removeprefix("unix://")
        with closing(EngineConnection(socket)) as connection:
            path.write_bytes(connection.ask("GET", f"/images/get?{names}"))
        try:
            assert find_image(str(path)).version == image.version
        finally:
            engine.images.remove("sevens-test-other-tag")

    async def test_an_archive_of_another_image_is_not_run(
        self,
        host: Host,
        archive: Path,
        make_image: MakeImage,
        engine: docker.DockerClient,
        tmp_path: Path,
    ) -> None:
        version = keep(engine, archive, tmp_path)
        other = make_image(dockerfile="LABEL other=yes")
        save(engine, other, tmp_path / f"{version}{IMAGE_SUFFIX}" / IMAGE_ARCHIVE)
        with pytest.raises(MachineFailure, match=f"holds {other.id}, not sha256:{version}"):
            await host.start(find_version(tmp_path, version))

    async def test_an_image_that_is_gone_is_the_arenas_failure(
        self, host: Host, make_image: MakeImage, engine: docker.DockerClient, tmp_path: Path
    ) -> None:
        image = make_image()
        image.keep_in(tmp_path)
        engine.images.remove(image.id, force=True)
        with pytest.raises(MachineFailure, match="load it there with `docker load`"):
            await host.start(kept_image(tmp_path))

    @pytest.mark.usefixtures("engine")
    def test_a_file_that_is_no_archive(self, tmp_path: Path) -> None:
        (tmp_path / "bot.tar").write_text("no archive")
        assert "is not an image archive" in refusal(f"image:{tmp_path / 'bot.tar'}")
