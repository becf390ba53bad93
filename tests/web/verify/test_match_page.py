"""The button on the page of a match, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route

from arena.store.open import open_store
from arena.views.matches.match_list import find_matches
from tests.support.chromium import Visit

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def address(shown: Path) -> str:
    """The page of the latest match in the store."""
    with open_store(shown, "read").reading() as session:
        [row] = find_matches(session, limit=1).matches
        return f"/matches/{row.match}"


def test_the_page_verifies_the_record_that_it_fetches(visit: Visit, address: str) -> None:
    page = visit.open(address)
    page.get_by_role("button", name="Verify here").click()
    page.get_by_text("All that can be checked here is true.").wait_for()
    assert page.get_by_text("shuffles passed:").count() == 1


def test_a_record_that_was_changed_on_the_way_is_found_out(visit: Visit, address: str) -> None:
    def forge(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"attempt":1', '"attempt":2'))

    visit.page.route("**/record.json", forge)
    page = visit.open(address)
    page.get_by_role("button", name="Verify here").click()
    page.get_by_text("This record is not true. What failed: digest.").wait_for()


def test_a_record_that_cannot_be_fetched_is_said_so(visit: Visit, address: str) -> None:
    visit.page.route("**/record.json", lambda route: route.fulfill(status=503))
    page = visit.open(address)
    page.get_by_role("button", name="Verify here").click()
    page.get_by_text("The record could not be fetched. The arena answered 503.").wait_for()
