"""A person at a table in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.chromium import Visit

PATIENCE_MS = 100_000  # bots make many choices in a row, on a machine that may be busy

# A decision is owed, and the page's script has drawn it and listens; or there are no more.
NEXT = """number => {
  const sitting = document.querySelector('[data-sequence]');
  if (!sitting) return document.querySelector('.result') !== null;
  return sitting.dataset.state === 'choose' && sitting.dataset.number !== number
    && sitting.querySelector('.told[hidden]') !== null;
}"""


def sits_down(visit: Visit, game: str, **options: object) -> Page:
    """Takes a seat with these options of the game; returns the page of the table."""
    page = visit.open(f"/play?game={game}")
    if options:
        page.get_by_text("Options of the game").click()
        for name, value in options.items():
            page.locator(f"input[name=option-{name}]").fill(str(value))
    page.get_by_role("button", name="Sit down").click()
    return page


def next_decision(page: Page, number: str = "none") -> str:
    """Waits for the decision after the one of this number; returns its own, empty if the match is
    over."""
    page.wait_for_function(NEXT, arg=number, timeout=PATIENCE_MS)
    if page.locator(".result").count():
        return ""
    page.keyboard.press("Shift")  # what the others did need not be watched
    return page.locator("[data-sequence]").get_attribute("data-number") or ""


def play_to_the_end(page: Page) -> None:
    """Does the first action that is offered until the match is over."""
    number = "none"
    while number := next_decision(page, number):
        page.locator("form.choices button:visible").first.click()


def leave(page: Page) -> None:
    """Leaves the table, which asks first."""
    page.get_by_text("Leave the table").click()
    page.get_by_role("button", name="Leave for good").click()
    page.get_by_text("You have left the table").wait_for()
