"""The list of matches follows what is played, as far as it begins with the latest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, expect
from sqlalchemy.orm import make_transient

from arena.store.open import open_store
from arena.store.schema import Match, MatchSeat
from tests.support.chromium import Visit, visiting
from tests.support.event_streams import pages_here
from tests.support.fetched import fetched

BOT = "random"
follows = pytest.mark.parametrize("query", ["", f"bot={BOT}", "game=xeri&since=2026-01-01"])


@pytest.fixture
def data(shown: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shown, tmp_path / "data"))


@pytest.fixture
def visit(browser: Browser, data: Path) -> Iterator[Visit]:
    with pages_here(data) as origin, visiting(browser, origin) as tab:
        yield tab


def play_another(data: Path, name: str) -> None:
    """Adds a match like the latest, a minute after it."""
    store = open_store(data, "write")
    with store.writing() as session:
        match = session.scalars(sa.select(Match).order_by(Match.finished_at.desc()).limit(1)).one()
        seats = list(match.seats)
        session.expunge_all()
        rows: list[Match | MatchSeat] = [match, *seats]
        for row in rows:
            make_transient(row)
            row.finished_at += timedelta(minutes=1)
        match.id, match.number, match.seats = name, match.number + 1, seats
        for seat in seats:
            seat.match = name
        session.add(match)
    store.close()


@follows
def test_a_list_that_begins_with_the_latest_follows(site: str, query: str) -> None:
    page = fetched(f"{site}/matches?{query}").html
    assert 'data-live="/matches/events"' in page
    assert 'data-part="found"' in page
    part = fetched(f"{site}/matches?{query}&part=found").html
    assert "<html" not in part
    assert part.strip() in page


@pytest.mark.parametrize(
    "query", ["until=2026-01-01", f"bot={BOT}&order=worst", "result=won", "colour=red"]
)
def test_other_lists_do_not(site: str, query: str) -> None:
    assert "data-live=" not in fetched(f"{site}/matches?{query}").html


def test_only_the_first_page_does(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/matches").html
    following = page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "data-live=" not in fetched(crowded_site + following).html


def test_an_unknown_part_is_refused(site: str) -> None:
    page = fetched(f"{site}/matches?part=head")
    assert page.status == 400
    assert "This page has the part found" in page.html


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_a_new_match_comes_to_the_top(visit: Visit, data: Path) -> None:
    page = visit.open("/matches")
    expect(page.locator("[data-live-line]")).to_have_text("0 in play or waiting")
    expect(page.locator("#count")).to_have_text("12")
    play_another(data, "aaaa-7")
    expect(page.locator("#count")).to_have_text("13")
    expect(page.locator("#found tbody tr").first).to_contain_text("aaaa-7")


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_so_it_does_when_a_filter_was_chosen_meanwhile(visit: Visit, data: Path) -> None:
    page = visit.open("/matches")
    page.get_by_label("Bot", exact=True).fill(BOT)
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#heading")).to_contain_text(BOT)
    expect(page.locator("[data-live-line]")).to_have_text("0 in play or waiting")
    play_another(data, "aaaa-7")
    expect(page.locator("#found tbody tr").first).to_contain_text("aaaa-7")
    page.get_by_label("Order").select_option("worst")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#heading")).to_contain_text("worst losses")
    expect(page.locator("[data-live-line]")).to_have_count(0)
