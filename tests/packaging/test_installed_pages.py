"""The pages of an arena that was installed from its wheels, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.packaging.conftest import Installed
from tests.support.chromium import visiting
from tests.support.served_pages import pages_process

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


def test_every_kind_of_page_is_there_without_a_checkout(
    installed: Installed, demonstrated: Path, tmp_path: Path, browser: Browser
) -> None:
    [match, *_] = json.loads(installed("arena", "matches", "--json", cwd=demonstrated))["matches"]
    program = installed.folder / "bin"
    pages = pages_process(
        demonstrated / "arena-data",
        arena=(program / "arena",),
        environment={"PATH": str(program), "HOME": str(tmp_path)},
    )
    with (
        pages as served,
        visiting(browser, served.origin) as visit,
    ):
        for address in ("/", "/ladders/demo-xeri", "/bots/xeri-fisher", "/games/xeri/rules"):
            visit.open(address)
        page = visit.open(f"/matches/{match['match']}?seat=0")
        page.get_by_role("slider", name="Decision").wait_for()  # it listens to keys
        page.keyboard.press("End")
        page.get_by_text("The end:").first.wait_for()
        page.get_by_role("button", name="Verify here").click()
        page.get_by_text("not checked").first.wait_for()
