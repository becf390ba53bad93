"""The offline file in a real browser: opened from disk, without network, under its own policy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from arena.records.record import canonical, seal
from arena.web.offline import offline_html
from arena.web.replay import replay_document
from sevens.record.v1.match_record_pb2 import MatchRecord
from tests.support.chromium import visiting
from tests.support.drawn_replay import assert_the_log_follows
from tests.support.played_matches import played

pytestmark = pytest.mark.needs("chromium")

HARM = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--"
TYPICAL_BYTES = 400_000

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a file with this text, offline; at the end nothing may have gone wrong in it."""
    file = tmp_path / "match.html"
    with visiting(browser, f"file://{file}", offline=True) as visit:

        def open_it(html: str, fragment: str = "") -> Page:
            file.write_text(html, encoding="utf-8")
            visit.page.on("dialog", lambda dialog: visit.faults.append(dialog.message))
            return visit.open(fragment)

        yield open_it


def file_of(record: MatchRecord, text: str | None = None) -> str:
    views = [None, *range(len(record.seats))]
    documents = [replay_document(record, seat=seat) for seat in views]
    return offline_html(text or canonical(record), documents, title="A match of Xeri")


def verified(page: Page) -> str:
    page.get_by_role("button", name="Verify here").click()
    answer = page.locator(".verify [aria-live]")
    answer.locator("li").first.wait_for()
    return answer.inner_text()


RECORD = played("xeri").record


def test_it_replays_and_verifies_itself(opened: Open) -> None:
    page = opened(file_of(RECORD))
    page.locator("#replay .stage-holder").wait_for()
    told = verified(page)
    assert told.startswith("All that can be checked here is true.")
    assert (
        f"✓ shuffles passed: All {len(RECORD.shuffles)} shuffles, in 2 deals, follow card" in told
    )
    assert "rules not checked: Only the rules can say whether every choice was legal" in told


def test_a_tampered_file_says_so(opened: Open) -> None:
    text = canonical(RECORD)
    first, second = RECORD.shuffles[1].cards[:2]
    spoilt = text.replace(f'"{first}","{second}"', f'"{second}","{first}"')
    html = file_of(RECORD)
    told = verified(opened(html.replace(text, spoilt)))
    assert told.startswith("This record is not true. What failed: shuffles, digest.")
    assert f"card 1 must be {first}, not {second}." in told


def test_every_view_can_be_shown(opened: Open) -> None:
    page = opened(file_of(RECORD), "#seat=1&at=7")
    shown = page.locator("nav.views [aria-current]")
    assert shown.inner_text() == "bot" + str(RECORD.seats[1].entrant)
    page.wait_for_url("**#seat=1&at=*")
    page.locator("nav.views a").nth(1).click()
    page.locator("nav.views [aria-current][data-seat='0']").wait_for()
    page.wait_for_url("**#seat=0&at=*")


def test_the_log_follows(opened: Open) -> None:
    page = opened(file_of(RECORD))
    page.locator("#replay .stage-holder").wait_for()
    assert_the_log_follows(page, 45)


# Whatever waits is due between a click on a link and the page's own knowledge of it.
DUE_AFTER_A_CLICK = """
    const waiting = [];
    window.setTimeout = (task) => waiting.push(task);
    addEventListener("hashchange", () => waiting.splice(0).forEach((task) => task()));
"""


def test_a_view_is_shown_that_is_asked_for_before_the_last_step_settled(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "match.html"
    file.write_text(file_of(RECORD), encoding="utf-8")
    with visiting(browser, f"file://{file}", offline=True) as visit:
        visit.page.add_init_script(DUE_AFTER_A_CLICK)
        page = visit.open("#seat=1&at=7")
        page.locator("nav.views a").nth(1).click()
        page.locator("nav.views [aria-current][data-seat='0']").wait_for()


def test_one_key_is_one_step_after_a_change_of_view(opened: Open) -> None:
    page = opened(file_of(RECORD), "#at=7")
    slider = page.get_by_role("slider", name="Decision")
    slider.wait_for()  # it is drawn, and listens to keys
    page.keyboard.press("v")
    page.locator("nav.views [aria-current][data-seat='0']").wait_for()
    before = int(slider.input_value())
    page.keyboard.press("ArrowRight")
    assert int(slider.input_value()) == before + 1


def test_a_bots_name_does_no_harm(opened: Open) -> None:
    record = MatchRecord()
    record.CopyFrom(RECORD)
    record.seats[0].bot = HARM
    record = seal(record).record
    page = opened(file_of(record))
    page.locator("#replay .stage-holder").wait_for()
    assert page.locator("img").count() == 0
    assert verified(page).startswith("All that can be checked here is true.")
    assert json.loads(page.locator("#record").text_content() or "") == json.loads(canonical(record))


def test_the_record_can_be_saved(opened: Open, tmp_path: Path) -> None:
    page = opened(file_of(RECORD))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    assert download.value.path().read_text() == canonical(RECORD)


def test_without_scripts_it_says_what_it_is(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    file.write_text(file_of(RECORD), encoding="utf-8")
    with visiting(browser, f"file://{file}", java_script_enabled=False) as visit:
        assert "by JavaScript, which is switched off" in visit.open("").inner_text("body")


@pytest.mark.parametrize("slug", ["xeri", "oh-seven", "seven-rummy", "russian-bank"])
def test_a_file_is_small(slug: str) -> None:
    assert len(file_of(played(slug).record).encode()) < TYPICAL_BYTES
