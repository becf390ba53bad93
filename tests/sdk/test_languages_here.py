"""The bots that play when all languages meet, and the messages about those that cannot."""

from __future__ import annotations

import pytest

from arena.bots.source.manifest import read_manifest
from arena.cli.commands.bot.languages import LANGUAGES
from tools.examples import built_examples


def test_a_language_without_its_tools_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    examples = built_examples()
    assert list(examples.folders) == ["python"]
    assert set(examples.missing) == {*LANGUAGES} - {"python"}
    assert "Left out: Go, which needs Go 1.25 or newer." in examples.left_out()
    random_bot, fisher = map(read_manifest, examples.folders["python"])
    assert (random_bot.games, fisher.games) == ((), ("xeri",))
