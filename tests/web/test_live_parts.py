"""The module that keeps the parts of a page up to date, in a real browser.

The page is the test's own; its events and its static files are the site's.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, Route, expect

from arena.store.open import open_store
from arena.web.http.static_files import static_address
from tests.support.chromium import visiting
from tests.support.event_streams import pages_here
from tests.support.patience import until

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

PAGE = f"""<!doctype html>
<title>A ladder</title>
<link rel="icon" href="data:,">
<script type="module" src="{static_address("live.js")}"></script>
<main data-live="/ladders/main/events">
<p data-live-line role="status"></p>
<button data-live-pause hidden aria-pressed="false">Pause updates</button>
<section data-part="standings"></section>
</main>"""
RESTED_MS = 15_000  # after the page has rested since its last look
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:"
SCROLLED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".scroll { height: 50px; overflow: auto; }");
  document.adoptedStyleSheets = [sheet];
  document.querySelector(".scroll").scrollTop = 40;
}"""


@pytest.fixture
def data(shown: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shown, tmp_path / "data"))


class Part:
    """Answers for the page and its part. `version`: what the part shows; `asked`: how often it
    was asked for."""

    def __init__(self) -> None:
        self.version = 1
        self.asked = 0

    def __call__(self, route: Route) -> None:
        if "part=standings" not in route.request.url:
            route.fulfill(
                body=PAGE, content_type="text/html", headers={"Content-Security-Policy": POLICY}
            )
            return
        self.asked += 1
        rows = "<p>row</p>" * 100
        body = (
            f'<div class="scroll">{rows}</div><a href="/a">one</a> <a href="/b">v{self.version}</a>'
        )
        route.fulfill(body=body, content_type="text/html")


@pytest.fixture
def opened(browser: Browser, data: Path) -> Iterator[tuple[Page, Part]]:
    part = Part()
    with pages_here(data) as origin, visiting(browser, origin) as visit:
        visit.page.route(f"{origin}/page*", part)
        page = visit.open("/page")
        expect(page.locator("[data-part]")).to_contain_text("v1")
        yield page, part


def change(data: Path, name: str) -> None:
    store = open_store(data, "write")
    with store.writing() as session:
        session.execute(
            sa.text(
                "INSERT INTO jobs"
                " (id, competition, token_hash, state, attempts, reason, created_at, body)"
                " SELECT :name, competition, token_hash, 'queued', 0, '', created_at, body"
                " FROM jobs LIMIT 1"
            ),
            {"name": name},
        )
    store.close()


def test_a_change_swaps_the_part_and_keeps_focus_and_scroll(
    opened: tuple[Page, Part], data: Path
) -> None:
    page, part = opened
    expect(page.locator("[data-live-line]")).to_have_text("12 rated, 0 in play or waiting")
    page.locator("[data-part] a").nth(1).focus()
    page.evaluate(SCROLLED)
    part.version = 2
    change(data, "new")
    expect(page.locator("[data-part]")).to_contain_text("v2", timeout=RESTED_MS)
    expect(page.locator("[data-live-line]")).to_have_text("12 rated, 1 in play or waiting")
    assert page.evaluate("document.activeElement.textContent") == "v2"
    assert page.evaluate("document.querySelector('.scroll').scrollTop") == 40


def test_paused_updates_stay_away_until_they_are_wanted_again(
    opened: tuple[Page, Part], data: Path
) -> None:
    page, part = opened
    button = page.get_by_role("button", name="Pause updates")
    button.click()
    asked = part.asked
    part.version = 2
    change(data, "new")
    page.wait_for_timeout(2_500)
    assert part.asked == asked
    button.click()
    expect(page.locator("[data-part]")).to_contain_text("v2", timeout=RESTED_MS)


def ask_after(page: Page, part: Part) -> bool:
    """Lets the page's time pass; returns whether it has asked."""
    page.clock.run_for(16_000)
    return part.asked > 0


def test_whoever_is_refused_an_event_stream_asks_now_and_then(browser: Browser, data: Path) -> None:
    part = Part()
    with pages_here(data) as origin, visiting(browser, origin) as visit:
        page = visit.page
        page.clock.install()
        page.route(f"{origin}/page*", part)
        page.route("**/ladders/main/events", lambda route: route.fulfill(status=503))
        with page.expect_response("**/ladders/main/events"):
            visit.open("/page")
        assert part.asked == 0
        until(lambda: ask_after(page, part), "it asks")
        expect(page.locator("[data-part]")).to_contain_text("v1")


def test_the_page_of_a_ladder_follows_its_queue(browser: Browser, data: Path) -> None:
    with pages_here(data) as origin, visiting(browser, origin) as visit:
        page = visit.open("/ladders/main")
        expect(page.locator("[data-live-line]")).to_have_text("12 rated, 0 in play or waiting")
        expect(page.locator("#standings .summary")).to_contain_text("0 queued or running")
        change(data, "new")
        expect(page.locator("#standings .summary")).to_contain_text(
            "1 queued or running", timeout=RESTED_MS
        )
        assert page.locator("#standings-heading").count() == 1
