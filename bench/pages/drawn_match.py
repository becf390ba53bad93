"""A match of any game, drawn by the page of a real one, on a desktop and on a simple phone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, CDPSession, Page

from arena.bots import InProcessBot, choose_at_random
from arena.match import Crew, Entrant, Series, play_series
from arena.web.replay import Document, replay_document
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load

VIEWS = {"desktop": (1280, 900, 1), "phone": (360, 740, 4)}
"""Width and height in pixels, and how many times slower its processor is."""


def played_document(slug: str) -> Document:
    """Plays a match of a game at random; returns the document by which a page draws it."""
    return replay_document(asyncio.run(_played(slug)))


@contextmanager
def opened(
    browser: Browser, address: str, view: str, document: Document, script: str = ""
) -> Iterator[Page]:
    """Opens the page of a match in a profile of its own, with this document in place of the
    match's.

    `script`: runs before those of the page.
    """
    width, height, slower = VIEWS[view]
    text = json.dumps(document, separators=(",", ":"))
    context = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = context.new_page()
        page.add_init_script(script)
        page.route(
            "**/replay.json*",
            lambda route: route.fulfill(body=text, content_type="application/json"),
        )
        session: CDPSession = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(address)
        yield page
    finally:
        context.close()


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
