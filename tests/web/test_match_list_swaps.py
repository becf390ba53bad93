"""With scripts, a filter replaces what was found and leaves the form alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.chromium import visiting

BOT = "two-versions"

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


def test_a_filter_replaces_the_list_the_heading_and_the_address(
    browser: Browser, crowded_site: str
) -> None:
    with visiting(browser, crowded_site) as visit:
        page = visit.open("/matches")
        page.evaluate("document.querySelector('.filters').dataset.stays = 'yes'")
        page.get_by_label("Bot", exact=True).fill(BOT)
        page.get_by_label("Result").select_option("won")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#heading")).to_contain_text(BOT)
        expect(page).to_have_url(re.compile(f"bot={BOT}"))
        assert page.evaluate("document.querySelector('.filters').dataset.stays") == "yes"
        expect(page.locator("#found tbody tr")).not_to_have_count(0)
        page.get_by_label("Bot", exact=True).fill("")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("alert")).to_contain_text("name it as well")
        page.get_by_label("Bot", exact=True).fill(BOT[:-1])
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#found")).to_contain_text(f"Did you mean {BOT}?")
        page.go_back()
        expect(page.get_by_role("alert")).to_contain_text("name it as well")
        page.go_back()
        expect(page.locator("#heading")).to_contain_text(BOT)
