from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, expect

from arena.records import read
from arena.records.wording import Wording
from arena.store.open import open_store
from arena.store.schema import Match
from arena.store.session import Store
from arena.store.texts import record_text
from arena.views.matches.deal_group import group_of
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.web.deal import (
    Column,
    Decision,
    DecisionLog,
    aligned,
    first_difference,
    lead_figure,
    page_of,
)
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load
from tests.support.chromium import visiting
from tests.support.fetched import Fetched, fetched


@pytest.fixture(scope="module")
def store(busy: Path) -> Iterator[Store]:
    opened = open_store(busy, "read")
    yield opened
    opened.close()


def latest(store: Store, competition: str) -> str:
    with store.reading() as session:
        wanted = MatchFilter(competition=competition)
        return find_matches(session, wanted, limit=1).matches[0].match


def cells(page: Fetched) -> dict[tuple[int, str], tuple[int, str]]:
    """Seat, from 0, and action in words by decision and match, as the page has them."""
    found = re.findall(
        r'<td[^>]*><a href="/matches/([^"?]*)\?at=(\d+)"><span class="chip seat-\d">(\d+)</span>'
        r" (.*?)</a>",
        page.html,
    )
    return {
        (int(number), match): (int(seat) - 1, re.sub("<.*?>", "", action))
        for match, number, seat, action in found
    }


def in_words(record: MatchRecord) -> list[tuple[int, str]]:
    wording = Wording(load(record.game).layout, record.seats)
    return [(choice.seat, wording.choice(choice.action)) for choice in record.choices]


@pytest.mark.parametrize("competition", ["main", "duel"])
def test_all_matches_of_the_group_stand_side_by_side_as_recorded(
    store: Store, busy_site: str, competition: str
) -> None:
    match = latest(store, competition)
    shown = cells(fetched(f"{busy_site}/deals/{match}"))
    with store.reading() as session:
        group = group_of(session, match)
        choices = {
            one.match: in_words(read(record_text(session, one.match))) for one in group.matches
        }
    assert len(group.matches) == 2
    longest = max(map(len, choices.values()))
    later = cells(fetched(f"{busy_site}/deals/{match}?at={longest}")) if longest > 200 else {}
    assert shown | later == {
        (number, one): choice
        for one, made in choices.items()
        for number, choice in enumerate(made, 1)
    }


def test_the_first_difference_is_marked(store: Store, busy_site: str) -> None:
    match = latest(store, "main")
    with store.reading() as session:
        one, other = (
            [
                (choice.seat, choice.action)
                for choice in read(record_text(session, row.match)).choices
            ]
            for row in group_of(session, match).matches
        )
    number = next(
        at for at, pair in enumerate(zip(one, other, strict=False), 1) if len({*pair}) > 1
    )
    page = fetched(f"{busy_site}/deals/{match}")
    assert f'<tr id="d{number}" class="parting">' in page.html
    assert page.html.count("first difference</span>") == 1
    assert f"decision {number} is the first that differs" in page.words


def test_nothing_of_a_deal_in_play_is_shown(store: Store, busy_site: str) -> None:
    with store.reading() as session:
        hidden = [
            match
            for match in session.scalars(sa.select(Match.id))
            if not group_of(session, match).complete
        ]
        actions = {
            choice.action
            for match in hidden
            for choice in read(record_text(session, match)).choices
        }
    assert hidden
    for match in hidden:
        page = fetched(f"{busy_site}/deals/{match}")
        assert page.status == 403
        assert "Round 1 of the tournament shared is still in play" in page.words
        assert not any(action in page.words for action in actions)


def test_wrong_addresses_say_what_is_wrong(store: Store, busy_site: str) -> None:
    match = latest(store, "duel")
    unknown = fetched(f"{busy_site}/deals/zzzz")
    assert (unknown.status, "No match begins with" in unknown.words) == (404, True)
    beyond = fetched(f"{busy_site}/deals/{match}?at=4000")
    assert (beyond.status, "There is no decision 4000" in beyond.words) == (404, True)
    for text in ("0", "-1", "x", "1e3", "9" * 40):
        wrong = fetched(f"{busy_site}/deals/{match}?at={text}")
        assert (wrong.status, "from 1, such as ?at=37" in wrong.words) == (400, True)


def test_unchanged_it_is_not_sent_again(store: Store, busy_site: str) -> None:
    address = f"{busy_site}/deals/{latest(store, 'main')}"
    assert fetched(address, If_None_Match=fetched(address).headers["ETag"]).status == 304


@pytest.mark.needs("chromium")
def test_keys_step_through_all_matches_at_once(
    browser: Browser, store: Store, busy_site: str
) -> None:
    with visiting(browser, busy_site) as visit:
        page = visit.open(f"/deals/{latest(store, 'main')}")
        for key in ("ArrowDown", "j", "ArrowRight", "k", "ArrowUp", "ArrowRight"):
            page.keyboard.press(key)
        current = page.locator("tr[aria-current=step]")
        expect(current).to_have_id("d2")
        expect(page.locator("[data-said]")).to_contain_text("Decision 2: ")
        expect(page).to_have_url(re.compile("#d2$"))
        page.get_by_role("button", name="Play").click()
        expect(current).to_have_id(re.compile("d([4-9]|[1-9][0-9]+)"))  # it may be past d4
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("link", name="First difference").click()
        expect(current).to_have_class("parting now")


@pytest.mark.needs("chromium")
def test_the_keys_go_on_to_the_next_page(browser: Browser, store: Store, busy_site: str) -> None:
    with visiting(browser, busy_site) as visit:
        page = visit.open(f"/deals/{latest(store, 'main')}#d200")
        page.wait_for_selector("tr#d200[aria-current=step]")
        page.keyboard.press("ArrowDown")
        page.wait_for_url("**?at=201")
        expect(page.locator("tr#d201")).to_be_visible()


@pytest.mark.needs("chromium")
def test_without_scripts_the_page_is_complete(
    browser: Browser, store: Store, busy_site: str
) -> None:
    with visiting(browser, busy_site, java_script_enabled=False) as visit:
        page = visit.open(f"/deals/{latest(store, 'main')}")
        assert not page.locator("[data-deal-controls]").is_visible()
        assert page.locator(".deal-table tbody tr").count() == 200
        page.get_by_role("link", name="Later").first.click()
        expect(page.locator("tr#d201")).to_be_visible()


def log(*actions: str, scores: tuple[tuple[int, ...], ...] = ()) -> DecisionLog:
    given = scores or (None,) * len(actions)
    return DecisionLog(
        [Decision(0, one, one, two) for one, two in zip(actions, given, strict=True)]
    )


def columns(*logs: DecisionLog) -> list[Column]:
    return [Column(None, one) for one in logs]  # type: ignore[arg-type]


def test_matches_of_unequal_length_part_where_one_is_over() -> None:
    found = columns(log("a", "b", "c"), log("a", "b"))
    assert first_difference(found) == 3
    rows = aligned(found, 1, 10)
    assert [row.differs for row in rows] == [False, False, True]
    assert rows[2].cells[1] is None


def test_a_match_without_a_record_parts_from_nothing() -> None:
    found = columns(DecisionLog((), "pruned"), log("a", "b"), log("a", "b"))
    assert first_difference(found) is None
    assert not any(row.differs for row in aligned(found, 1, 3))


def test_scores_are_told_when_they_change_and_drawn() -> None:
    own = log("a", "b", "c", scores=((0, 0), (0, 0), (3, 1)))
    assert [row.news[0] for row in aligned(columns(own), 1, 4)] == ["", "", "3 : 1"]
    figure = lead_figure([own, log("a", scores=((0, 0),))], 2)
    assert figure is not None
    assert figure.farthest == 2
    assert len(figure.lines[0].split()) == 3
    assert lead_figure([log("a", "b")], None) is None


@pytest.mark.parametrize(
    ("number", "matches", "page"),
    [(1, 2, (1, 200)), (200, 2, (1, 200)), (201, 2, (201, 200)), (67, 24, (67, 66))],
)
def test_more_matches_have_shorter_pages(number: int, matches: int, page: tuple[int, int]) -> None:
    assert page_of(number, matches) == page
