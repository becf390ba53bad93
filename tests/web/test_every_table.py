"""Every game's table in a real browser: all of it is visible, and what is drawn is also said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page

from arena.games import Layout, load, slugs
from tests.support.chromium import Visit, visiting
from tests.support.drawn_replay import FACTS, SCREENS, assert_visible, on_screen

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium"), pytest.mark.timeout(180)]

PARTS = [".felt", ".seat.acting", ".zone.trick", ".legal .taken", ".decision .choice"]


@pytest.fixture
def visit(browser: Browser, games_site: str) -> Iterator[Visit]:
    """A tab of a desktop's browser, for the site with every game."""
    with visiting(browser, games_site) as tab:
        yield tab


def opened(visit: Visit, address: str) -> Page:
    page = visit.open(address)
    page.locator(".felt").wait_for()
    return page


@pytest.mark.parametrize("slug", slugs())
def test_the_table_fits_and_is_said(
    visit: Visit, matches_of_games: Mapping[str, str], slug: str
) -> None:
    for query in ("?at=3", "?seat=1&at=24"):
        page = opened(visit, f"/matches/{matches_of_games[slug]}{query}")
        assert_facts_are_drawn_and_said(page, load(slug).layout)
        for width, height in SCREENS:
            on_screen(page, width, height)
            for key in ("ArrowLeft", "ArrowRight", "End", "Home"):
                assert_visible(page, PARTS)
                page.keyboard.press(key)


def assert_facts_are_drawn_and_said(page: Page, layout: Layout) -> None:
    facts = page.evaluate(FACTS)
    said = dict(facts["said"])
    assert {name for name, _ in facts["drawn"]} == said.keys() != set()
    for name, text in facts["drawn"]:
        assert text.removeprefix(layout.fact(name).label).strip() in said[name]


def test_a_phone_sees_the_table_first(
    browser: Browser, games_site: str, matches_of_games: Mapping[str, str]
) -> None:
    phone = {"width": 360, "height": 740}
    with visiting(browser, games_site, viewport=phone) as visit:
        page = opened(visit, f"/matches/{matches_of_games['seven-euchre']}?at=24")
        page.wait_for_function("() => scrollY > 0")
        assert_visible(page, PARTS)
