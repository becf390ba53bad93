"""The record of a match from the store, or a page that says why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from arena.records import BadRecord
from arena.store.queries import NotFound
from arena.web.failures import PageFailure


@contextmanager
def as_page_failure() -> Iterator[None]:
    """Raises PageFailure where a record has been pruned (NotFound), or is damaged or of other rules
    than these (BadRecord)."""
    try:
        yield
    except NotFound as pruned:
        raise PageFailure(HTTPStatus.GONE, str(pruned)) from None
    except BadRecord as bad:
        raise PageFailure(HTTPStatus.CONFLICT, bad.sentence) from None
