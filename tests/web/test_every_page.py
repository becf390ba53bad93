"""What holds for every page that anybody may see, in light and dark, on a desktop and on a phone.

The pages of contestants are in test_own_pages.py, and those of tables in tables/, with the arenas
that they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arena.store.open import open_store
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.faultless_pages import SIZES, assert_faultless, in_every_look

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("chromium"),
    pytest.mark.needs("node"),
]

ADDRESSES = [
    "/",
    "/ladders",
    "/ladders/main",
    "/ladders/nowhere",
    "/matches",
    "/matches?result=lost",
    "/matches/nothing",
    "/live",
    "/live/nothing",
    "/tv",
    "/play",
    "/play?game=oh-seven",
    "/login",
    "/nothing-here",
]
OF_A_MATCH = [
    "/matches/{}",
    "/matches/{}?seat=1&at=7",
    "/matches/{}?seat=9",
    "/embed/{}",
    "/deals/{}",
]
BUSY_ADDRESSES = [
    "/",
    "/games",
    "/games/xeri",
    "/games/xeri/rules",
    "/owners/Ann",
    "/bots/ann",
    "/bots/%3Cscript%3E",
    "/search?q=ann",
    "/search?q=zzzz",
    "/tournaments",
    "/tournaments/robin",
    "/tournaments/bracket",
    "/tournaments/to-come",
    "/comparisons",
    "/comparisons/duel",
    "/comparisons/running",
]
CROWDED_ADDRESSES = ["/ladders/main", "/matches"]


def latest_match(data: Path) -> str:
    store = open_store(data, "read")
    with store.reading() as session:
        [match] = find_matches(session, limit=1).matches
    store.close()
    return match.match


def visit_all(
    browser: Browser, origin: str, addresses: Sequence[str], axe: str, scheme: str, size: str
) -> None:
    with visiting(browser, origin, color_scheme=scheme, viewport=SIZES[size]) as visit:
        for address in addresses:
            page = visit.open(address)
            if address.startswith(("/matches/", "/embed/")) and page.locator("#replay").count():
                page.locator("#replay.replay .stage-holder").wait_for()  # it is drawn
            assert_faultless(page, axe)


@in_every_look
def test_a_page_of_a_small_arena(
    browser: Browser, shown: Path, site: str, axe: str, scheme: str, size: str
) -> None:
    of_match = [address.format(latest_match(shown)) for address in OF_A_MATCH]
    visit_all(browser, site, [*ADDRESSES, *of_match], axe, scheme, size)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_menu_of_a_phone_opens(browser: Browser, site: str, scripts: bool) -> None:
    with visiting(browser, site, viewport=SIZES["phone"], java_script_enabled=scripts) as visit:
        page = visit.open("/")
        link = page.get_by_role("link", name="Comparisons", exact=True)
        expect(link).to_be_hidden()
        page.get_by_role("button", name="Menu").click()
        expect(link).to_be_visible()
        link.click()
        page.wait_for_url("**/comparisons")


@in_every_look
def test_a_page_of_a_busy_arena(
    browser: Browser, busy: Path, busy_site: str, axe: str, scheme: str, size: str
) -> None:
    addresses = [*BUSY_ADDRESSES, f"/deals/{latest_match(busy)}"]
    visit_all(browser, busy_site, addresses, axe, scheme, size)


@in_every_look
def test_a_page_with_strange_names(
    browser: Browser, crowded_site: str, axe: str, scheme: str, size: str
) -> None:
    visit_all(browser, crowded_site, CROWDED_ADDRESSES, axe, scheme, size)
