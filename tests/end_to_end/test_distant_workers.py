"""Workers that share only Redis with the server: they fetch the bots that they play."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.app import run
from tests.support.command_line import ran
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import address, token_of

pytestmark = pytest.mark.slow

SANDBOXES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("none", marks=pytest.mark.nightly),
]
BUILD = "import os\nos.rename('bot.py', 'made.py')\n"


@pytest.fixture(params=SANDBOXES)
def arena(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WholeArena]:
    with WholeArena(tmp_path, request.param) as arena:
        data = str(arena.data)
        assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", "--data", data]) == 0
        yield arena
        arena.assert_nothing_runs()


def built_bot(folder: Path) -> Path:
    """A bot that can play only after its build."""
    bot = Path(shutil.copytree(SAMPLE_BOTS / "random_bot", folder / "built_bot"))
    (bot / "build.py").write_text(BUILD)
    (bot / "bot.toml").write_text(
        'name = "built"\nrun = ["python", "made.py"]\nbuild = ["python", "build.py"]\n'
    )
    return bot


def test_a_worker_in_an_empty_folder_plays_what_it_fetches(arena: WholeArena) -> None:
    server = arena.server(workers=0)
    at = address(server)
    for owner, bot in (("Ann", SAMPLE_BOTS / "random_bot"), ("Bob", built_bot(arena.folder))):
        token = token_of(arena, owner)
        submitted = ran("submit", bot, "--ladder", "main", "--json", server=at, token=token)
        assert submitted.json["accepted"], submitted.out
    worker = arena.distant_worker(at, token_of(arena, "w1", "worker"), "--keep-mb", "1")
    until(lambda: arena.recorded() >= 3, "three matches are recorded")
    said = worker.said()
    assert said.count(": fetched, ") == 2
    rows = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
    assert {(row["bot"], row["faults"]) for row in rows} == {("random", 0), ("built", 0)}
    # A worker that was killed leaves its cache to the next one, which removes it.
    left = [*arena.sockets.glob("sevens-*/*/*/bot.toml")]
    assert len(left) >= 2
    worker.process.kill()
    worker.process.wait()
    worker = arena.distant_worker(at, token_of(arena, "w2", "worker"))
    until(lambda: worker.said().count(": fetched, ") == 2, "the next one fetches")
    assert [cache for cache in left if cache.exists()] == []
    worker.stop()
    server.stop()


@pytest.mark.parametrize("arena", ["none"], indirect=True)
def test_a_worker_that_is_not_let_in_leaves(arena: WholeArena) -> None:
    server = arena.server(workers=0)
    at = address(server)
    ann = token_of(arena, "Ann")
    for token, words in [("sat_x", "unknown or was revoked"), (ann, "needs the role worker")]:
        worker = arena.distant_worker(at, token)
        assert worker.process.wait(PATIENCE_S) == 3
        assert words in worker.said().replace("\n", " ")
    nobody = arena.distant_worker("127.0.0.1:1", "sat_x")
    assert nobody.process.wait(PATIENCE_S) == 3
    assert "No arena answers at 127.0.0.1:1" in nobody.said().replace("\n", " ")
    # A worker whose token is revoked while it plays returns its job.
    bob, cy = token_of(arena, "Bob"), token_of(arena, "Cy")
    for token, bot in ((ann, "random_bot"), (bob, "xeri_fisher")):
        submitted = ran("submit", SAMPLE_BOTS / bot, "--ladder", "main", server=at, token=token)
        assert submitted.code == 0, submitted.err
    worker = arena.distant_worker(at, token_of(arena, "w1", "worker"))
    until(lambda: arena.recorded() >= 1, "a match is recorded")
    listed = ran("token", "list", "--data", arena.data, "--json").json["tokens"]
    [token_id] = [token["id"] for token in listed if token["owner"] == "w1"]
    assert ran("token", "revoke", token_id, "--data", arena.data).code == 0
    third = ran("submit", built_bot(arena.folder), "--ladder", "main", server=at, token=cy)
    assert third.code == 0, third.err
    assert worker.process.wait(PATIENCE_S) == 3
    assert "could not be fetched from the server: The token is unknown or was revoked" in (
        worker.said().replace("\n", " ")
    )
    again = arena.distant_worker(at, token_of(arena, "w2", "worker"))
    recorded = arena.recorded()
    until(lambda: arena.recorded() > recorded + 8, "the jobs go on")
    assert arena.parked() == []
    again.stop()
    server.stop()
