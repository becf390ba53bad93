"""The key that signs what travels through the queue."""

import stat
from pathlib import Path

import pytest

from arena.errors import Kind
from arena.queue.signing_key import made_key, read_key
from tests.support.failing import failing


def test_a_key_is_made_once_and_only_its_user_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "queue.key"
    (tmp_path / "queue.key.unfinished").write_text("of an arena that was killed")
    key = made_key(file)
    assert (len(key), made_key(file), read_key(file)) == (32, key, key)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert made_key(tmp_path / "other.key") != key
    assert {path.name for path in tmp_path.iterdir()} == {"queue.key", "other.key"}


@pytest.mark.parametrize("text", [b"", b"\n", b"12ab\n", b"x" * 64, b"\xff" * 64, b"ab" * 40])
def test_a_file_without_a_key_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "queue.key"
    file.write_bytes(text)
    for read in (read_key, made_key):
        with failing(Kind.WRONG_INPUT, match=r"queue\.key does not contain a key, which is 64 hex"):
            read(file)
    assert file.read_bytes() == text


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with failing(Kind.WRONG_INPUT, match=r"no\.key cannot be read \(No such file or directory\)"):
        read_key(tmp_path / "no.key")
