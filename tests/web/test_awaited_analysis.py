"""A match page that waits for its analysis."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arena.records import read
from arena.store import schema
from arena.store.open import open_store
from arena.store.texts import packed, record_text
from arena.views.matches.analysis import Analysis
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.event_streams import pages_here
from tests.support.fetched import fetched
from tests.support.weighed_matches import weighed_match

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


def test_the_page_shows_it_as_soon_as_it_is_there(
    browser: Browser, shown: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(shown, tmp_path / "data")
    store = open_store(data, "write")
    with store.writing() as session:
        [row] = find_matches(session, limit=1).matches
        analysis = weighed_match(read(record_text(session, row.match)), blunders=1)
        session.add(schema.Analysis(match=row.match, job="analysis", owner="Ann"))
    with pages_here(data) as origin, visiting(browser, origin) as visit:
        page = visit.open(f"/matches/{row.match}?at=9")
        part = page.locator("#analysis")
        expect(part).to_contain_text("waits in the queue")
        with store.writing() as session:
            asked = session.get_one(schema.Analysis, row.match)
            asked.body = packed(analysis.model_dump_json())
        expect(part).to_contain_text("41\N{NO-BREAK SPACE}% ± 34\N{NO-BREAK SPACE}%")
        expect(page.locator(".expectation")).to_be_visible()
        expect(page.locator("output.count")).to_contain_text("9 of ")
        page.keyboard.press("m")
        expect(page.locator(".lines [aria-current] .sign")).to_have_text("?? blunder")
        reads_without_scripts(browser, origin, row.match, analysis)
        assert "playouts" in fetched(f"{origin}/matches/{row.match}/offline.html").html
    store.close()


def reads_without_scripts(browser: Browser, origin: str, match: str, analysis: Analysis) -> None:
    """Follows the list of marked decisions to the one there is."""
    [marked] = [one for one in analysis.decisions if one.mark]
    with visiting(browser, origin, java_script_enabled=False) as visit:
        page = visit.open(f"/matches/{match}")
        line = page.locator("#analysis .marked li")
        expect(line).to_contain_text("Blunder: Play")
        expect(line).to_contain_text("was better by 0.16 ± 0.05 of a rank.")
        said = line.get_by_role("link").inner_text()
        line.get_by_role("link").click()
        page.wait_for_url(f"**/{match}?seat=1&at={marked.decision}")
        expect(page.locator(".plain h2")).to_contain_text(said)
