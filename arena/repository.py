"""Finds the parts of the repository that commands and pages use and that are not modules."""

from __future__ import annotations

from pathlib import Path

import arena


def repository() -> Path:
    """Returns the folder with `sdk/`, `proto/`, `sample_bots/`, `sample_games/` and `docs/games/`:
    the checkout that the arena runs from, or the copy in the wheel that it was installed from."""
    package = Path(arena.__file__).parent
    checkout = package.parent
    return checkout if (checkout / "proto" / "sevens").is_dir() else package / "shipped"
