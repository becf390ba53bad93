"""`arena top` of an arena that does not run, and of a queue with jobs and a worker."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

from arena.bots.sockets import private_folder
from arena.queue import EmbeddedValkey, Queue, made_key
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.schema import Machine, now
from tests.support.command_line import Arena
from tests.support.queue_messages import new_job


def test_of_an_arena_that_does_not_run_the_competitions_are_shown(arena: Arena, data: Path) -> None:
    told = arena("top", "--json").json
    assert told["trouble"] == "No arena runs on this data folder at present."
    assert (told["queue"], told["workers"]) == (None, [])
    [ladder] = told["competitions"]
    assert (ladder["name"], ladder["kind"], ladder["matches"]) == ("main", "ladder", 3)
    printed = arena("top").out
    assert "No arena runs" in printed
    assert "main" in printed


def test_machines_are_shown_that_were_seen_lately_or_are_blocked(arena: Arena, data: Path) -> None:
    long_ago = now() - timedelta(days=7)
    store = open_store(data, "write")
    with store.writing() as session:
        session.add(Machine(name="gone", seen_at=long_ago))
        session.add(Machine(name="here", seen_at=now()))
        session.add(Machine(name="hot", seen_at=long_ago, blocked_at=now(), reason="Its fan."))
    store.close()
    told = arena("top", "--json").json["machines"]
    states = {one["name"]: one["state"] for one in told}
    assert (states["here"], states["hot"]) == ("open", "blocked")
    assert "gone" not in states
    assert "hot" in arena("top").out


def test_jobs_and_workers_are_shown(arena: Arena, data: Path, tmp_path: Path) -> None:
    folder = DataFolder(data)
    with EmbeddedValkey(tmp_path / "valkey", private_folder()) as valkey, folder.hold() as hold:
        hold.announce(valkey.url)

        async def queue_jobs() -> None:
            queue = Queue(valkey.url, made_key(folder.queue_key))
            await queue.connect()
            for job_id in "abc":
                await queue.put(new_job(job_id))
            assert await queue.take("host-7", 2)
            await queue.close()

        asyncio.run(queue_jobs())
        told = arena("top", "--json").json
        assert told["trouble"] == ""
        assert (told["queue"]["waiting"], told["queue"]["in_play"]) == (2, 1)
        [worker] = told["workers"]
        assert (worker["name"], worker["jobs"]) == ("host-7", 1)
        printed = arena("top").out
        assert "Jobs that wait: 2 (the oldest for" in printed
        assert "host-7" in printed


def test_a_queue_that_does_not_answer_is_named(arena: Arena, data: Path) -> None:
    with DataFolder(data).hold() as hold:
        hold.announce("unix:///nowhere/valkey.sock")
        told = arena("top", "--json").json
    assert "does not answer as it should" in told["trouble"]
    assert told["competitions"]
