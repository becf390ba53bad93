"""Backups of an arena that plays meanwhile: whatever they name is there, and true."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting.backups import made
from tests.support.command_line import ran
from tests.support.patience import until
from tests.support.whole_arena.arena import WholeArena

pytestmark = pytest.mark.slow


def test_backups_while_matches_are_played_are_restored(tmp_path: Path) -> None:
    with WholeArena(tmp_path) as arena:
        arena.create()
        backups = tmp_path / "backups"
        server = arena.server("--backup", "30m", "--keep", "1", "--backup-to", str(backups))
        until(lambda: made(backups), "the arena backs itself up")
        until(lambda: arena.recorded() >= 3, "three matches are recorded")
        copied = ran("backup", tmp_path / "copy.tar", "--data", arena.data)
        assert copied.code == 0, copied.err
        played = arena.recorded()
        server.stop()
        for source in (tmp_path / "copy.tar", *made(backups)):
            new = tmp_path / f"new-{source.name}"
            restored = ran("restore", source, "--data", new, "--json")
            assert restored.code == 0, restored.err
        with WholeArena(tmp_path / "restored") as again:
            (tmp_path / "restored").mkdir()
            (tmp_path / "new-copy.tar").rename(again.data)
            before = again.recorded()
            assert 3 <= before <= played
            server = again.server()
            until(lambda: again.recorded() > before, "the restored arena plays on")
            server.stop()
