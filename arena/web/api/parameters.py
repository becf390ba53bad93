"""Parameters that several addresses of the API take."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

LONGEST_NAME = 200

Name = Annotated[str, Path(max_length=LONGEST_NAME)]
