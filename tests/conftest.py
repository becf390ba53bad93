"""A seed that repeats a run of the tests, and a report of the tests left out.

A run takes the fast tests, as far as this machine has what they need. With `--everything` it takes
the slow ones too, and fails if any cannot run or skips itself; `--nightly` adds the longest.
"""

import gc
import os
import secrets
import signal
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping
from importlib import import_module
from time import monotonic
from typing import Any

import pytest

from sevens_games import load, slugs
from tests.support.chromium import browser, one_chromium
from tests.support.clock import clock
from tests.support.container_engine import build_image, engine, images
from tests.support.extent import Extent, set_extent
from tests.support.needs import NEEDS
from tests.support.once_a_process import remember_draw_probabilities, share_compiled_statements
from tests.support.run_folder import run_folder
from tests.support.sdk_examples import examples_of

# Fixtures for all tests.
__all__ = [
    "browser",
    "build_image",
    "clock",
    "engine",
    "examples_of",
    "images",
    "one_chromium",
    "run_folder",
]

# Rust and C++ are built here for short builds rather than fast play.
os.environ.setdefault("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
os.environ.setdefault("CMAKE_BUILD_TYPE", "None")
# Go compiles a package again for other flags: these are those of the examples' builds.
os.environ.setdefault("CGO_ENABLED", "0")
os.environ.setdefault("GOFLAGS", "-trimpath -buildvcs=false")

LEFT_OUT = pytest.StashKey[dict[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sevens arena")
    group.addoption(
        "--everything",
        action="store_true",
        help="run the slow tests too, and fail if any test cannot run",
    )
    group.addoption(
        "--nightly",
        action="store_true",
        help="with --everything: run the nightly tests too",
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
    group.addoption(
        "--fuzz-seconds",
        type=float,
        default=2.0,
        help="how long each test in tests/fuzz tries random input, in seconds (default: 2)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.compiled and (plain := modules_not_compiled()):
        raise pytest.UsageError(f"not compiled, or not first on PYTHONPATH: {', '.join(plain)}")
    # A script's background processes ignore interrupts, and so would everything that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[LEFT_OUT] = {}
    set_extent(extent_of(config.option))
    share_compiled_statements()
    remember_draw_probabilities()


def extent_of(option: Any) -> Extent:
    if option.nightly:
        return Extent.NIGHTLY
    return Extent.EVERYTHING if option.everything or option.compiled else Extent.QUICK


def pytest_report_header(config: pytest.Config) -> str:
    return f"random choices: --seed {config.option.seed}"


def pytest_xdist_auto_num_workers() -> int:
    """Tests spend a third of their time waiting, so that a core has room for more than one
    worker."""
    cores = len(os.sched_getaffinity(0))
    return cores + cores // 2


def modules_not_compiled() -> list[str]:
    """Returns what should be compiled but would run from Python source: the match driver, the
    writer of decisions, the games."""
    names = ["sevens_games.engine.match", "arena.protocol.frames"]
    names += [load(slug).begin.__module__ for slug in slugs()]
    return [name for name in names if str(import_module(name).__file__).endswith(".py")]


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.option.seed)


@pytest.fixture
def fuzz_until(pytestconfig: pytest.Config) -> float:
    """When a test that tries random input is to stop, in seconds of `time.monotonic`."""
    return monotonic() + float(pytestconfig.option.fuzz_seconds)


@pytest.fixture
def no_garbage_collection() -> Iterator[None]:
    """What a test lets go is freed by its last reference, or not at all."""
    gc.disable()
    yield
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=length, reverse=True)  # long tests first, so that none runs alone at the end
    reasons = {item: "; ".join(obstacles(item)) for item in items}
    items[:] = [item for item in items if not reasons[item]]
    left_out = {item.nodeid: reason for item, reason in reasons.items() if reason}
    config.hook.pytest_deselected(items=[item for item in reasons if reasons[item]])
    config.stash[LEFT_OUT] = left_out
    # A worker of pytest-xdist has no terminal: it sends its report to the main process.
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = left_out


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the garbage collector from what is imported and collected, then and during the tests:
    all of it stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # A crashed worker sends nothing.
    node.config.stash[LEFT_OUT] |= getattr(node, "workeroutput", {}).get("left_out", {})


def length(item: pytest.Item) -> tuple[float, bool]:
    """Returns how long a test is by its marks: its timeout, and whether it is slow."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker else 0.0, is_slow(item)


def obstacles(item: pytest.Item) -> Iterator[str]:
    option = item.config.option
    if item.get_closest_marker("nightly") and not option.nightly:
        yield "nightly"
    elif is_slow(item) and not option.everything:
        yield "slow"
    if not option.everything:
        yield from missing_needs(item)


def is_slow(item: pytest.Item) -> bool:
    """A browser takes more of the machine's time than hundreds of fast tests."""
    in_browser = "one_chromium" in getattr(item, "fixturenames", ())
    return in_browser or item.get_closest_marker("slow") is not None


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
        terminalreporter.section("left out (make test-all runs the slow tests, make nightly all)")
    for line in account(left_out):
        terminalreporter.line(line)
    if terminalreporter.config.option.everything and terminalreporter.stats.get("skipped"):
        terminalreporter.section("failed: with --everything no test may be skipped", red=True)


def account(left_out: Mapping[str, str]) -> Iterator[str]:
    """Yields a line per file for each reason, with its tests; those with parameters are
    counted."""
    files: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for nodeid, reason in left_out.items():
        path, _, test = nodeid.partition("::")
        files[reason][path][test.partition("[")[0]] += 1
    for reason, tests_in in files.items():
        yield f"{reason}:"
        for path, tests in sorted(tests_in.items()):
            told = (name if count == 1 else f"{name} ({count})" for name, count in tests.items())
            yield f"  {path}: {', '.join(told)}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.option.everything and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
