"""Commands report the runtimes that the organiser of a machine names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Arena

FILE = "runtimes.toml"


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_RUNTIMES", FILE)


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--listen", "127.0.0.1:0", "--no-web"),
        ("ladder", "run", "main", "--matches", "4"),
        ("demo", "--game", "xeri", "--matches", "1"),
        ("worker", "--redis", "unix:///no/such.sock"),
        ("play", "xeri", "builtin:random", "builtin:random"),
        ("bot", "check", "bot.py"),
    ],
)
def test_what_is_wrong_with_one_is_reported_at_the_start(
    arena: Arena, samples: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    if command[0] == "ladder":
        bots = (samples / "random_bot", samples / "xeri_fisher")
        assert arena("ladder", "create", "main", "xeri", *bots).code == 0
    Path("bot.py").write_text("")
    Path(FILE).write_text(
        f'below = ["/srv"]\n[tools]\nfolder = "{tmp_path}"\n[rust]\nfolder = "/no/such/rust"'
    )
    told = arena(*command, "--sandbox", "none")
    assert (told.code, told.out) == (2, "")
    sentence = " ".join(told.err.split())
    assert f"{FILE}: `rust.folder` is '/no/such/rust', which is not a folder" in sentence
    assert f"`tools.folder` is '{tmp_path}', which is {tmp_path}, not below /srv" in sentence


def test_the_doctor_lists_them(arena: Arena, tmp_path: Path) -> None:
    def told() -> dict[str, Any]:
        checks = arena("doctor", "--json").json["checks"]
        return next(check for check in checks if check["what"].startswith("runtimes"))

    (tmp_path / "tools").mkdir()
    Path(FILE).write_text(f'below = ["{tmp_path}"]\n[tools]\nfolder = "{tmp_path}/tools"')
    assert (told()["ok"], told()["found"]) == (True, f"tools ({tmp_path}/tools)")
    (tmp_path / "tools").rmdir()
    assert not told()["ok"]
    assert "`tools.folder` is" in told()["remedy"]
