"""A host says by a trial whether its machine can run bots."""

import os
import resource
from pathlib import Path

import pytest

from arena.bots.host import Host
from arena.bots.interface import ArenaFailure
from arena.bots.isolation import Isolation
from arena.bots.limits import delegation
from arena.bots.limits.room import room_for_tasks
from arena.bots.sandbox import bubblewrap


async def test_a_machine_that_can_run_bots_passes(isolation: Isolation) -> None:
    async with Host(isolation) as host:
        await host.try_out()


async def test_a_machine_without_a_python_for_bots_fails_and_may_pass_later(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation
) -> None:
    def missing() -> Path:
        raise FileNotFoundError("There is no Python for bots.")

    async with Host(isolation) as host:
        with monkeypatch.context() as patch:
            patch.setattr("arena.bots.host.python_folder", missing)
            with pytest.raises(ArenaFailure, match="no Python for bots"):
                await host.try_out()
        await host.try_out()


@pytest.mark.needs("bubblewrap")
async def test_a_machine_without_namespaces_fails_and_may_pass_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho No permissions to create a new namespace >&2; exit 1")
    broken.chmod(0o755)
    bubblewrap.missing_for_sandbox.cache_clear()
    async with Host(Isolation.BUBBLEWRAP) as host:
        with monkeypatch.context() as patch:
            patch.setattr(bubblewrap, "_bubblewrap", lambda: str(broken))
            with pytest.raises(ArenaFailure, match="cannot create a sandbox here"):
                await host.try_out()
        await host.try_out()


async def test_a_machine_without_room_for_processes_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delegation, "room_for_tasks", lambda: 3)
    async with Host(Isolation.NONE) as host:
        with pytest.raises(ArenaFailure, match="room for only 3 more processes"):
            await host.try_out()


def test_root_is_exempt_from_the_limit_on_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (5, 5))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert room_for_tasks() == float("inf")
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    assert room_for_tasks() == 0
