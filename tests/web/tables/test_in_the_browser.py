"""Whole matches in a real browser: by clicking cards, and by the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route

from tests.support.chromium import PHONE, visiting
from tests.support.faultless_pages import await_fit
from tests.support.sitting_down import leave, next_decision, sits_down
from tests.web.tables.conftest import open_to_guests, resting_arena

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

MOST_DECISIONS = 600
SENT = """number => {
  const sitting = document.querySelector('[data-sequence]');
  return sitting?.dataset.number !== number || sitting.dataset.state !== 'choose'
    || !document.querySelector('form.choices button:enabled:not([hidden])');
}"""


def decisions(page: Page) -> int:
    """Plays to the end, by clicking cards as far as that goes. Returns how many decisions."""
    made, number = 0, "none"
    while number := next_decision(page, number):
        assert made < MOST_DECISIONS
        choose(page, number, made)
        made += 1
    return made


def choose(page: Page, number: str, made: int) -> None:
    cards = page.locator("[data-card].clickable")
    count = cards.count()
    if count and not is_sent(page, number):
        press(cards.nth(made % count))
    if not is_sent(page, number):
        page.locator("form.choices button:visible").nth(0).click()


def press(card: Locator) -> None:
    """Clicks a card on the edge that others leave visible."""
    card.click(position={"x": 5, "y": 5})


def is_sent(page: Page, number: str) -> bool:
    """Whether that decision has been made. The next one may be there already."""
    return bool(page.evaluate(SENT, number))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("xeri", {"deals": 1}),
        ("oh-seven", {"max_rounds": 7}),
        ("california-speed", {"max_layouts": 2}),
        ("jack-change-it", {"deals": 1}),
        *(
            pytest.param(game, options, marks=pytest.mark.nightly)
            for game, options in (
                ("seven-rummy", {"deals": 1}),
                ("russian-bank", {"max_turns": 12}),
                ("cash", {"max_deals": 1}),
                ("crash", {"deals": 1}),
            )
        ),
    ],
)
def test_a_whole_match_by_clicks(
    browser: Browser, origin: str, game: str, options: dict[str, int]
) -> None:
    with visiting(browser, origin, viewport=PHONE) as visit:
        page = visit.open(f"/play?game={game}")
        await_fit(page)
        page = sits_down(visit, game, **options)
        next_decision(page)
        await_fit(page)
        assert decisions(page) > 0
        assert re.search("You (won|lost|tied|came)", page.locator(".result").inner_text())


def test_a_whole_match_by_the_keyboard_alone(browser: Browser, origin: str) -> None:
    with visiting(browser, origin) as visit:
        page = visit.open("/play?game=xeri")
        page.get_by_text("Options of the game").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("1")
        page.get_by_role("button", name="Sit down").focus()
        page.keyboard.press("Enter")
        number, heard = "none", set()
        while number := next_decision(page, number):
            heard.add(page.locator("#told").inner_text())
            page.keyboard.press("ArrowRight")
            assert page.evaluate("document.activeElement.form.className") == "choices"
            page.keyboard.press("Enter")
        assert any("plays" in said and "It is your turn" in said for said in heard)


COUNT_EVENTS = """
window.events = 0;
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("message", () => { window.events += 1; });
  }
};
"""


def test_a_reload_shows_the_same_table_and_its_stream_leaves_the_focus(
    browser: Browser, origin: str
) -> None:
    with visiting(browser, origin) as visit:
        page = sits_down(visit, "xeri", deals=1)
        next_decision(page)
        before = page.locator("form.choices").inner_text()
        drawn = page.locator(".felt").inner_html()
        streams: list[Route] = []
        page.add_init_script(COUNT_EVENTS)
        page.route("**/tables/*/events", lambda route: streams.append(route))
        with page.expect_request("**/tables/*/events"):
            page.reload()
        assert page.locator("form.choices").inner_text() == before
        assert strip_clock(page.locator(".felt").inner_html()) == strip_clock(drawn)
        page.keyboard.press("ArrowRight")
        chosen = page.locator("form.choices button:focus").inner_text()
        streams[0].continue_()
        page.wait_for_function("() => window.events > 0")
        assert page.locator("form.choices button:focus").inner_text() == chosen
        leave(page)


def test_from_the_page_of_a_match_to_a_seat_in_its_middle(
    browser: Browser, origin: str, played_match: str
) -> None:
    with visiting(browser, origin) as visit:
        page = visit.open(f"/matches/{played_match}?seat=1&at=5")
        page.locator(".felt").wait_for()
        page.keyboard.press("ArrowRight")
        page.get_by_role("link", name="Sit down here").click()
        page.get_by_role("heading", name="on from decision").wait_for()
        assert page.locator("select[name=seat]").input_value() == "1"
        assert int(page.locator("input[name=at]").input_value()) > 5
        page.get_by_role("button", name="Sit down").click()
        next_decision(page)
        leave(page)


def strip_clock(drawn: str) -> str:
    return re.sub('<span class="chip clock">.*?</span>', "", drawn)


# A page that is opened again has said what the one before it did: the arena may refuse a stream
# while it starts.
HEAR_NOTICES = """
window.notices = JSON.parse(sessionStorage.notices ?? "[]");
function heard(notice) {
  window.notices.push(notice.textContent);
  sessionStorage.notices = JSON.stringify(window.notices);
}
addEventListener("DOMContentLoaded", () => {
  const notice = document.querySelector("#notice");
  if (!notice) return;
  if (window.notices.length) heard(notice);
  new MutationObserver(() => heard(notice)).observe(notice, { childList: true });
});
"""


def test_a_page_whose_server_is_gone_says_so_and_comes_back(
    browser: Browser, three_matches: Path, tmp_path: Path
) -> None:
    with (
        resting_arena(three_matches, tmp_path) as arena,
        open_to_guests(arena, 120) as origin,
        visiting(browser, origin) as visit,
    ):
        visit.page.add_init_script(HEAR_NOTICES)
        page = sits_down(visit, "xeri", deals=1)
        number = next_decision(page)
        [pages] = arena.running_commands("web")
        pages.kill()
        page.wait_for_function("() => window.notices.at(-1) === ''")  # said, and taken back
        assert "The arena does not answer." in page.evaluate("window.notices[0]")
        visit.faults.clear()  # the browser reports connections that are refused
        page.locator("form.choices button:visible").first.click()
        assert next_decision(page, number) != number
        leave(page)
        visit.faults.clear()
