"""Backups that an arena makes of itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import arena.hosting.backups as backups
from arena.hosting.backups import TIME, BackupPlan, keep_backing_up, made
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from tests.support.new_store import new_store
from tests.support.seats import until

DAY_S = 86_400.0


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    store: Store = new_store(tmp_path / "data")
    yield DataFolder(tmp_path / "data")
    store.close()


def backup_of(days_ago: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days_ago)).strftime(TIME)


async def test_only_the_latest_are_kept_and_other_files_stay(
    data: DataFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    names = [backup_of(days) for days in (3, 2, 1.5)]
    for name in (*names, "mine", f"{names[0]}.unfinished"):
        (folder / name).mkdir(parents=True)
    task = asyncio.create_task(keep_backing_up(data, BackupPlan(DAY_S, 2, folder)))
    await until(lambda: not (folder / names[1]).exists())
    task.cancel()
    assert {path.name for path in folder.iterdir()} == {names[2], made(folder)[-1].name, "mine"}


def test_the_next_is_due_when_the_last_is_old_enough(tmp_path: Path) -> None:
    plan = BackupPlan(DAY_S, 2, tmp_path / "backups")
    assert backups._due_in_s(plan) == 0
    (plan.folder / backup_of(0.75)).mkdir(parents=True)
    assert backups._due_in_s(plan) == pytest.approx(DAY_S / 4, abs=3600)
    (plan.folder / "mine").mkdir()
    assert backups._due_in_s(BackupPlan(3600, 2, plan.folder)) == 0


async def test_a_failure_is_logged_and_tried_again(
    data: DataFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(backups, "AGAIN_S", 0.01)
    place = tmp_path / "file"
    place.write_text("")
    task = asyncio.create_task(keep_backing_up(data, BackupPlan(DAY_S, 2, place)))
    await until(lambda: "no backup was made" in caplog.text)
    place.unlink()
    await until(lambda: made(place))
    task.cancel()
