"""Bots that are archives of images, on workers that share only Redis with the server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from tests.support.command_line import ran
from tests.support.container_engine import BuildImage
from tests.support.patience import until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import address, token_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("a container engine"),
]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    with WholeArena(tmp_path) as arena:
        yield arena
        arena.assert_nothing_runs()


def archive(arena: WholeArena, build_image: BuildImage, engine: docker.DockerClient) -> Path:
    """The output of `docker save` for a bot's image, which the engine no longer has."""
    folder = Path(shutil.copytree(SAMPLE_BOTS / "random_bot", arena.folder / "image"))
    image = engine.images.get(build_image(folder, ["python", "bot.py"]))
    path = arena.folder / "my-bot.tar"
    with path.open("wb") as file:
        file.writelines(image.save())
    engine.images.remove(str(image.id), force=True)
    return path


def test_a_distant_worker_fetches_an_image_and_one_without_an_engine_leaves_it_to_that(
    arena: WholeArena, build_image: BuildImage, engine: docker.DockerClient
) -> None:
    path = archive(arena, build_image, engine)
    bots = (f"image:{path}", SAMPLE_BOTS / "xeri_fisher")
    create = ("ladder", "create", "main", "xeri", *bots, "--set", "deals=1")
    assert ran(*create, "--data", arena.data).code == 0
    [kept] = arena.data.glob("versions/*.image")
    engine.images.remove(f"sha256:{kept.stem}", force=True)
    path.unlink()
    server = arena.server(workers=0)
    at = address(server)

    nowhere = f"unix://{arena.folder}/nowhere"
    without = arena.distant_worker(at, token_of(arena, "w1", "worker"), DOCKER_HOST=nowhere)
    until(lambda: "left to other workers" in without.said(), "it has no engine")
    assert f"need a container engine, and none answers at {arena.folder}/nowhere" in without.said()
    assert arena.recorded() == 0

    able = arena.distant_worker(at, token_of(arena, "w2", "worker"))
    until(lambda: arena.recorded() >= 3, "three matches are recorded")
    assert able.said().count(": fetched, ") == 2
    rows = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
    assert {(row["bot"], row["faults"]) for row in rows} == {("my-bot", 0), ("xeri-fisher", 0)}
    assert arena.parked() == []
    for part in (without, able, server):
        part.stop()
