"""What every run of the tests has: a seed to repeat it by, and an account of the tests left out.

A run takes the fast tests, as far as this machine has what they need. With `--everything` it takes
them all, and whatever cannot run, or skips itself, makes it fail.
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arena.games import load, slugs
from tests.support.container_engine import build_image, engine, engine_can_be_had, images

__all__ = ["build_image", "engine", "images"]  # fixtures for all tests

LEFT_OUT = pytest.StashKey[dict[str, str]]()


@dataclass(frozen=True)
class Need:
    is_met: Callable[[], bool]
    remedy: str


@cache
def bubblewrap_works() -> bool:
    # There are systems that have the program, but forbid it to make namespaces.
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return shutil.which("bwrap") is not None and subprocess.call(trial) == 0


@cache
def go_works() -> bool:
    # Go reads there which version it has to be.
    module = Path(__file__).parent.parent / "sdk" / "go"
    trial = ["go", "list", "-m"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return shutil.which("go") is not None and subprocess.call(trial, cwd=module, **quiet) == 0


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
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    found = None not in map(shutil.which, ("javac", "mvn"))
    return found and subprocess.call(trial, **quiet) == 0


@cache
def node_works() -> bool:
    trial = ["node", "--eval", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"]
    return None not in map(shutil.which, ("node", "npm")) and subprocess.call(trial) == 0


@cache
def rust_works() -> bool:
    if None in map(shutil.which, ("cargo", "cc")):
        return False
    # With rustup, cargo may be there without a Rust.
    told = subprocess.run(["cargo", "--version"], capture_output=True, text=True)
    version = re.match(r"cargo (\d+)\.(\d+)", told.stdout)
    return version is not None and tuple(map(int, version.groups())) >= (1, 85)


@cache
def network_namespaces_work() -> bool:
    if shutil.which("ip") is None or os.geteuid() != 0:
        return False
    name = f"sevens-trial-{os.getpid()}"
    trial = (f"netns add {name}", f"-n {name} link add one type veth peer name other")
    codes = [subprocess.call(["ip", *words.split()], stderr=subprocess.DEVNULL) for words in trial]
    subprocess.call(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
    return codes == [0, 0]


NEEDS = {
    "bubblewrap": Need(bubblewrap_works, "install bubblewrap, allow user namespaces"),
    "a container engine": Need(
        engine_can_be_had, "start Docker; or install docker.io, and be root"
    ),
    "c++": Need(cpp_works, "install what sdk/cpp/README.md names, and doctest"),
    "go": Need(go_works, "install Go 1.25 or newer"),
    "java": Need(java_works, "install a JDK, 17 or newer, and Maven"),
    "node": Need(node_works, "install Node.js 20 or newer, with npm"),
    "network namespaces": Need(network_namespaces_work, "install iproute2, and be root"),
    "openssl": Need(lambda: shutil.which("openssl") is not None, "install openssl"),
    "rust": Need(rust_works, "install Rust 1.85 or newer, with Cargo, and a C compiler"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sevens arena")
    group.addoption(
        "--everything",
        action="store_true",
        help="run the slow tests too, and fail if any test cannot run",
    )
    group.addoption(
        "--compiled",
        action="store_true",
        help="refuse to run unless the rules are those that `make compiled` has built",
    )
    group.addoption(
        "--write-attempts",
        action="store_true",
        help="write into docs/security.md what the escape bot's attempts come to",
    )
    group.addoption(
        "--seed",
        type=int,
        default=secrets.randbits(32),
        help="seed of all that tests choose at random (default: another one each time)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.compiled and (plain := modules_not_compiled()):
        raise pytest.UsageError(f"not compiled, or not first on PYTHONPATH: {', '.join(plain)}")
    # What a script starts in its background ignores interrupts, and so would all that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[LEFT_OUT] = {}


def pytest_report_header(config: pytest.Config) -> str:
    return f"random choices: --seed {config.option.seed}"


def modules_not_compiled() -> list[str]:
    """Of the driver of the matches and the games, those whose Python source would run."""
    names = ["arena.games.engine.match", *[load(slug).begin.__module__ for slug in slugs()]]
    return [name for name in names if str(import_module(name).__file__).endswith(".py")]


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.option.seed)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.everything:
        return
    reasons = {item: "; ".join(obstacles(item)) for item in items}
    items[:] = [item for item in items if not reasons[item]]
    left_out = {item.nodeid: reason for item, reason in reasons.items() if reason}
    config.hook.pytest_deselected(items=[item for item in reasons if reasons[item]])
    config.stash[LEFT_OUT] = left_out
    # A worker of pytest-xdist has no terminal: it hands its account to the main process.
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = left_out


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # One that crashed hands over nothing.
    node.config.stash[LEFT_OUT] |= getattr(node, "workeroutput", {}).get("left_out", {})


def obstacles(item: pytest.Item) -> Iterator[str]:
    if item.get_closest_marker("slow"):
        yield "slow"
    yield from missing_needs(item)


def missing_needs(item: pytest.Item) -> Iterator[str]:
    for marker in item.iter_markers("needs"):
        for thing in marker.args:
            if not NEEDS[thing].is_met():
                yield f"needs {thing}: {NEEDS[thing].remedy}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    for missing in missing_needs(item):
        pytest.fail(missing, pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = terminalreporter.config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section("left out (make test-all runs everything)")
    for nodeid, reason in left_out.items():
        terminalreporter.line(f"{nodeid}: {reason}")
    if terminalreporter.config.option.everything and terminalreporter.stats.get("skipped"):
        terminalreporter.section("failed: with --everything no test may be skipped", red=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.option.everything and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
