"""Logs of processes that keep their file open are bounded."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting import log_rotation


def test_a_long_log_is_put_aside_and_written_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_rotation, "LIMIT_BYTES", 10)
    monkeypatch.setattr(log_rotation, "KEPT", 2)
    log = tmp_path / "worker-1.log"
    (tmp_path / "short.log").write_text("short")
    with log.open("a") as process:
        for number in "123":
            process.write(f"{number} is a long line\n")
            process.flush()
            log_rotation.rotate((tmp_path, tmp_path / "nowhere"))
        process.write("end")
    assert log.read_text() == "end"
    kept = {path.name: path.read_text()[0] for path in tmp_path.glob("worker-1.log.*")}
    assert kept == {"worker-1.log.1": "3", "worker-1.log.2": "2"}
    assert (tmp_path / "short.log").read_text() == "short"
