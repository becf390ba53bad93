"""The image and the services of `deploy/`, built and run by a container engine, without a registry,
an index or Compose."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from docker.models.containers import Container

from tests.deploy.base_image import write_base
from tests.deploy.compose import Project
from tests.deploy.wheelhouse import fill
from tests.support.patience import until

REPOSITORY = Path(__file__).parents[2]
FILES = ("LICENSE", "README.md", "hatch_build.py", "pyproject.toml", ".dockerignore")
FOLDERS = ("arena", "deploy", "docs/games", "proto", "rules", "sample_bots", "sdk", "tools")
BUILT = shutil.ignore_patterns("__pycache__", "target", "node_modules", "build", "dist", "vendor*")
HOST = "arena.example.org"
BOTS = ("/opt/arena/sample_bots/random_bot", "/opt/arena/sample_bots/xeri_fisher")
MATCHES = 4
STOPPED_WITHIN_S = 30

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("a container engine", "bubblewrap", "openssl"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The arena's image."""
    context = tmp_path_factory.mktemp("context")
    for name in FOLDERS:
        shutil.copytree(REPOSITORY / name, context / name, ignore=BUILT, symlinks=True)
    for name in FILES:
        shutil.copy(REPOSITORY / name, context / name)
    fill(context / "deploy" / "wheelhouse")
    base, tag = "sevens-arena-base", "sevens-arena-test"
    with tempfile.TemporaryFile() as root:
        write_base(root)
        root.seek(0)
        engine.api.import_image_from_data(root, repository=base)
    arguments = {"BASE": base, "BUILD_PACKAGES": "", "PACKAGES": "", "PIP_NO_INDEX": "1"}
    engine.images.build(
        path=str(context),
        dockerfile="deploy/Dockerfile",
        tag=tag,
        buildargs=arguments,
        network_mode="none",
        rm=True,
        forcerm=True,
    )
    yield tag
    for name in (tag, base):
        engine.images.remove(name, force=True)


def test_the_image_runs_any_command_and_not_as_root(
    engine: docker.DockerClient, image: str
) -> None:
    told = json.loads(engine.containers.run(image, ["version", "--json"], network_mode="none"))
    assert told["arena"] == told["sevens-sdk"]
    user = engine.containers.run(image, ["-u"], entrypoint="id", network_mode="none")
    assert user.strip() == b"10001"


def test_the_services_play_a_ladder(
    engine: docker.DockerClient, image: str, tmp_path: Path
) -> None:
    shutil.copytree(REPOSITORY / "deploy", tmp_path / "deploy")
    certify(tmp_path / "deploy" / "tls")
    file = tmp_path / "deploy" / "compose.yaml"
    with Project(engine, file, {"ARENA_IMAGE": image, "ARENA_HOST": HOST}) as project:
        checks = json.loads(project.run("serve", "doctor", "--json"))["checks"]
        assert [check for check in checks if not check["ok"]] == []
        assert "bubblewrap works" in [check["found"] for check in checks]
        project.run("serve", "ladder", "create", "main", "xeri", *BOTS)
        token = project.run("serve", "token", "create", "--role", "worker", "--owner", "fleet")
        project.environment["ARENA_WORKER_TOKEN"] = token.strip()
        running = [*project.up("valkey"), *project.up("serve"), *project.up("worker")]
        assert len(running) == 4
        wait_for_matches(running[1])
        # In the order in which Compose stops them: the last of the dependencies first.
        for container in reversed(running):
            assert ended_by_stop(container) == 0, container.logs().decode()


def wait_for_matches(server: Container) -> None:
    """Waits until MATCHES are recorded."""

    def enough() -> bool:
        status, printed = server.exec_run(["arena", "matches", "--json"])
        assert status == 0, printed
        assert isinstance(printed, bytes)  # no stream was asked for
        return len(json.loads(printed)["matches"]) >= MATCHES

    until(enough, f"{MATCHES} matches", said=lambda: server.logs().decode())


def ended_by_stop(container: Container) -> int:
    """Stops a container as `docker stop` does; returns its exit status."""
    container.stop(timeout=STOPPED_WITHIN_S)
    return int(container.wait()["StatusCode"])


def certify(folder: Path) -> None:
    """Writes a self-signed certificate for HOST into a folder."""
    folder.mkdir()
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"),
            *("-keyout", folder / "key.pem", "-out", folder / "chain.pem"),
        ],
        check=True,
        capture_output=True,
    )
    (folder / "key.pem").chmod(0o644)  # the image's user does not exist on this machine
    shutil.copy(folder / "chain.pem", folder / "roots.pem")
