"""Commands that take an image as a bot."""

from __future__ import annotations

import shutil
from pathlib import Path

import docker
import pytest

from tests.support.command_line import Arena
from tests.support.container_engine import BuildImage
from tools.bot_images import BotImages

pytestmark = pytest.mark.needs("a container engine", "bubblewrap")


@pytest.fixture
def reference(build_image: BuildImage, samples: Path, tmp_path: Path) -> str:
    folder = tmp_path / "image"
    shutil.copytree(samples / "random_bot", folder)
    return f"image:{build_image(folder, ['python', 'bot.py'])}"


def test_an_image_plays(arena: Arena, reference: str) -> None:
    told = arena("play", "xeri", reference, "builtin:random", "--json")
    assert told.code == 0
    (match,) = told.json["matches"]
    assert match["seats"][0]["bot"] == reference.removeprefix("image:")[:40]
    assert len(match["seats"][0]["version"]) == 64


@pytest.mark.slow
def test_an_image_is_checked(arena: Arena, reference: str) -> None:
    told = arena("bot", "check", reference, "--game", "xeri", "--json")
    assert [row["name"] for row in told.json["checks"] if not row["ok"]] == []
    assert told.code == 0


@pytest.mark.slow
def test_an_image_is_on_a_ladder_whatever_becomes_of_its_tag(
    arena: Arena, reference: str, samples: Path, engine: docker.DockerClient, images: BotImages
) -> None:
    assert arena("ladder", "create", "l", "xeri", reference, samples / "xeri_fisher").code == 0
    engine.images.get(images.base).tag(reference.removeprefix("image:"))
    told = arena("ladder", "run", "l", "--matches", "4", "--workers", "1")
    assert told.code == 0
    ratings = arena("ratings", "l", "--json").json["ratings"]
    assert [row["faults"] for row in ratings] == [0, 0]


@pytest.mark.usefixtures("engine")
def test_no_such_image(arena: Arena) -> None:
    told = arena("play", "xeri", "image:none", "builtin:random", "--json")
    assert told.code == 2
    assert "The engine has no image none" in told.error["sentence"]


def test_images_are_not_submitted(arena: Arena) -> None:
    told = arena("submit", "image:mine", "--ladder", "l", "--json")
    assert told.code == 2
    assert "only organisers" in told.error["sentence"]
