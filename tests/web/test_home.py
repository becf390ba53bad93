from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arena.cli.app import run
from arena.store.open import open_store
from arena.views.ladders.standing import standings
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.event_streams import pages_here
from tests.support.fetched import fetched


def test_the_home_page_shows_ladders_with_their_leaders_and_the_latest_matches(
    busy: Path, busy_site: str
) -> None:
    page = fetched(f"{busy_site}/")
    store = open_store(busy, "read")
    with store.reading() as session:
        for placing in standings(session, "main")[:3]:
            assert f"{placing.rating:.1f}" in page.words
        latest = find_matches(session, limit=10).matches
    store.close()
    assert 'href="/ladders/main"' in page.html
    for match in latest:
        assert match.match[:10] in page.html
    for shown in (page, fetched(f"{busy_site}/games/xeri"), fetched(f"{busy_site}/ladders/main")):
        assert "not being run" in shown.words
    assert page.headers["Content-Security-Policy"].startswith(
        "default-src 'none'; script-src 'self'"
    )
    assert "arena submit my-bot --ladder main --server 127.0.0.1:7777" in page.words.replace(
        "\\ ", ""
    )


@pytest.mark.slow
def test_paused_ladders_are_apart(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for name in ("aging", "young"):
        assert run(["ladder", "create", name, "xeri", "--data", str(data)]) == 0
    with pages_here(data) as origin:
        assert "Paused" not in fetched(f"{origin}/").words
        assert run(["ladder", "pause", "aging", "--data", str(data)]) == 0
        for address, heading in (("/", "<h3>Paused</h3>"), ("/ladders", "Paused ladders</h2>")):
            before, after = fetched(f"{origin}{address}").html.split(heading)
            assert ("/ladders/young" in before, "/ladders/aging" in before) == (True, False)
            assert ("/ladders/young" in after, "/ladders/aging" in after) == (False, True)
        assert "--ladder young" in fetched(f"{origin}/").words


def test_bots_names_are_text_and_never_markup(busy_site: str) -> None:
    for path in ("/", "/tournaments/robin", "/search?q=script", "/owners/%3C%2Fb%3EEve"):
        page = fetched(busy_site + path)
        assert page.status == 200
        assert "&lt;script&gt;" in page.html
        assert "<script>" not in page.html
        assert "</b>Eve" not in page.html


def test_what_to_watch_is_never_a_deal_in_play(busy_site: str) -> None:
    page = fetched(f"{busy_site}/")
    watched = page.html.split('class="button primary" href="/matches/')[1].split('"')[0]
    assert fetched(f"{busy_site}/deals/{watched}").status == 200


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_what_decided_the_match_on_show_is_played_as_pictures(
    browser: Browser, busy_site: str
) -> None:
    with visiting(browser, busy_site) as visit:
        page = visit.open("/")
        page.get_by_role("button", name="Show what decided it").click()
        expect(page.get_by_text(re.compile("Moment 1 of [123]"))).to_be_visible()
        picture = page.locator(".hero .pictured img")
        expect(picture).to_have_attribute("src", re.compile(r"/pictures/matches/.+\.svg\?at=\d+"))
        expect(picture).to_have_js_property("naturalWidth", 1200)


@pytest.mark.slow
def test_an_empty_arena_says_what_to_do_next(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run(["ladder", "create", "main", "xeri", "--data", str(data)]) == 0
    assert run(["ladder", "delete", "main", "--data", str(data)]) == 0
    with pages_here(data) as origin:
        words = fetched(f"{origin}/").words
        assert "arena ladder create main xeri" in words
        assert "No match has been played yet." in words
        assert "arena tournament create" in fetched(f"{origin}/tournaments").words
        assert "arena compare NEW OLD" in fetched(f"{origin}/comparisons").words


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_visitor_can_choose_the_colours(site: str, theme: str) -> None:
    assert f'data-theme="{theme}"' in fetched(f"{site}/", Cookie=f"theme={theme}").html
