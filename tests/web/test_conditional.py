"""A page that has not changed is not sent again; whatever changes it is part of its tag."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arena.web.conditional import version_of
from tests.support.chromium import visiting
from tests.support.fetched import fetched


@pytest.mark.parametrize("changed", ["web/templates/bot.html", "web/pages.py", "web/static/a.js"])
def test_tags_change_with_whatever_makes_the_pages(tmp_path: Path, changed: str) -> None:
    old, new, same = (tmp_path / name for name in ("old", "new", "same"))
    for package in (old, new, same):
        for name in ("web/templates/bot.html", "web/pages.py", "web/static/a.js"):
            file = package / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("new" if package == new and name == changed else "old")
    (same / "web" / "pages.pyc").write_text("compiled anew")
    assert version_of(old) == version_of(same)
    assert version_of(old) != version_of(new)


@pytest.mark.parametrize("address", ["/ladders/main", "/bots/random"])
def test_pages_say_moments_so_that_time_does_not_change_them(site: str, address: str) -> None:
    page = fetched(site + address).html
    assert re.search(r"data-ago>\d{4}-\d\d-\d\d \d\d:\d\d UTC</time>", page)
    assert " ago</time>" not in page


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_a_script_says_how_long_ago_they_were(browser: Browser, site: str) -> None:
    with visiting(browser, site) as visit:
        visit.page.clock.install()
        page = visit.open("/ladders/main")
        age = page.locator("#recent time[data-ago]").first
        expect(age).to_have_text(re.compile(r"^(just now|\d+ minutes? ago)$"))
        expect(age).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$"))
        page.clock.fast_forward("05:00:00")
        expect(age).to_have_text(re.compile("^[56] hours ago$"))
