"""Who plays sees the whole table, all that is said of it, and what they may do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import visiting
from tests.support.drawn_replay import FACTS, SCREENS, assert_visible, on_screen
from tests.support.sitting_down import leave, next_decision, sits_down

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

PARTS = [".felt", ".seat.acting", ".zone.trick", ".choices"]


@pytest.mark.parametrize(
    ("game", "address"),
    [
        ("xeri", "192.0.2.1"),
        ("seven-euchre", "192.0.2.2"),
        ("russian-bank", "192.0.2.3"),
        ("cash", "192.0.2.4"),
    ],
)
def test_the_table_fits_and_is_said(browser: Browser, origin: str, game: str, address: str) -> None:
    """Each from an `address` of its own: guests from one sit at few tables at once."""
    headers = {"X-Forwarded-For": address}
    with visiting(browser, origin, extra_http_headers=headers) as visit:
        page = sits_down(visit, game)
        next_decision(page)
        facts = page.evaluate(FACTS)
        said = {name for name, _ in facts["said"]}
        assert {name for name, _ in facts["drawn"]} == said != set()
        for width, height in SCREENS:
            on_screen(page, width, height)
            assert_visible(page, PARTS)
        leave(page)
