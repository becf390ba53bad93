from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.views.ladders.standing import standings
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.crowded_ladder import (
    LONG,
    MATCHES,
    NAME,
    RIGHT_TO_LEFT,
    SCRIPT,
    TWICE,
    VERSIONS,
    add_match,
    crowd,
)
from tests.support.event_streams import pages_here
from tests.support.fetched import fetched
from tests.support.web_pages import links_of, said, table_with, tables_of

MINUS = "\N{MINUS SIGN}"


def table_of(page: str) -> list[dict[str, str]]:
    return table_with(page, "Bot", "Rating", "Uncertainty")


def test_the_list_has_every_ladder_with_its_terms(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/ladders").html
    [row] = table_with(page, "Ladder", "Game")
    assert row == {
        "Ladder": NAME,
        "Game": "Xeri",
        "Seats": "2",
        "Clock": "1 min + 200 ms a decision",
        "Format": "single",
        "Bots": str(len(VERSIONS)),
        "Matches": str(MATCHES),
        "State": "not being run",
    }
    assert f"/ladders/{NAME}" in links_of(page)


def test_the_standings_are_those_of_the_store(crowded: Path, crowded_site: str) -> None:
    store = open_store(crowded, "read")
    with store.reading() as session:
        placings = standings(session, NAME)
    store.close()
    rows = table_of(fetched(f"{crowded_site}/ladders/{NAME}").html)
    assert [row["Place"] for row in rows] == [str(placing.place) for placing in placings]
    assert [row["Rating"] for row in rows] == [
        f"{placing.rating:.1f}".replace("-", MINUS) for placing in placings
    ]
    assert [row["Matches"] for row in rows] == [str(one.matches) for one in placings]
    assert [row["Faults"] for row in rows] == [str(one.faults) for one in placings]


def test_the_share_won_follows_from_the_matches_that_the_row_links_to(
    crowded: Path, crowded_site: str
) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}").html
    [row] = [row for row in table_of(page) if row["Bot"] == "plain"]
    store = open_store(crowded, "read")
    with store.reading() as session:
        found = find_matches(session, MatchFilter(competition=NAME, bot="plain"), limit=1000)
    store.close()
    points = 0.0
    for match in found.matches:
        [own] = [seat for seat in match.seats if seat.bot == "plain"]
        [other] = [seat for seat in match.seats if seat.bot != "plain"]
        points += (own.rank < other.rank) + (own.rank == other.rank) / 2
    assert row["Matches"] == str(len(found.matches))
    assert row["Won"] == f"{100 * points / len(found.matches):.0f} %"
    assert f"/matches?competition={NAME}&bot=plain%401" in links_of(page)


def test_the_curves_end_at_the_ratings_of_the_standings(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}").html
    points = table_with(page, "Line", "Rated job")
    assert len(points) <= 300
    ends = {point["Line"]: point["Rating (mu \u2212 3 sigma)"] for point in points}
    assert list(ends.values()) == [row["Rating"] for row in table_of(page)]
    assert page.count('<path class="line line-') == 2 * len(VERSIONS)  # with the legend


def test_each_cell_of_the_crosstable_agrees_with_the_list_that_it_leads_to(
    crowded_site: str,
) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}").html
    cells = re.findall(r'<a href="(/matches[^"]+)" title="([^"]+)">(\d+)', page)
    assert len(cells) == len(VERSIONS) * (len(VERSIONS) - 1)
    for address, says, share in cells[:7]:
        won, tied, lost, matches = map(
            int, said(r"(\d+) won, (\d+) tied, (\d+) lost of (\d+) matches", says)
        )
        assert won + tied + lost == matches
        assert int(share) == pytest.approx(100 * (won + tied / 2) / matches, abs=0.51)
        address = crowded_site + address.replace("&amp;", "&")
        for query, number in (("", matches), ("&result=won", won), ("&result=lost", lost)):
            counted = said(r'id="count">(\d+)<', fetched(address + query).html)
            assert counted == (str(number),)


def test_strange_names_stand_in_the_page_as_text(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}").html
    assert "<script>" not in page  # our own have attributes
    assert "\u202e" not in page
    assert [row["Bot"] for row in table_of(page) if row["Bot"].startswith(TWICE)] == [
        f"{TWICE} v1",
        f"{TWICE} v2",
    ]
    names = {row["Bot"] for row in table_of(page)}
    assert {SCRIPT, LONG, RIGHT_TO_LEFT.replace("\u202e", "\\u202e")} <= names


@pytest.mark.parametrize("part", ["standings", "recent"])
def test_a_part_is_what_stands_in_the_page(crowded_site: str, part: str) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}").html
    alone = fetched(f"{crowded_site}/ladders/{NAME}?part={part}").html
    [inside] = re.findall(rf'<section id="{part}"[^>]*>\n(.*?)</section>', page, re.DOTALL)
    assert alone.strip() == inside.strip()
    assert tables_of(alone)


def test_unchanged_pages_are_not_sent_again(crowded_site: str) -> None:
    address = f"{crowded_site}/ladders/{NAME}"
    first = fetched(address)
    again = fetched(address, If_None_Match=first.headers["ETag"])
    assert (again.status, again.html) == (304, "")
    for other in ("?part=recent", "?from=1"):
        assert fetched(address + other, If_None_Match=first.headers["ETag"]).status == 200
    themed = fetched(address, If_None_Match=first.headers["ETag"], Cookie="theme=dark")
    assert themed.status == 200


@pytest.mark.slow
def test_a_finished_match_changes_the_page(tmp_path: Path) -> None:
    crowd(tmp_path / "data")
    with pages_here(tmp_path / "data") as origin:
        first = fetched(f"{origin}/ladders/{NAME}")
        store = open_store(tmp_path / "data", "write")
        with store.writing() as session:
            add_match(session, MATCHES, ("plain", 1), (LONG, 1), Random(7))
        store.close()
        again = fetched(f"{origin}/ladders/{NAME}", If_None_Match=first.headers["ETag"])
    assert again.status == 200
    assert f"<strong>{MATCHES + 1}</strong> rated jobs" in again.html


def test_a_ladder_that_does_not_exist_is_asked_about(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/ladders/crowdde")
    assert page.status == 404
    assert "There is no ladder &#39;crowdde&#39;. Did you mean crowded?" in page.html


@pytest.mark.parametrize(
    ("query", "sentence"),
    [("part=all", "The parts of this page are standings, recent"), ("from=-1", "not &#39;-1&#39;")],
)
def test_other_wishes_are_refused(crowded_site: str, query: str, sentence: str) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}?{query}")
    assert page.status == 400
    assert sentence in page.html


def test_a_played_ladder_says_whether_it_is_run(shown: Path, site: str) -> None:
    assert "not being run" in fetched(f"{site}/ladders/main").html
    with DataFolder(shown).hold() as hold:
        hold.announce("", only=None)
        assert '<span class="state running">running</span>' in fetched(f"{site}/ladders/main").html


def test_the_software_for_bots_is_named_while_the_arena_runs(shown: Path, site: str) -> None:
    software = {
        "python": "3.11",
        "build": "cpython-311-x86_64-linux-gnu",
        "packages": {"numpy": "2.4.6"},
        "runtimes": ["go"],
    }
    assert "Bots find" not in fetched(f"{site}/ladders/main").html
    with DataFolder(shown).hold() as hold:
        hold.announce("", only=None, software=software)
        sentence = (
            "Bots find Python 3.11 (cpython-311-x86_64-linux-gnu) with numpy 2.4.6, and these"
            " runtimes: go."
        )
        assert sentence in fetched(f"{site}/ladders/main").html
        assert json.loads(fetched(f"{site}/api").html)["software"] == software


def test_a_page_that_is_looked_at_follows_the_ladder(browser: Browser, tmp_path: Path) -> None:
    crowd(tmp_path / "data")
    with pages_here(tmp_path / "data") as origin, visiting(browser, origin) as visit:
        visit.open(f"/ladders/{NAME}")
        store = open_store(tmp_path / "data", "write")
        with store.writing() as session:
            add_match(session, MATCHES, ("plain", 1), (LONG, 1), Random(7))
        store.close()
        newest = f"{f'{MATCHES:032x}'[::-1][:10]}-1"
        visit.page.wait_for_selector(f"#standings :text('{MATCHES + 1}')")
        visit.page.wait_for_selector(f"#recent tr:first-child :text('{newest}')")


def test_the_standings_are_searched_and_sorted_with_their_places(crowded_site: str) -> None:
    address = f"{crowded_site}/ladders/{NAME}"
    whole = table_of(fetched(address).html)
    places = {row["Bot"]: row["Place"] for row in whole}
    found = table_of(fetched(f"{address}?find=TWO-ver").html)
    assert {row["Bot"]: row["Place"] for row in found} == {
        name: place for name, place in places.items() if name.startswith(TWICE)
    }
    for column, title in (("matches", "Matches"), ("faults", "Faults"), ("won", "Won")):
        rows = table_of(fetched(f"{address}?by={column}").html)
        values = [int(row[title].split()[0]) for row in rows]
        assert values == sorted(values, reverse=True)
        assert {row["Bot"]: row["Place"] for row in rows} == places
    assert "No bot or owner here has “nothing” in its name." in (
        fetched(f"{address}?find=nothing").words
    )
    wrong = fetched(f"{address}?by=luck")
    assert (wrong.status, "sorted by rating, bot, owner" in wrong.words) == (400, True)


def test_the_standings_say_in_words_how_to_read_them(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/ladders/{NAME}")
    assert "A skill that the bot almost certainly has at least" in page.words
    rows = [
        (row["Bot"], float(row["Rating"].replace(MINUS, "-")), int(row["Won"].split()[0]))
        for row in table_of(page.html)
    ]
    reversed_pairs = [
        (one, other) for one, other in pairwise(rows) if one[1] > other[1] and one[2] < other[2]
    ]
    assert (") is ahead of " in page.words) == bool(reversed_pairs)


def test_a_visitor_marks_bots_and_finds_them_again(browser: Browser, crowded_site: str) -> None:
    with visiting(browser, crowded_site) as visit:
        visit.open(f"/ladders/{NAME}")
        page = visit.page
        page.locator("tr", has_text="plain").locator(".star").click()
        page.locator("tr.mine", has_text="plain").wait_for()
        visit.open(f"/ladders/{NAME}")
        page.locator("[data-mine] a", has_text="plain").click()
        page.wait_for_url("**find=plain**")
        page.locator("tr.mine", has_text="plain").wait_for()
        assert page.locator(".standings tbody tr").count() == 1
