from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.chromium import DESKTOP, PHONE, Visit, visiting
from tests.support.drawn_replay import CURRENT_LINE_IS_VISIBLE, assert_the_log_follows

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

TABLE = ".stage"


@pytest.fixture(scope="session")
def site(games_site: str) -> str:
    return games_site


@pytest.fixture(scope="session")
def matches(matches_of_games: Mapping[str, str]) -> Mapping[str, str]:
    return matches_of_games


@pytest.fixture(scope="session")
def xeri(matches: Mapping[str, str]) -> str:
    return f"/matches/{matches['xeri']}"


def opened(visit: Visit, address: str) -> Page:
    page = visit.open(address)
    page.wait_for_selector(TABLE)
    return page


def drawn(page: Page) -> str:
    """Returns everything that the page draws of the moment, once all cards have moved."""
    expect(page.locator(".moving")).to_have_count(0)
    parts = [page.locator(each).inner_html() for each in (TABLE, ".decision", ".step", ".lines")]
    return "\n".join(parts)


def decisions_of(site: str, address: str) -> int:
    with urlopen(f"{site}{address}/replay.json") as answer:
        return int(json.loads(answer.read())["decisions"])


def at(page: Page) -> int:
    """Returns the decision that is shown, once the address names it too."""
    decision = int(page.locator("output.count").inner_text().partition(" of ")[0])
    page.wait_for_url(re.compile(rf"[?&]at={decision}$"))
    return decision


def test_a_moment_looks_the_same_however_it_is_reached(visit: Visit, site: str, xeri: str) -> None:
    page = opened(visit, f"{xeri}?at=20")
    fresh = drawn(page)
    for keys in (["End", "Home", *["ArrowRight"] * 19], ["PageDown", "PageUp", "Home"]):
        for key in keys:
            page.keyboard.press(key)
        if page.locator("output").inner_text().startswith("20 "):
            assert drawn(page) == fresh
    page.keyboard.press("End")
    end = drawn(page)
    for key in ("Home", "End", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert drawn(page) == end
    assert drawn(opened(visit, f"{xeri}?at=20")) == fresh
    assert drawn(opened(visit, f"{xeri}?at={decisions_of(site, xeri) + 1}")) == end


def test_keys_step_through_decisions_and_deals(visit: Visit, xeri: str) -> None:
    page = opened(visit, xeri)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert at(page) == 2
    page.keyboard.press("Shift+ArrowRight")
    second_deal = at(page)
    assert second_deal > 40  # each deal of Xeri has 48 decisions
    expect(page.locator(".facts")).to_contain_text("deal 2 of 2")
    page.keyboard.press("PageUp")
    assert at(page) == 1
    page.keyboard.press("?")
    expect(page.locator("dialog.help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.help")).to_be_hidden()
    page.keyboard.press("v")
    page.wait_for_url("**seat=0**")


def test_it_plays_by_itself_until_a_key_stops_it(visit: Visit, xeri: str) -> None:
    visit.page.clock.install()
    page = opened(visit, xeri)
    page.get_by_label("Pace").select_option("fast")
    page.locator("h1").click()
    page.keyboard.press(" ")
    page.clock.run_for(3_000)
    page.keyboard.press("ArrowLeft")
    stopped = at(page)
    assert stopped >= 4
    page.clock.run_for(10_000)
    assert at(page) == stopped


def test_a_click_in_the_log_goes_there(visit: Visit, xeri: str) -> None:
    page = opened(visit, xeri)
    page.locator(".lines button", has_text=re.compile(r"^12\. ")).click()
    assert at(page) == 12
    assert page.locator(".step").inner_text().startswith("Decision 12 of")
    assert page.locator(".lines button[tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "step"


@pytest.mark.parametrize("path", ["/matches/", "/embed/"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_log_follows(
    browser: Browser, site: str, xeri: str, path: str, size: dict[str, int]
) -> None:
    with visiting(browser, site, viewport=size) as visit:
        page = opened(visit, xeri.replace("/matches/", path))
        assert_the_log_follows(page, 45)
        top = page.evaluate("document.querySelector('.lines').scrollTop")
        assert top > 0
        shown = page.evaluate(SECOND_VISIBLE_LINE)
        page.locator(".lines button").nth(shown).click()
        page.wait_for_function(CURRENT_LINE_IS_VISIBLE)
        assert page.evaluate("document.querySelector('.lines').scrollTop") == top
        page.keyboard.press(" ")  # plays on from there, though a line of the log has the focus
        expect(page.get_by_role("button", name="Pause")).to_be_visible()


SECOND_VISIBLE_LINE = """() => {
  const list = document.querySelector('.lines');
  const top = list.getBoundingClientRect().top;
  const lines = [...list.querySelectorAll('button')];
  return 1 + lines.findIndex((line) => line.getBoundingClientRect().top >= top);
}"""


def test_a_link_leads_to_a_seats_decision(visit: Visit, xeri: str) -> None:
    page = opened(visit, f"{xeri}?seat=1&at=37")
    assert at(page) in (37, 38)
    current = page.locator(".views [aria-current]")
    assert current.get_attribute("href").startswith(f"{xeri}?seat=1&at=3")
    assert page.locator(".seat:not(.near) .back").count() > 0  # the opponent's hand
    assert page.locator(".near .back").count() == 0


def test_a_hidden_card_is_only_counted_for_whoever_listens(visit: Visit, xeri: str) -> None:
    page = opened(visit, f"{xeri}?seat=1&at=2")
    said = page.locator(".stage ul.unseen").inner_text()
    hands = [line for line in said.splitlines() if line.startswith("hand of")]
    assert len(hands) == 2
    assert any(re.fullmatch(r"hand of \S+: [56] face down", line) for line in hands)


def test_colours_and_letters_of_the_suits_are_remembered(visit: Visit, xeri: str) -> None:
    page = opened(visit, xeri)
    letter = page.locator(".playing-card:not(.back) .letter").first
    expect(letter).to_be_hidden()
    page.get_by_label("Letters for the suits").click()
    expect(letter).to_be_visible()
    page = opened(visit, xeri)
    expect(page.get_by_label("Letters for the suits")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".playing-card:not(.back) .letter").first).to_be_visible()


def test_without_scripts_the_match_is_told_in_sentences(
    browser: Browser, site: str, xeri: str
) -> None:
    with visiting(browser, site, java_script_enabled=False) as visit:
        page = visit.open(f"{xeri}?seat=0&at=2")
        before = page.locator(".plain h2").inner_text()
        assert before.startswith("Decision ")
        expect(page.locator(".plain dl")).to_contain_text("face down")
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".plain h2")).not_to_have_text(before)
        page.get_by_role("link", name="End").click()
        expect(page.locator(".plain h2")).to_contain_text("The end: ")


def test_a_frame_of_another_site_shows_the_match(visit: Visit, xeri: str) -> None:
    page = opened(visit, xeri.replace("/matches/", "/embed/") + "?at=5")
    page.keyboard.press("ArrowRight")
    assert at(page) == 6
    assert "/embed/" in page.url
