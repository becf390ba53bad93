"""Runs the services of `deploy/compose.yaml` on machines without Compose. It supports as much of
the format as that file uses, and refuses everything else."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import docker
import yaml
from docker.models.containers import Container

from tests.support.patience import until

VARIABLE = re.compile(r"\$\{(\w+)(?::?[-?]([^}]*))?\}")
PASSED_ON = {"entrypoint", "command", "init", "read_only", "cap_drop", "environment", "pids_limit"}
ELSEWHERE = {"image", "restart", "depends_on", "stop_grace_period", "deploy", "ports"}
OF_THE_PROCESS = {"entrypoint", "command", "environment"}  # the other parts concern the host
TRANSLATED = {"security_opt", "tmpfs", "network_mode", "networks", "volumes", "healthcheck"}


class Project:
    """The services of a Compose file, with names of this project. Use it as a context manager.

    `environment`: the variables that the file names; a container gets their values at its creation.
    """

    def __init__(
        self, client: docker.DockerClient, file: Path, environment: dict[str, str]
    ) -> None:
        self.environment = environment
        self._file = file
        self._client = client
        self._prefix = f"sevens-{uuid.uuid4().hex[:8]}"
        self._stack = ExitStack()
        self.networks: dict[str, Any] = {}

    def __enter__(self) -> Project:
        with ExitStack() as stack:
            for name, settings in self._described["networks"].items():
                internal = (settings or {}).get("internal", False)
                network = self._client.networks.create(self._of(name), internal=internal)
                stack.callback(network.remove)
                self.networks[name] = network
            for name in self._described["volumes"]:
                stack.callback(self._client.volumes.create(self._of(name)).remove)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def _described(self) -> Any:
        text = self._file.read_text()
        return yaml.safe_load(VARIABLE.sub(lambda found: _value(found, self.environment), text))

    def run(self, service: str, *command: str) -> str:
        """Runs a command instead of a service's own; returns its output. It must succeed."""
        container = self._create(service, command=list(command))
        container.start()
        status = container.wait()["StatusCode"]
        printed = container.logs().decode()
        assert status == 0, printed
        return container.logs(stderr=False).decode()

    def up(self, service: str) -> list[Container]:
        """Starts all containers of a service, and waits until they are healthy."""
        described = self._described["services"][service]
        count = described.get("deploy", {}).get("replicas", 1)
        containers = [self._create(service) for _ in range(count)]
        for container in containers:
            container.start()
        if "healthcheck" in described:
            for container in containers:
                _wait_until_healthy(container)
        return containers

    def _create(self, service: str, **changes: object) -> Container:
        described = self._described["services"][service]
        unknown = described.keys() - PASSED_ON - ELSEWHERE - TRANSLATED
        assert not unknown, f"compose.yaml has keys that this test does not run: {unknown}"
        settings = {key: described[key] for key in PASSED_ON & described.keys()} | changes
        container = self._client.containers.get(
            self._client.api.create_container(
                described["image"],
                **{key: settings.pop(key) for key in OF_THE_PROCESS & settings.keys()},
                healthcheck=_healthcheck(described.get("healthcheck")),
                host_config=self._host_config(described, settings),
                networking_config=self._networking(described),
            )
        )
        self._stack.callback(container.remove, force=True, v=True)
        for name, network in self.networks.items():
            joined = described.get("networks", ())
            if name in joined and name != next(iter(joined)):
                network.connect(container, aliases=_aliases(joined, name))
        return container

    def _host_config(self, described: Any, settings: Any) -> Any:
        options = described["security_opt"]
        mode = described.get("network_mode") or self._of(next(iter(described["networks"])))
        config = self._client.api.create_host_config(
            **settings,
            security_opt=[self._security(o) for o in options if not o.startswith("systempaths")],
            tmpfs=dict(entry.split(":", 1) for entry in described.get("tmpfs", ())),
            binds=[self._bind(volume) for volume in described["volumes"]],
            network_mode=mode,
        )
        # The command-line client's name for these, which Compose uses too.
        if "systempaths=unconfined" in options:
            config |= {"MaskedPaths": [], "ReadonlyPaths": []}
        return config

    def _networking(self, described: Any) -> Any:
        if "networks" not in described:
            return None
        first = next(iter(described["networks"]))
        endpoint: Any = self._client.api.create_endpoint_config(
            aliases=_aliases(described["networks"], first)
        )
        networks: Any = {self._of(first): endpoint}
        return self._client.api.create_networking_config(networks)

    def _security(self, option: str) -> str:
        name, _, value = option.partition("=")
        return f"seccomp={(self._file.parent / value).read_text()}" if name == "seccomp" else option

    def _bind(self, volume: str) -> str:
        source, rest = volume.split(":", 1)
        named = source in self._described["volumes"]
        return f"{self._of(source) if named else (self._file.parent / source).resolve()}:{rest}"

    def _of(self, name: str) -> str:
        return f"{self._prefix}-{name}"


def _value(found: re.Match[str], environment: Mapping[str, str]) -> str:
    name, otherwise = found.groups()
    if ":?" in found[0]:
        return environment[name]
    return environment.get(name, otherwise)


def _aliases(networks: Any, name: str) -> list[str]:
    settings = networks[name] if isinstance(networks, dict) else None
    return list((settings or {}).get("aliases", ()))


def _healthcheck(described: Any) -> Any:
    if described is None:
        return None
    # Checked more often than in production, so that the test need not wait.
    return {"test": described["test"], "interval": 10**9, "timeout": 10 * 10**9, "retries": 60}


def _wait_until_healthy(container: Container) -> None:
    def said() -> str:
        return str(container.logs().decode())

    def is_healthy() -> bool:
        container.reload()
        assert container.status == "running", said()
        return container.attrs["State"]["Health"]["Status"] == "healthy"

    until(is_healthy, "a container is healthy", said=said)
