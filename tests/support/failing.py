"""Expects a failure of one kind."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import ArenaError, Kind


def failing(kind: Kind, match: str | None = None) -> Any:
    """Returns the context in which an ArenaError of this kind is raised, whose sentence matches."""

    def check(error: ArenaError) -> bool:
        assert error.kind is kind
        return True

    return pytest.raises(ArenaError, match=match, check=check)
