"""Selects the files in a contestant's folder that are part of the bot."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arena.bots.source.files import Entry, is_ignored, list_content
from arena.bots.source.tree import open_file, remove_tree

# Desktops and editors leave these behind: macOS, Windows, Emacs and Vim.
LITTER = re.compile(
    r"\._.*|\.ds_store|__macosx|thumbs\.db|desktop\.ini|.*~|\..*\.sw[a-p]", re.I | re.S
)
# The names of what owners send by mistake, and no bot needs where it runs.
PRIVATE = re.compile(r"\.git|\.env(\..*)?|id_(rsa|dsa|ecdsa|ed25519)(_sk)?", re.S)
# Libraries bring public certificates in files of the same kinds.
KEY_FILE = re.compile(r"[^/]+\.(pem|key)", re.I)
KEY_MARK = b"PRIVATE KEY-----"
KEY_FILE_BYTES = 64 * 1024
SHOWN = 5


@dataclass(frozen=True)
class Selection:
    """The files of a folder, divided.

    `entries`: those of the bot.
    `litter`: the paths of what desktops and editors left.
    `private`: the paths of what may be secret, and of `.git`.
    """

    entries: list[Entry]
    litter: list[str]
    private: list[str]


def select(folder: Path) -> Selection:
    """Divides the files of a folder. Raises ContentError as `list_content` does."""
    litter: list[str] = []
    private: list[str] = []

    def leave_out(path: str) -> bool:
        name = path.rpartition("/")[2]
        if PRIVATE.fullmatch(name):
            private.append(path)
        elif LITTER.fullmatch(name):
            litter.append(path)
        else:
            return is_ignored(name)
        return True

    entries = list_content(folder, leave_out)
    private += (entry.name for entry in entries if _is_private_key(entry))
    return Selection([entry for entry in entries if entry.name not in private], litter, private)


def remove_unselected(folder: Path) -> list[str]:
    """Removes what is not part of a bot from an unpacked folder. Returns the paths of what may be
    secret. Raises ContentError and OSError."""
    selection = select(folder)
    for path in (*selection.litter, *selection.private):
        place = folder / path
        if place.is_dir() and not place.is_symlink():
            remove_tree(place)
        else:
            place.unlink()
    return selection.private


def private_files(paths: Iterable[str]) -> str:
    """Returns a sentence about private files that were left out; empty if there are none."""
    names = sorted(paths)
    if not names:
        return ""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return f"Left out as private: {', '.join(names[:SHOWN])}{more}."


def _is_private_key(entry: Entry) -> bool:
    if entry.kind == "link" or not KEY_FILE.fullmatch(entry.path.name):
        return False
    with open_file(entry.path) as file:
        return KEY_MARK in file.read(KEY_FILE_BYTES)
