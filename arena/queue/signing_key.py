"""The signing key of an arena's league and workers, in a file that only their user may read."""

from __future__ import annotations

import secrets
from pathlib import Path

from arena.disk import full_disk, is_full
from arena.errors import ArenaError, Kind

KEY_BYTES = 32
SLACK_BYTES = 16  # leaves room for a line end and other additions of an editor


def made_key(file: Path) -> bytes:
    """Returns the key in the file; creates the file if there is none.

    Not safe for several processes at once. Raises ArenaError and DiskFull.
    """
    if not file.exists():
        unfinished = file.with_name(f"{file.name}.unfinished")
        unfinished.unlink(missing_ok=True)
        unfinished.touch(0o600)
        try:
            unfinished.write_text(secrets.token_hex(KEY_BYTES) + "\n", encoding="ascii")
        except OSError as error:
            raise (full_disk(file.parent) if is_full(error) else error) from None
        unfinished.replace(file)
    return read_key(file)


def read_key(file: Path) -> bytes:
    """Returns the key in the file. Raises ArenaError."""
    try:
        with file.open("rb") as opened:
            text = opened.read(2 * KEY_BYTES + SLACK_BYTES)
    except OSError as error:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The key file {file} cannot be read ({error.strerror}): name a copy of the file"
            " queue.key in the data folder of the arena.",
            "key_file",
        ) from None
    try:
        key = bytes.fromhex(text.decode("utf-8-sig").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{file} does not contain a key, which is {2 * KEY_BYTES} hexadecimal digits: copy it "
            "again. In the data folder itself, delete it; the arena creates another when it "
            "starts.",
            "key_file",
        )
    return key
