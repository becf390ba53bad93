"""A match with its analysis as one file: the same replay as on the pages, with nothing to fetch."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.records.record import canonical
from arena.web.offline import offline_html
from arena.web.replay import replay_document
from tests.support.chromium import DESKTOP, PHONE, visiting
from tests.support.faultless_pages import assert_faultless
from tests.support.played_matches import played
from tests.support.weighed_matches import weighed_match

RECORD = played("xeri", deals=1).record
ANALYSIS = weighed_match(RECORD, blunders=2)
FIRST, SECOND = (one for one in ANALYSIS.decisions if one.mark)


def file_of() -> str:
    documents = [replay_document(RECORD, seat=seat) for seat in (None, 0, 1)]
    return offline_html(canonical(RECORD), documents, title="Lost", analysis=ANALYSIS)


def test_a_file_holds_the_analysis() -> None:
    text = file_of()
    packed = re.search(r'id="documents">([^<]+)<', text)
    assert packed is not None
    documents = json.loads(zlib.decompress(b64decode(packed[1])))
    decisions = documents["analysis"]["decisions"]
    assert [one["decision"] for one in decisions if one["mark"] == "blunder"] == [
        FIRST.decision,
        SECOND.decision,
    ]
    assert decisions[0]["expected"] == [[1.5, 0.07], [1.5, 0.07]]
    for said in ("60 playouts for each decision", "41\N{NO-BREAK SPACE}% ± 34", "0.30 ± 0.10"):
        assert said in text


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "match.html"
    file.write_text(file_of(), encoding="utf-8")
    with visiting(
        browser, f"file://{file}", viewport=request.param, reduced_motion="reduce"
    ) as visit:
        page = visit.open("")
        page.locator("#replay .stage-holder").wait_for()
        yield page


def shown(page: Page) -> int:
    return int(page.locator("output.count").inner_text().partition(" of ")[0])


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.needs("node")
def test_marked_decisions_show_what_was_better(page: Page, axe: str) -> None:
    page.keyboard.press("m")
    assert shown(page) == FIRST.decision
    best = FIRST.actions[0].action.split()[-1]
    expect(page.locator(".seat.acting .playing-card.better")).to_have_attribute("data-card", best)
    worth = page.locator(".decision .worth")
    expect(worth).to_contain_text("was better by 0.16 ± 0.05 of a rank.")
    expect(page.locator(".step")).to_contain_text(worth.inner_text().removeprefix("?? "))
    expect(page.locator(".lines [aria-current] .sign")).to_have_text("?? blunder")
    row = page.locator(".expectation tr[aria-current]")
    expect(row).to_contain_text("(chosen)1.50 ± 0.070.16 ± 0.051.50 ± 0.07exact")
    page.keyboard.press("m")
    assert shown(page) == SECOND.decision
    page.get_by_label("Previous marked decision").click()
    assert shown(page) == FIRST.decision
    assert_faultless(page, axe)
    page.locator(".expectation .curves > svg").click()
    middle = page.get_by_role("slider", name="Decision").input_value()
    assert shown(page) == 1 + int(middle)
    assert abs(int(middle) - len(RECORD.choices) // 2) <= 1
