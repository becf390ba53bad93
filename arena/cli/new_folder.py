"""Folders that commands create for their users."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.disk import disk_trouble
from arena.errors import ArenaError, Kind


@contextmanager
def new_folder(name: str) -> Iterator[Path]:
    """Creates a folder, completely or not at all: what the block writes into the one that it is
    given. Raises ArenaError, also if there is one of that name."""
    folder = Path(name)
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{name}-") as scratch:
            new = Path(scratch, name)
            yield new
            folder.mkdir()  # not earlier: another process may have created it meanwhile
            new.replace(folder)
    except FileExistsError:
        raise ArenaError(
            Kind.WRONG_INPUT, f"{name} exists already; choose another name.", "name"
        ) from None
    except OSError as error:
        why = disk_trouble(error, folder.absolute().parent) or f"{error}."
        raise ArenaError(
            Kind.WRONG_INPUT, f"The folder {name} cannot be created. {why}", "name"
        ) from None
