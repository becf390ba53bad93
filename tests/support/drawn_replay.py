"""A replay as a visitor sees it."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, TimeoutError

CURRENT_LINE_IS_VISIBLE = """() => {
  const inside = (inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const list = document.querySelector('.lines');
  const current = [...list.querySelectorAll('[aria-current]')].at(-1);
  return inside(current.getBoundingClientRect(), list.getBoundingClientRect());
}"""


TIGHT_SCREENS = ((1366, 768), (360, 740), (740, 360))
WIDE_SCREENS = ((1280, 900), (1920, 1080))
SCREENS = TIGHT_SCREENS + WIDE_SCREENS
# Parts of the table that are not wholly visible: outside the screen, or under the replay's bar.
HIDDEN_PARTS = """names => {
  const boxOf = (element) => element?.getBoundingClientRect();
  const bar = boxOf(document.querySelector('.controls'));
  const isUnderBar = (part) => bar && part.bottom > bar.top + 1
    && part.left < bar.right && part.right > bar.left;
  const isWithin = (part, { left, top, right, bottom }) => part.left >= left - 1
    && part.top >= top - 1 && part.right <= right + 1 && part.bottom <= bottom + 1;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return names.flatMap((name) => [...document.querySelectorAll(name)]).filter((element) => {
    const part = boxOf(element);
    const scrolls = boxOf(element.closest('.decision, .choices')) ?? screen;
    return !isWithin(part, screen) || !isWithin(part, scrolls) || isUnderBar(part);
  }).map((element) => `${element.className}: ${JSON.stringify(boxOf(element))}`);
}"""
# Letters on the table, in pixels of the screen, that are too small to be read.
TINY_LETTERS = """() => {
  if (innerHeight < 512) return []; // a phone on its side
  const zoom = Number(getComputedStyle(document.querySelector('.felt')).zoom);
  return [...document.querySelectorAll('.felt :is(.plate *, .title, .who)')]
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) * zoom < 7.9)
    .map((one) => one.textContent);
}"""
# Lines of what has just happened of which a part is cut off.
CUT_LINES = """() => {
  const { top, bottom, right } = document.querySelector('.decision .news').getBoundingClientRect();
  return [...document.querySelectorAll('.news > span')]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, line]) => line.left < right && (line.top < top - 1 || line.bottom > bottom + 1))
    .map(([one]) => one.textContent);
}"""
# By name, the facts that are drawn, and those that readers who do not see the table are given.
FACTS = """() => {
  const texts = (selector, key) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility()).map((one) => [one.dataset[key], one.textContent]);
  return {
    drawn: texts('[data-fact]', 'fact'),
    said: [...texts('[data-said]', 'said'), ...texts('.facts [data-fact]', 'fact')],
  };
}"""


def assert_visible(page: Page, parts: Sequence[str]) -> None:
    """Checks that these parts of the table are wholly visible."""
    try:
        page.wait_for_function(f"names => ({HIDDEN_PARTS})(names).length === 0", arg=parts)
    except TimeoutError:
        raise AssertionError(page.evaluate(HIDDEN_PARTS, parts)) from None


def on_screen(page: Page, width: int, height: int) -> None:
    """Gives the window this size, and scrolls as the page does when it opens there."""
    page.set_viewport_size({"width": width, "height": height})
    is_small = width <= 992 or height <= 512
    first = page.locator("#table, #replay").first
    first.evaluate(
        "(table, isSmall) => isSmall ? table.scrollIntoView() : scrollTo(0, 0)", is_small
    )


def assert_the_log_follows(page: Page, decision: int) -> None:
    """Goes to this decision, a later and an earlier one, and to the end and the beginning: each
    time the line of the log is where the visitor sees it.

    `decision`: one so late that its line is not visible from the beginning.
    """
    slider = page.get_by_role("slider", name="Decision")
    for place in (decision, decision + 40, decision - 20):
        slider.fill(str(place))
        _assert_the_line_is_visible(page)
    for key in ("ArrowRight", "End", "Home", "PageDown"):
        page.keyboard.press(key)
        _assert_the_line_is_visible(page)


def _assert_the_line_is_visible(page: Page) -> None:
    page.locator(".lines").scroll_into_view_if_needed()
    page.wait_for_function(CURRENT_LINE_IS_VISIBLE)
