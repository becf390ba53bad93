"""What somebody new does on a phone: finds the best bot, sees why it lost, sends the link, and sits
down against it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from arena.cli.app import run
from tests.support.chromium import PHONE, Visit, visiting
from tests.support.faultless_pages import await_fit
from tests.support.played_ladder import play_ladder
from tests.support.sitting_down import next_decision
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

MATCHES = 24
"""So many that the best bot has lost one too: all of them it wins once in eight million times."""
RANK = r"10|[2-9AJQK]"


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of the pages of an arena that has played a ladder, and lets guests play."""
    with WholeArena(tmp_path_factory.mktemp("walk")) as arena:
        play_ladder(SAMPLE_BOTS, arena.data, MATCHES)
        assert run(["ladder", "pause", "main", "--data", str(arena.data)]) == 0
        server = arena.server("--web", "127.0.0.1:0", "--guests")
        yield server.pages()
        server.stop()


@pytest.fixture
def phone(browser: Browser, origin: str) -> Iterator[Visit]:
    clipboard = ["clipboard-read", "clipboard-write"]
    touch = {"has_touch": True, "is_mobile": True}
    with visiting(browser, origin, viewport=PHONE, permissions=clipboard, **touch) as visit:
        yield visit


def test_from_home_to_the_end_of_a_match(phone: Visit, browser: Browser, origin: str) -> None:
    page = phone.open("/")
    best = page.locator(".leaders a").first.inner_text()
    tap(page, best, "/bots/")
    tap(page, "Worst losses", "/matches?")
    worst = page.locator("table.matches tbody tr").first
    assert "lost" in worst.inner_text()
    worst.locator("code").tap()

    said, link = why_it_lost(page, best)
    opened_elsewhere(browser, origin, link, said, best)

    page.locator("h1").get_by_role("link", name=best).tap()
    tap(page, "Play against it", "/play?")
    assert page.locator("select[name=opponent]").input_value() == best
    page.get_by_text("Options of the game").tap()
    page.locator("input[name=option-deals]").fill("1")
    page.get_by_role("button", name="Sit down").tap()
    play_to_the_end(page)
    assert re.search("You (won|lost|tied)", page.locator(".result").inner_text())
    assert best in page.locator("table").inner_text()
    tap(page, "Watch the match from your seat", "/matches/")
    assert "person-guest" in page.locator(".views [aria-current]").inner_text()
    page.go_back()
    tap(page, "Play another match", "/play?")
    assert page.locator("select[name=opponent]").input_value() == best


def tap(page: Page, link: str, address: str) -> None:
    """Taps a link, which leads to an address of this kind, whose page fits the phone."""
    page.get_by_role("link", name=link, exact=True).first.tap()
    page.wait_for_url(lambda url: address in url)
    await_fit(page)


def why_it_lost(page: Page, bot: str) -> tuple[str, str]:
    """Steps through a match from the bot's seat until a choice among several. Returns the moment's
    sentence, and the link to it as the page copies it."""
    page.locator(".felt").wait_for()
    assert page.locator(".views [aria-current]").inner_text() == bot
    await_fit(page)
    said = page.locator(".step")
    for _ in range(8):
        page.get_by_role("button", name="Next decision").tap()
    assert bot in said.inner_text()
    assert page.locator(".decision .legal .taken").count() == 1
    page.get_by_role("button", name="Copy link").tap()
    page.wait_for_function("() => navigator.clipboard.readText().then((text) => text !== '')")
    return said.inner_text(), page.evaluate("navigator.clipboard.readText()")


def opened_elsewhere(browser: Browser, origin: str, link: str, said: str, bot: str) -> None:
    """Somebody else follows the link, and sees the same moment from the same seat."""
    assert link.startswith(origin)
    with visiting(browser, origin) as other:
        page = other.open(link.removeprefix(origin))
        page.locator(".felt").wait_for()
        assert page.locator(".step").inner_text() == said
        assert page.locator(".views [aria-current]").inner_text() == bot


def play_to_the_end(page: Page) -> None:
    """Takes the pile whenever a card of the hand matches its top."""
    number = "none"
    while number := next_decision(page, number):
        await_fit(page)
        buttons = page.locator("form.choices button")
        ranks = [re.findall(RANK, words)[0] for words in buttons.all_inner_texts()]
        top = top_of_the_pile(page)
        buttons.nth(ranks.index(top) if top in ranks else 0).tap()


def top_of_the_pile(page: Page) -> str:
    """Returns the rank that the page says lies on top; empty if nothing lies there."""
    pile = page.locator(".told div").filter(has=page.get_by_text("pile", exact=True))
    ranks = re.findall(f"({RANK})[♣♦♥♠]", pile.locator("dd").inner_text())
    return ranks[-1] if ranks else ""
