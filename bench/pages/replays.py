"""The first picture of a replay: how long after its data it is drawn, in Chromium."""

from __future__ import annotations

import json
from statistics import median

from playwright.sync_api import Browser
from rich.table import Table

from arena.web.replay import Document
from bench.league import League
from bench.pages.answers import whole_match
from bench.pages.drawn_match import VIEWS, opened, played_document
from bench.pages.served import Pages
from bench.side_by_side import verdict
from tests.support.chromium import chromium

GAMES = ("xeri", "oh-seven", "seven-rummy", "russian-bank", "california-speed")
TIMES = 7
AT_MOST_MS = 300.0
FIRST_PICTURE = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("#replay .stage-holder > *")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => performance.mark("picture")));
}).observe(document, { childList: true, subtree: true });
"""
AFTER_ITS_DATA = """
const [picture] = performance.getEntriesByName("picture");
const resources = performance.getEntriesByType("resource");
picture.startTime - resources.find((one) => one.name.includes("replay.json")).responseEnd
"""


def replay_table(pages: Pages, league: League) -> Table:
    """Returns the times for one match of several games."""
    table = Table(title=f"First picture of a replay, ms after its data: of {TIMES} visits each")
    table.add_column("game", no_wrap=True)
    table.add_column("screen", no_wrap=True)
    for column in ("decisions", "kB of JSON", "median", "longest", f"≤ {AT_MOST_MS:g}"):
        table.add_column(column, justify="right")
    address = f"{pages.origin}/matches/{whole_match(league)}"
    documents = {slug: played_document(slug) for slug in GAMES}
    with chromium() as browser:
        for slug, document in documents.items():
            size = len(json.dumps(document, separators=(",", ":")))
            for view in VIEWS:
                times = [_visited_ms(browser, address, view, document) for _ in range(TIMES)]
                table.add_row(
                    slug,
                    view,
                    str(document["decisions"]),
                    f"{size / 1000:.0f}",
                    f"{median(times):.0f}",
                    f"{max(times):.0f}",
                    verdict(max(times) <= AT_MOST_MS),
                )
    return table


def _visited_ms(browser: Browser, address: str, view: str, document: Document) -> float:
    """Opens the page; returns the time until the first picture."""
    with opened(browser, address, view, document, FIRST_PICTURE) as page:
        page.wait_for_function("performance.getEntriesByName('picture').length")
        return float(page.evaluate(AFTER_ITS_DATA))
