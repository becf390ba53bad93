"""Somebody logs in, sits down and plays, in a real browser against a real arena."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.support.chromium import visiting
from tests.support.command_line import ran
from tests.support.sitting_down import play_to_the_end, sits_down
from tests.support.table_pages import Guest
from tests.support.whole_arena.arena import WholeArena
from tests.support.whole_arena.strangers import token_of

SHORT = 10  # letters of a match's id that lists show

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


def log_in(page: Page, token: str) -> None:
    page.locator("input[name=token]").fill(token)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Zoe").first.wait_for()


def test_from_the_login_to_the_end_of_a_match(
    browser: Browser, origin: str, arena: WholeArena, guest: Guest
) -> None:
    with visiting(browser, origin) as visit:
        log_in(visit.open("/login"), token_of(arena, "Zoe"))
        page = sits_down(visit, "xeri", deals=1)
        play_to_the_end(page)
        page.get_by_role("link", name="Watch the match from your seat").click()
        page.locator(".felt").wait_for()
        match = page.url.partition("/matches/")[2].partition("?")[0]
        page = visit.open("/matches?bot=person-zoe")
        assert page.locator(f"a[href*='{match[:SHORT]}']").count() > 0
        assert "This is a person, not a bot: Zoe" in visit.open("/bots/person-zoe").inner_text(
            "main"
        )
    assert "person-zoe" in guest.get(f"/matches/{match}").text


def test_a_revoked_token_ends_the_login(browser: Browser, origin: str, arena: WholeArena) -> None:
    with visiting(browser, origin) as visit:
        log_in(visit.open("/login"), token_of(arena, "Zoe"))
        for line in ran("token", "list", "--data", arena.data).out.splitlines():
            if "Zoe" in line and line.split()[-1] == "None":
                assert ran("token", "revoke", line.split()[0], "--data", arena.data).code == 0
        assert "was revoked, so you are logged out" in visit.open("/own").inner_text("main")
