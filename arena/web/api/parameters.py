"""Parameters that several addresses of the API take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from sqlalchemy.orm import Session

from arena.web.site import site_of

MOST = 200
LONGEST_NAME = 200

Name = Annotated[str, Path(max_length=LONGEST_NAME)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="At most so many.")]


def _session(request: Request) -> Iterator[Session]:
    with site_of(request).store.reading() as session:
        yield session


Reading = Annotated[Session, Depends(_session)]
"""A read transaction for as long as the answer is made."""
