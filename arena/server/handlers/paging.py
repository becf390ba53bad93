"""The size of a page of a list."""

from __future__ import annotations

DEFAULT_PAGE = 50
LARGEST_PAGE = 1000


def page_size(limit: int) -> int:
    """Returns how many items to send; a limit of 0 stands for none given."""
    return min(limit or DEFAULT_PAGE, LARGEST_PAGE)
