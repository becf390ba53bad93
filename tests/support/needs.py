"""Requirements that some tests have of the machine: the names that the marker `needs` takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.bots.limits import usable_place
from tests.support.container_engine import engine_can_be_had
from tests.support.postgresql import server_program


@dataclass(frozen=True)
class Need:
    """A requirement that the marker `needs` names. `remedy`: the way to meet it."""

    is_met: Callable[[], bool]
    remedy: str


def succeeds(command: Sequence[str], folder: Path | None = None) -> bool:
    """Runs a program, whatever it prints."""
    nowhere = subprocess.DEVNULL
    return subprocess.call(command, cwd=folder, stdout=nowhere, stderr=nowhere) == 0


@cache
def bubblewrap_works() -> bool:
    # Some systems have the program, but forbid it to create namespaces.
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return shutil.which("bwrap") is not None and subprocess.call(trial) == 0


@cache
def go_works() -> bool:
    # Go reads the required version there.
    module = Path(__file__).parents[2] / "sdk" / "go"
    trial = ["go", "list", "-m"]
    return shutil.which("go") is not None and succeeds(trial, module)


@cache
def cpp_works() -> bool:
    tools = ("g++", "cmake", "pkg-config", "protoc", "grpc_cpp_plugin")
    trial = ["g++", "-E", "-x", "c++", "-"]
    source = b"#include <doctest/doctest.h>\n#include <grpcpp/grpcpp.h>\n"
    return None not in map(shutil.which, tools) and (
        subprocess.run(trial, input=source, capture_output=True, check=False).returncode == 0
    )


@cache
def java_works() -> bool:
    trial = ["javac", "--release", "17", "--version"]
    return None not in map(shutil.which, ("javac", "mvn")) and succeeds(trial)


@cache
def node_works() -> bool:
    trial = ["node", "--eval", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"]
    return None not in map(shutil.which, ("node", "npm")) and subprocess.call(trial) == 0


@cache
def rust_works() -> bool:
    if None in map(shutil.which, ("cargo", "cc")):
        return False
    # With rustup, cargo may be installed without a Rust toolchain.
    told = subprocess.run(["cargo", "--version"], capture_output=True, text=True)
    version = re.match(r"cargo (\d+)\.(\d+)", told.stdout)
    return version is not None and tuple(map(int, version.groups())) >= (1, 85)


@cache
def kustomize_works() -> bool:
    # Debian 12's kubectl knows no components.
    trial = ["kubectl", "kustomize", "--help"]
    if shutil.which("kubectl") is None:
        return False
    told = subprocess.run(trial, capture_output=True, text=True, check=False).stdout
    return "--enable-helm" in told


@cache
def network_namespaces_work() -> bool:
    if shutil.which("ip") is None or os.geteuid() != 0:
        return False
    name = f"sevens-trial-{os.getpid()}"
    trial = (f"netns add {name}", f"-n {name} link add one type veth peer name other")
    codes = [subprocess.call(["ip", *words.split()], stderr=subprocess.DEVNULL) for words in trial]
    subprocess.call(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
    return codes == [0, 0]


@cache
def disks_in_memory_work() -> bool:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        if not succeeds(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]):
            return False
        return succeeds(["umount", folder])


def chromium_path() -> str | None:
    """Returns Chromium's program: preferably that without windows, which takes two thirds of the
    other's CPU time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def root_of_control_groups_is_writable() -> bool:
    place = usable_place()
    return place is not None and not (place.folder / "cgroup.type").exists()


def memory_controller_works() -> bool:
    place = usable_place()
    return place is not None and "memory" in place.controllers


NEEDS = {
    "bubblewrap": Need(bubblewrap_works, "install bubblewrap, allow user namespaces"),
    "a container engine": Need(
        engine_can_be_had, "start Docker; or install docker.io, and be root"
    ),
    "chromium": Need(lambda: chromium_path() is not None, "install Chromium"),
    "c++": Need(cpp_works, "install what sdk/cpp/README.md names, and doctest"),
    "disks in memory": Need(disks_in_memory_work, "be root, and allowed to mount"),
    "control groups": Need(
        lambda: usable_place() is not None, "let the tests write to cgroup version 2"
    ),
    "the root of control groups": Need(
        root_of_control_groups_is_writable, "be root, outside of any container"
    ),
    "a memory controller": Need(
        memory_controller_works, "let the tests write to a version 2 group that delegates memory"
    ),
    "go": Need(go_works, "install Go 1.25 or newer"),
    "java": Need(java_works, "install a JDK, 17 or newer, and Maven"),
    "node": Need(node_works, "install Node.js 20 or newer, with npm"),
    "kubectl": Need(kustomize_works, "install kubectl 1.21 or newer"),
    "network namespaces": Need(network_namespaces_work, "install iproute2, and be root"),
    "nginx": Need(lambda: shutil.which("nginx") is not None, "install nginx-light"),
    "openssl": Need(lambda: shutil.which("openssl") is not None, "install openssl"),
    "redis": Need(lambda: shutil.which("redis-server") is not None, "install redis-server"),
    "postgresql": Need(lambda: server_program() is not None, "install PostgreSQL's server"),
    "systemd": Need(
        lambda: shutil.which("systemd-analyze") is not None, "install systemd 252 or newer"
    ),
    "rust": Need(rust_works, "install Rust 1.85 or newer, with Cargo, and a C compiler"),
}
