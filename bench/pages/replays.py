"""The first picture of a replay: how long after its data it is drawn, in Chromium.

The page is that of a real match; the document that it fetches is replaced by those of other games.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from statistics import median

from playwright.sync_api import Browser, CDPSession, Page, Route, sync_playwright
from rich.table import Table

from arena.bots import InProcessBot, choose_at_random
from arena.match import Crew, Entrant, Series, play_series
from arena.web.replay import replay_document
from bench.league import League
from bench.pages.answers import whole_match
from bench.pages.served import Pages
from bench.side_by_side import verdict
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load

GAMES = ("xeri", "oh-seven", "seven-rummy", "russian-bank", "california-speed")
VIEWS = {"desktop": (1280, 900, 1), "phone": (360, 740, 4)}
"""Width and height in pixels, and how many times slower its processor is."""
TIMES = 7
AT_MOST_MS = 300.0
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
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
    table.add_column("decisions", justify="right")
    table.add_column("kB of JSON", justify="right")
    for view in VIEWS:
        for column in (view, "longest", f"≤ {AT_MOST_MS:g}"):
            table.add_column(column, justify="right")
    address = f"http://127.0.0.1:{pages.port}/matches/{whole_match(league)}"
    documents = {slug: _document(slug) for slug in GAMES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=list(ARGUMENTS)
        )
        for slug, document in documents.items():
            text = json.dumps(document, separators=(",", ":"))
            cells = [slug, str(document["decisions"]), f"{len(text) / 1000:.0f}"]
            for view in VIEWS:
                times = [_visited_ms(browser, address, view, text) for _ in range(TIMES)]
                cells += [f"{median(times):.0f}", f"{max(times):.0f}"]
                cells.append(verdict(max(times) <= AT_MOST_MS))
            table.add_row(*cells)
        browser.close()
    return table


def _visited_ms(browser: Browser, address: str, view: str, document: str) -> float:
    """Opens the page in a profile of its own; returns the time until the first picture."""
    width, height, slower = VIEWS[view]
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.add_init_script(FIRST_PICTURE)
    page.route("**/replay.json*", partial(_answer, document))
    _slow_down(page, slower)
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('picture').length")
    taken = float(page.evaluate(AFTER_ITS_DATA))
    context.close()
    return taken


def _answer(document: str, route: Route) -> None:
    route.fulfill(body=document, content_type="application/json")


def _slow_down(page: Page, times: int) -> None:
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})


def _document(slug: str) -> dict[str, object]:
    """Plays a match of a game at random; returns the document by which a page draws it."""
    return dict(replay_document(asyncio.run(_played(slug))))


async def _played(slug: str) -> MatchRecord:
    game = load(slug)
    seats = game.ladder_players

    async def start() -> InProcessBot:
        return InProcessBot(choose_at_random)

    series = Series(
        game=game,
        options={},
        entrants=[Entrant(Crew(start), f"bot-{seat}", f"{seat}" * 64) for seat in range(seats)],
        seatings=(tuple(range(seats)),),
        count=1,
        seed="bench",
        bank_ms=600_000,
        increment_ms=0,
        at_once=1,
    )
    [record] = [played.sealed.record async for played in play_series(series)]
    return record
