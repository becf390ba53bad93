"""Every game's table in a real browser: all of it is visible, and what is drawn is also said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page, expect

from sevens_games import Layout, load, slugs
from tests.support.chromium import Visit, visiting
from tests.support.drawn_replay import (
    CUT_LINES,
    FACTS,
    SCREENS,
    TIGHT_SCREENS,
    TINY_LETTERS,
    WIDE_SCREENS,
    assert_visible,
    on_screen,
)
from tests.support.extent import by_extent
from tests.support.faultless_pages import await_fit

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

PARTS = [".felt", ".seat.acting", ".zone.trick", ".legal .taken", ".decision .choice"]
KEYS = ("ArrowLeft", "ArrowRight", "End", "Home")
LOOKS = (("", 3, WIDE_SCREENS, ("End",)), ("seat=1&", 24, TIGHT_SCREENS, KEYS))
"""The view and the decision opened, or the last one if there are fewer; the screens on which it is
seen, and the keys pressed there."""
EVERY_LOOK = tuple((view, decision, SCREENS, KEYS) for view, decision, _, _ in LOOKS)


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
    match = f"/matches/{matches_of_games[slug]}"
    for view, decision, screens, keys in by_extent(LOOKS, LOOKS, EVERY_LOOK):
        replay = visit.page.request.get(f"{visit.origin}{match}/replay.json?{view}").json()
        page = opened(visit, f"{match}?{view}at={min(decision, replay['decisions'])}")
        assert_facts_are_drawn_and_said(page, load(slug).layout)
        assert page.locator(".felt .zone").count() > 1
        for width, height in screens:
            on_screen(page, width, height)
            for key in keys:
                assert_visible(page, PARTS)
                await_fit(page)
                assert page.evaluate(TINY_LETTERS) == page.evaluate(CUT_LINES) == []
                page.keyboard.press(key)
                if key == "End":
                    expect(page.locator(".step")).to_have_text(re.compile(r"^\s*The end: "))


def assert_facts_are_drawn_and_said(page: Page, layout: Layout) -> None:
    facts = page.evaluate(FACTS)
    said = dict(facts["said"])
    assert {name for name, _ in facts["drawn"]} == said.keys() != set()
    for name, text in facts["drawn"]:
        assert text.removeprefix(layout.fact(name).label).strip() in said[name]


def test_a_replay_that_the_network_broke_off_is_fetched_again(
    visit: Visit, matches_of_games: Mapping[str, str]
) -> None:
    visit.page.route("**/replay.json*", lambda route: route.abort("connectionreset"), times=1)
    opened(visit, f"/matches/{matches_of_games['xeri']}")
    assert [fault for fault in visit.faults if "ERR_CONNECTION_RESET" not in fault] == []
    visit.faults.clear()


def test_a_phone_sees_the_table_first(
    browser: Browser, games_site: str, matches_of_games: Mapping[str, str]
) -> None:
    phone = {"width": 360, "height": 740}
    with visiting(browser, games_site, viewport=phone) as visit:
        page = opened(visit, f"/matches/{matches_of_games['seven-euchre']}?at=24")
        page.wait_for_function("() => scrollY > 0")
        assert_visible(page, PARTS)


def test_eight_columns_are_legible_on_a_phone(
    browser: Browser, games_site: str, matches_of_games: Mapping[str, str]
) -> None:
    """As they are dealt: a column that has grown long shrinks the table, to be seen whole."""
    address = f"/matches/{matches_of_games['russian-bank']}"
    with visiting(browser, games_site, viewport={"width": 360, "height": 740}) as visit:
        for query in ("?at=1", "?seat=1&at=1"):
            page = opened(visit, address + query)
            assert page.evaluate(NARROWEST_CARD) >= LEGIBLE_PX


LEGIBLE_PX = 26
NARROWEST_CARD = """() => Math.min(...[...document.querySelectorAll('.felt .playing-card')]
  .map((card) => card.getBoundingClientRect().width))"""


@pytest.mark.parametrize("slug", ["seven-euchre", "xeri"])
def test_forced_colours_leave_cards_and_marks_legible(
    browser: Browser, games_site: str, matches_of_games: Mapping[str, str], slug: str
) -> None:
    address = f"/matches/{matches_of_games[slug]}?seat=1&at=9"
    inks = []
    for colours in ("none", "active"):
        with visiting(browser, games_site, forced_colors=colours) as visit:
            page = opened(visit, address)
            inks.append(page.evaluate(INKS))
            seats = (".seat.acting", ".seat:not(.acting)")
            [acting, others] = (page.evaluate(BORDERS, each) for each in seats)
    assert inks[0] == inks[1] != []
    assert acting
    assert not {*acting} & {*others}


INKS = """() => [...document.querySelectorAll('.playing-card :is(.paper, .rank, .ink)')]
  .map((one) => getComputedStyle(one).fill)"""
BORDERS = """seats => [...document.querySelectorAll(seats)]
  .map((one) => getComputedStyle(one).borderTopColor)"""


def test_a_card_moves_to_its_trick_whose_winner_is_marked(
    browser: Browser, games_site: str, matches_of_games: Mapping[str, str]
) -> None:
    """By the clock of the page's animations, which the test sets."""
    address = f"/matches/{matches_of_games['seven-euchre']}"
    for motion in ("no-preference", "reduce"):
        with visiting(browser, games_site, reduced_motion=motion) as visit:
            page = opened(visit, address)
            marks = page.evaluate(TRICKS, f"{address}/replay.json")
            page.get_by_role("slider", name="Decision").fill(str(marks[0] - 1))
            moved = page.evaluate(STEP)
            assert page.locator(".by.winner").count() == 1
            assert page.locator(".played.over .by").count() == 4
            if motion == "reduce":
                assert moved is None
                continue
            assert moved["begins"] == pytest.approx(moved["before"], abs=1)
            page.wait_for_function("() => !document.querySelector('.moving')")
            drawn, ends = page.locator(".felt").inner_html(), page.evaluate(PLACE, moved["card"])
            for place in (marks[0] - 1, marks[0]):
                page.get_by_role("slider", name="Decision").fill(str(place))
                page.wait_for_function("() => !document.querySelector('.moving')")
            assert page.locator(".felt").inner_html() == drawn
            assert ends == pytest.approx(page.evaluate(PLACE, moved["card"]), abs=1)


TRICKS = "address => fetch(address).then((all) => all.json()).then(({ marks }) => marks.tricks)"
PLACE = """code => {
  const { left, top } = document.querySelector(`.by [data-card="${code}"]`).getBoundingClientRect();
  return [left, top];
}"""
# Goes one decision on; returns the chosen card, its place before, and the one at which it begins to
# move; null if it does not.
STEP = """() => {
  const place = (card) => [card.getBoundingClientRect().left, card.getBoundingClientRect().top];
  const chosen = document.querySelector('.playing-card.chosen');
  const before = place(chosen);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  const laid = document.querySelector(`.by [data-card="${chosen.dataset.card}"]`);
  const [animation] = laid.getAnimations();
  if (!animation) return null;
  animation.currentTime = 0;
  const begins = place(laid);
  for (const each of document.getAnimations()) each.finish();
  return { card: chosen.dataset.card, before, begins };
}"""
