"""Moments on pages, in UTC and in the visitor's own time."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, expect

from tests.support.chromium import visiting

HERE = re.compile(r"^(\S+ \S+) UTC \((\S+ )?(\d\d:\d\d) here\)$")


@pytest.mark.needs("chromium")
def test_moments_are_said_in_the_visitors_own_zone_too(browser: Browser, busy_site: str) -> None:
    with visiting(browser, busy_site, timezone_id="Asia/Tokyo") as visit:
        moment = visit.open("/bots/cy").locator("time:not([data-ago])").first
        expect(moment).to_have_text(HERE)
        found = HERE.match(moment.text_content() or "")
        assert found is not None
        utc = datetime.fromisoformat(found[1])
        own = utc + timedelta(hours=9)
        assert found[3] == f"{own:%H:%M}"
        assert (found[2] is None) == (own.date() == utc.date())
