"""What a test sees of a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error on stderr, as `--json` gives it: its last line."""
        error: dict[str, str] = json.loads(self.err.splitlines()[-1])["error"]
        return error


Arena = Callable[..., Ran]
