"""Bots get devices of their own where the arena may create some, else the machine's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.bots.sandbox import kernel_files
from arena.bots.sandbox.kernel_files import DEVICES, OF_THE_MACHINE, OwnDevices, trial_devices


@pytest.fixture(autouse=True)
def untried() -> Iterator[None]:
    kernel_files._home.cache_clear()
    yield
    kernel_files._home.cache_clear()


def refuse(*_: object) -> None:
    raise PermissionError


def test_without_the_privilege_bots_see_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.mknod", refuse)
    own = OwnDevices()
    assert own.folder == trial_devices() == OF_THE_MACHINE
    own.lay_out()
    own.remove()
    assert (OF_THE_MACHINE / "null").exists()


def test_each_process_has_its_own_until_it_ends() -> None:
    if trial_devices() == OF_THE_MACHINE:
        assert OwnDevices().folder == OF_THE_MACHINE
        return
    one, other = OwnDevices(), OwnDevices()
    for own in (one, other):
        own.lay_out()
        for name in DEVICES:
            mine, machines = (own.folder / name).stat(), (OF_THE_MACHINE / name).stat()
            assert (mine.st_mode, mine.st_rdev) == (machines.st_mode, machines.st_rdev)
    one.remove()
    one.remove()
    assert not one.folder.exists()
    assert (other.folder / "null").exists()
    other.remove()
