from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from arena.store.open import open_store
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import count_matches, find_matches
from arena.views.matches.match_query import to_query
from tests.support.crowded_ladder import LONG, MATCHES, NAME, RIGHT_TO_LEFT, SCRIPT, TWICE
from tests.support.fetched import fetched
from tests.support.web_pages import links_of, said, table_with

FILTERS = [
    MatchFilter(),
    MatchFilter(competition=NAME),
    MatchFilter(game="xeri", faulted=True),
    MatchFilter(bot=SCRIPT),
    MatchFilter(bot=RIGHT_TO_LEFT, result=Result.WON),
    MatchFilter(bot=TWICE, number=2, against=LONG, result=Result.LOST),
    MatchFilter(bot=TWICE, against=TWICE),
    MatchFilter(bot="plain", seat=1, order=Order.WORST),
    MatchFilter(bot="plain", order=Order.BEST, slowest_ms=500),
]


def query_of(wanted: MatchFilter) -> str:
    return urlencode(to_query(wanted))


def pages(site: str, query: str) -> Iterator[str]:
    """Yields the pages of a list, following the links from one to the next."""
    address = f"/matches?{query}"
    while address:
        page = fetched(site + address)
        assert page.status == 200, page.html
        yield page.html
        following = re.search(r'rel="next" href="([^"]+)"', page.html)
        address = following[1].replace("&amp;", "&") if following else ""


def listed(page: str) -> list[str]:
    """Returns the short names of the matches in a page."""
    return re.findall(r"<code>([^<]+)</code>", page)


@pytest.mark.parametrize("wanted", FILTERS, ids=query_of)
def test_count_list_pages_exports_and_the_store_agree(
    crowded: Path, crowded_site: str, wanted: MatchFilter
) -> None:
    store = open_store(crowded, "read")
    with store.reading() as session:
        matches = find_matches(session, wanted, limit=1000).matches
        assert count_matches(session, wanted).number == len(matches)
    store.close()
    query = query_of(wanted)
    found = list(pages(crowded_site, query))
    assert said(r'id="count">(\d+)<', found[0]) == (str(len(matches)),)
    shown = [name for page in found for name in listed(page)]
    assert len(found) == max(1, -(-len(matches) // 50))
    assert shown == [f"{match.match[:10]}-1" for match in matches]

    ids = [match.match for match in matches]
    document = json.loads(fetched(f"{crowded_site}/matches.json?{query}").html)
    assert document["filter"] == dict(to_query(wanted))
    assert [match["match"] for match in document["matches"]] == ids
    lines = fetched(f"{crowded_site}/matches.ndjson?{query}").html.splitlines()
    assert [json.loads(line) for line in lines] == document["matches"]
    rows = list(csv.DictReader(io.StringIO(fetched(f"{crowded_site}/matches.csv?{query}").html)))
    assert [row["match"] for row in rows] == [one for one in ids for _ in range(2)]
    scores = [seat["score"] for match in document["matches"] for seat in match["seats"]]
    assert [int(row["score"]) for row in rows] == scores


def test_exports_are_linked_with_the_filter_of_the_page(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/matches?bot=plain&result=won").html
    assert "/matches.csv?bot=plain&result=won" in links_of(page)
    answer = fetched(f"{crowded_site}/matches.csv?bot=plain&result=won")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="matches.csv"' in answer.headers["Content-Disposition"]


def test_a_row_leads_to_the_match_its_seats_bots_and_competition(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/matches?fault=any").html
    links = links_of(page)
    [first, *_] = listed(page)
    assert f"/matches/{first}" in links
    assert {f"/matches/{first}?seat=0", f"/matches/{first}?seat=1"} <= set(links)
    assert f"/matches/{first}?seat=0&own=4" in links
    assert f"/ladders/{NAME}" in links
    assert {row["For"] for row in table_with(page, "Match", "Result")} == {NAME}


def test_the_outcome_is_said_for_the_bot_that_was_asked_for(crowded_site: str) -> None:
    won = table_with(fetched(f"{crowded_site}/matches?bot=plain&result=won").html, "Outcome")
    assert {row["Outcome"].split()[0] for row in won} == {"won"}
    worst = table_with(fetched(f"{crowded_site}/matches?bot=plain&order=worst").html, "Outcome")
    assert worst[0]["Outcome"] == "lost by 5"


def test_strange_names_are_shown_and_linked(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/matches").html
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\u202e" not in page
    assert "<bdi>\u05d1\u05d5\u05d8-\\u202e\u05de\u05d4\u05e8</bdi>" in page
    for name in (SCRIPT, RIGHT_TO_LEFT, LONG):
        assert f"/bots/{quote(name, safe='')}" in links_of(page)
        assert fetched(f"{crowded_site}/matches?bot={quote(name)}").status == 200


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("rezult=won", 400, "Matches cannot be chosen by &#39;rezult&#39;. Did you mean result?"),
        ("result=won", 400, "result is about a bot: name it as well, with bot."),
        ("bot=plain&result=drawn", 400, "result is one of won, lost, not &#39;drawn&#39;."),
        ("seat=x&bot=plain", 400, "seat takes a whole number"),
        ("bot=plian", 404, "There is no bot &#39;plian&#39;. Did you mean plain?"),
        ("competition=crowed", 404, "Did you mean crowded?"),
        ("game=xery", 404, "Did you mean xeri?"),
        ("after=nothing", 404, "No match begins with"),
    ],
)
def test_a_filter_that_cannot_be_is_answered_by_a_sentence(
    crowded_site: str, query: str, status: int, sentence: str
) -> None:
    page = fetched(f"{crowded_site}/matches?{query}")
    assert page.status == status
    assert sentence in page.html
    if not query.startswith("after"):
        assert fetched(f"{crowded_site}/matches.json?{query}").status == status


def test_the_form_keeps_what_was_wrong(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/matches?bot=plain&since=yesterday").html
    assert re.search(r'name="since" value="yesterday"[^>]*aria-invalid="true"', page)
    assert 'name="bot" value="plain"' in page


def test_empty_fields_of_the_form_do_not_stay_in_the_address(crowded_site: str) -> None:
    answer = fetched(f"{crowded_site}/matches?bot=plain&against=&result=&seat=")
    assert answer.status == 200
    assert 'href="/matches.csv?bot=plain"' in answer.html


def test_there_is_no_other_kind_of_file(crowded_site: str) -> None:
    answer = fetched(f"{crowded_site}/matches.xml")
    assert answer.status == 404
    assert "csv, json, ndjson" in answer.html


def test_all_matches_are_listed(crowded_site: str) -> None:
    assert sum(len(listed(page)) for page in pages(crowded_site, "")) == MATCHES


def test_moments_have_their_year_and_zone(crowded_site: str) -> None:
    moment = re.compile(r'<time datetime="([^"]+)"[^>]*>([^<]+)</time>')
    for address in ("/matches", "/", f"/ladders/{NAME}", "/bots/plain"):
        found = moment.findall(fetched(f"{crowded_site}{address}").html)
        assert found, address
        for machine, text in found:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", machine)
            assert text == f"{machine[:10]} {machine[11:16]} UTC"
