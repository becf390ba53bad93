"""Litter and secrets are no part of a bot, and the secrets are named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.references import find_kept, find_runnable
from arena.bots.source import Program, private_files, remove_unselected

MANIFEST = 'name = "good"\nrun = ["python", "bot.py"]\n'
KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("print()\n")
    return folder


def program(folder: Path) -> Program:
    found = find_runnable(str(folder))
    assert isinstance(found, Program)
    return found


@pytest.mark.parametrize(
    "name",
    [
        *("._bot.py", ".DS_Store", "__MACOSX/._bot.py", "bot.py~", ".bot.py.swp", ".bot.py.swo"),
        *("data/Thumbs.db", "desktop.ini", "data/._x"),
    ],
)
def test_litter_changes_no_digest(bot: Path, name: str) -> None:
    before = program(bot).version
    (bot / name).parent.mkdir(exist_ok=True)
    (bot / name).write_text("left behind")
    assert program(bot).version == before
    assert not program(bot).private()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".env", "TOKEN=sat_1"),
        ("conf/.env.local", "TOKEN=sat_1"),
        ("id_rsa", KEY),
        (".ssh/id_ed25519", KEY),
        ("server.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n" + KEY),
        ("tls.KEY", KEY),
    ],
)
def test_secrets_are_left_out_and_named(bot: Path, name: str, content: str) -> None:
    before = program(bot).version
    (bot / name).parent.mkdir(exist_ok=True)
    (bot / name).write_text(content)
    assert program(bot).version == before
    assert program(bot).private() == [name]


@pytest.mark.parametrize("name", ["cacert.pem", "environment", "tiles.key", ".envelope", "swap.py"])
def test_what_only_looks_like_it_stays(bot: Path, name: str) -> None:
    (bot / name).write_text("-----BEGIN CERTIFICATE-----\n")
    assert name in {entry.name for entry in program(bot).content()}


def test_the_sentence_names_a_few() -> None:
    assert private_files([]) == ""
    assert private_files([".git", ".env"]) == "Left out as private: .env, .git."
    many = private_files(f"{number}.pem" for number in range(8))
    assert many.endswith("3.pem, 4.pem and 3 more.")


def test_what_is_not_selected_is_removed(bot: Path) -> None:
    clean = program(bot).version
    (bot / ".git" / "objects").mkdir(parents=True)
    (bot / ".git" / "objects" / "a").write_text("")
    (bot / "__MACOSX").mkdir()
    (bot / "__MACOSX" / "._bot.py").write_text("")
    (bot / ".env").symlink_to("bot.py")
    (bot / "key.pem").write_text(KEY)
    assert sorted(remove_unselected(bot)) == [".env", ".git", "key.pem"]
    assert {path.name for path in bot.iterdir()} == {"bot.toml", "bot.py"}
    assert find_kept(bot).version == clean


def test_a_version_that_the_arena_keeps_never_loses_a_file(bot: Path) -> None:
    (bot / ".env").write_text("")
    kept = find_kept(bot)
    assert ".env" in {entry.name for entry in kept.content()}
    assert kept.version != replace(kept, kept=False).version
