"""Frames while cards move, in a replay that plays, in Chromium."""

from __future__ import annotations

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

GAMES = ("xeri", "seven-rummy", "russian-bank")
FRAMES = 300
LATE_MS = 1.5 * 1000 / 60
"""An interval from which one frame at least is missing."""
MOST_LATE = 0.05
PATIENCE_MS, LOOK_MS = 120_000, 500
# Records the intervals between two frames, from the first in which cards move: an animation is
# pending until the step that it belongs to is drawn.
WATCH = """
window.intervals = [];
let before = null;
requestAnimationFrame(function frame(now) {
  const cards = [...document.querySelectorAll(".playing-card.moving")];
  const moves = cards.some((card) => card.getAnimations().some(({ pending }) => !pending));
  if (moves && before !== null) intervals.push(now - before);
  before = moves ? now : null;
  requestAnimationFrame(frame);
});
"""


def frame_table(pages: Pages, league: League) -> Table:
    """Returns the intervals between frames for one match of several games. The work of a step comes
    before its cards begin to move, and is not among them."""
    table = Table(title=f"ms between {FRAMES} frames while cards move")
    table.add_column("game", no_wrap=True)
    table.add_column("screen", no_wrap=True)
    for column in ("median", "longest", f"> {LATE_MS:g}", f"≤ {MOST_LATE:.0%}"):
        table.add_column(column, justify="right")
    address = f"{pages.origin}/matches/{whole_match(league)}"
    documents = {slug: played_document(slug) for slug in GAMES}
    with chromium() as browser:
        for slug, document in documents.items():
            for view in VIEWS:
                apart = _intervals_ms(browser, address, view, document)
                late = sum(one > LATE_MS for one in apart) / len(apart)
                table.add_row(
                    slug,
                    view,
                    f"{median(apart):.1f}",
                    f"{max(apart):.1f}",
                    f"{late:.1%}",
                    verdict(late <= MOST_LATE),
                )
    return table


def _intervals_ms(browser: Browser, address: str, view: str, document: Document) -> list[float]:
    """Lets the page play until there are FRAMES; returns the intervals between them."""
    with opened(browser, address, view, document, WATCH) as page:
        page.get_by_label("Pace").select_option("fast")
        page.get_by_role("button", name="Play", exact=True).click()
        enough = f"() => intervals.length >= {FRAMES}"
        page.wait_for_function(enough, polling=LOOK_MS, timeout=PATIENCE_MS)
        return list(map(float, page.evaluate("intervals")))
