"""The names of all JSON documents are those of the page about them."""

from __future__ import annotations

from tools.operations_page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    """Whoever changes a name that programs read sees it here, and writes it into CHANGELOG.md."""
    assert PAGE.read_text() == page(), "python -m tools.operations_page writes it again"
