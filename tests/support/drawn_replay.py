"""A replay as a visitor sees it."""

from __future__ import annotations

from playwright.sync_api import Page

CURRENT_LINE_IS_VISIBLE = """() => {
  const inside = (inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const list = document.querySelector('.lines');
  const current = [...list.querySelectorAll('[aria-current]')].at(-1);
  return inside(current.getBoundingClientRect(), list.getBoundingClientRect());
}"""


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
