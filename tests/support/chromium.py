"""Debian's Chromium, and pages that fail at whatever a visitor should never meet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.support.needs import chromium_path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
# What should come at once may take long where all cores are busy.
PATIENCE_MS = 60_000
INTERRUPTED, MOST_INTERRUPTIONS = "net::ERR_NETWORK_CHANGED", 20
expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def _reaped_driver() -> Iterator[None]:
    """Waits for Playwright's own process, which it leaves behind as a zombie."""
    others = {process.pid for process in psutil.Process().children()}
    yield
    driver = [one for one in psutil.Process().children() if one.pid not in others]
    psutil.wait_procs([one for one in driver if one.name() == "node"], timeout=10)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs a browser for as long as the context lasts."""
    with _reaped_driver(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Chromium:
    """A browser for the whole run of a process. `loop`: the event loop of its Playwright, which
    never ends in this thread: it counts as running only during the tests that use the browser, so
    that other tests can run theirs."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self.loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def one_chromium() -> Iterator[Chromium]:
    with chromium() as browser:
        one = Chromium(browser)
        yield one
        asyncio._set_running_loop(one.loop)


@pytest.fixture
def browser(one_chromium: Chromium) -> Iterator[Browser]:
    """The browser of this run, for a test that is no coroutine."""
    with one_chromium.in_use() as browser:
        yield browser


class Visit:
    """A visitor's tab. `page`: what it shows; `faults`: what went wrong in it; `unanswered`: failed
    requests, and answers that are no success."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.faults: list[str] = []
        self.unanswered: list[str] = []
        self._is_interrupted = False
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._requested)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def open(self, address: str) -> Page:
        """Opens a page of the site, given by its path. Chromium gives up all requests when a
        network interface comes or goes, as other tests let them: it then opens the page again."""
        for _ in range(MOST_INTERRUPTIONS):
            self._is_interrupted = False
            try:
                self.page.goto(self.origin + address)
            except Error as error:
                self._is_interrupted = INTERRUPTED in str(error)
                if not self._is_interrupted:
                    raise
            if not self._is_interrupted:
                break
        return self.page

    def _heard(self, message: ConsoleMessage) -> None:
        if INTERRUPTED in message.text:
            self._is_interrupted = True
            return
        # Violations of the content security policy are errors on the console too. A status that the
        # test asked for is none of the page's faults.
        if message.type in ("error", "warning") and "the server responded with" not in message.text:
            self.faults.append(f"{message.type}: {message.text}")

    def _requested(self, request: Request) -> None:
        parts = urlsplit(request.url)
        own = urlsplit(self.origin)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != own.netloc:
            self.faults.append(f"a request to another host: {request.url}")

    def _failed(self, request: Request) -> None:
        self.unanswered.append(f"{request.failure}: {request.url}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= HTTPStatus.BAD_REQUEST:
            self.unanswered.append(f"{answer.status}: {answer.url}")


@contextmanager
def visiting(browser: Browser, origin: str, **settings: object) -> Iterator[Visit]:
    """Opens a tab in a profile of its own; at the end nothing may have gone wrong in it.

    `settings`: those of Playwright's `new_context`, such as viewport and color_scheme.
    """
    context: BrowserContext = browser.new_context(**{"viewport": DESKTOP, **settings})  # type: ignore[arg-type]
    with closing(context):
        visit = Visit(context.new_page(), origin)
        try:
            yield visit
            assert visit.faults == []
        finally:  # pytest shows it if the test fails, of which a fixture does not learn
            print(f"Unanswered: {visit.unanswered}. Faults: {visit.faults}.")
