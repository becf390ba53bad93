from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from arena.store.open import open_store
from arena.views.matches.fault import find_faults
from arena.views.matches.match_filter import MatchFilter, Result
from arena.views.matches.match_list import count_matches, find_matches
from tests.support.crowded_ladder import LONG, NAME, RIGHT_TO_LEFT, SCRIPT, TWICE
from tests.support.fetched import fetched
from tests.support.web_pages import links_of, said, table_with, tables_of


def page_of(site: str, bot: str, query: str = "") -> str:
    page = fetched(f"{site}/bots/{quote(bot, safe='')}{query}")
    assert page.status == 200, page.html
    return page.html


def whole(text: str) -> int:
    return int(text.replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_versions_are_listed_with_their_places_and_matches(
    crowded: Path, crowded_site: str
) -> None:
    page = page_of(crowded_site, TWICE)
    rows = table_with(page, "Version", "Submitted", "Ladder")
    assert [row["Version"] for row in rows] == ["2", "1"]
    assert {row["Ladder"] for row in rows} == {NAME}
    store = open_store(crowded, "read")
    with store.reading() as session:
        for row in rows:
            number = int(row["Version"])
            wanted = MatchFilter(bot=TWICE, number=number, competition=NAME)
            assert whole(row["Matches"]) == count_matches(session, wanted).number
            assert f"/matches?competition={NAME}&bot={TWICE}%40{number}" in links_of(page)
    store.close()
    standings = table_with(fetched(f"{crowded_site}/ladders/{NAME}").html, "Bot", "Rating")
    places = {row["Bot"]: (row["Place"], row["Rating"]) for row in standings}
    for row in rows:
        place, rating = places[f"{TWICE} v{row['Version']}"]
        assert row["Place"] == f"{place} of {len(standings)}"
        assert row["Rating"].startswith(rating)


def test_results_by_opponent_add_up_to_the_lists_that_they_link_to(
    crowded: Path, crowded_site: str
) -> None:
    page = page_of(crowded_site, "plain")
    rows = table_with(page, "Opponent", "Won")
    store = open_store(crowded, "read")
    with store.reading() as session:
        for result, column in ((None, "Matches"), (Result.WON, "Won"), (Result.LOST, "Lost")):
            wanted = MatchFilter(bot="plain", competition=NAME, result=result)
            total = sum(whole(row[column]) for row in rows)
            assert total == count_matches(session, wanted).number
    store.close()
    [row] = [row for row in rows if row["Opponent"] == LONG]
    address = f"/matches?competition={NAME}&bot=plain&against={LONG}%401"
    assert address in links_of(page)
    assert said(r'id="count">(\d+)<', fetched(crowded_site + address).html) == (row["Matches"],)


def test_results_by_seat_count_each_match_once(crowded_site: str) -> None:
    page = page_of(crowded_site, "plain")
    by_seat = table_with(page, "Seat", "Mean rank")
    by_opponent = table_with(page, "Opponent", "Won")
    assert [row["Seat"] for row in by_seat] == ["1", "2"]
    assert sum(whole(row["Matches"]) for row in by_seat) == sum(
        whole(row["Matches"]) for row in by_opponent
    )
    for row in by_seat:
        address = f"/matches?competition={NAME}&bot=plain&seat={int(row['Seat']) - 1}"
        assert address in links_of(page)
        assert f'id="count">{row["Matches"]}<' in fetched(crowded_site + address).html


def test_the_curve_has_a_band_whose_lower_edge_is_the_rating(crowded_site: str) -> None:
    page = page_of(crowded_site, "plain")
    points = table_with(page, "Rated job", "mu", "Band \u00b1")
    assert 10 < len(points) <= 300
    assert '<path class="band line-1"' in page
    last = points[-1]
    [version] = table_with(page, "Version", "Rating")
    assert float(last["mu"]) - float(last["Band \u00b1"]) == pytest.approx(
        float(version["Rating"].split()[0]), abs=0.11
    )


def test_decision_times_are_counted_up_to_the_whole_clock(crowded: Path, crowded_site: str) -> None:
    page = page_of(crowded_site, "plain")
    rows = table_with(page, "Time", "Decisions")
    store = open_store(crowded, "read")
    with store.reading() as session:
        found = find_matches(session, MatchFilter(bot="plain"), limit=1000).matches
    store.close()
    own = [seat for match in found for seat in match.seats if seat.bot == "plain"]
    assert sum(whole(row["Decisions"]) for row in rows) == sum(seat.decisions or 0 for seat in own)
    assert "the whole clock: 1 min" in page
    assert rows[-1]["Time"] == "32.8 s"  # 60.2 s lie between it and twice as much
    slowest = max(seat.slowest_ms or 0 for seat in own)
    address = f"/matches?competition={NAME}&bot=plain&slowest={slowest}"
    assert address in links_of(page)
    assert 'id="count">1<' in fetched(crowded_site + address).html


def test_each_fault_leads_to_its_decision_from_the_bots_seat(
    crowded: Path, crowded_site: str
) -> None:
    page = page_of(crowded_site, SCRIPT)
    store = open_store(crowded, "read")
    with store.reading() as session:
        faults = find_faults(session, bot=SCRIPT).faults
    store.close()
    rows = table_with(page, "Fault", "Observation")
    assert len(rows) == len(faults) > 0
    for row, fault in zip(rows, faults, strict=True):
        assert row["Fault"] == fault.kind
        assert row["Observation"] == fault.sentence
        assert f"/matches/{fault.match[:10]}-1?seat={fault.seat}&own=4" in links_of(page)


def test_the_lists_of_matches_are_one_step_away(crowded_site: str) -> None:
    links = links_of(page_of(crowded_site, "plain"))
    for query in ("", "&result=won", "&result=lost", "&order=worst", "&order=best", "&fault=any"):
        assert f"/matches?bot=plain{query}" in links
        assert fetched(f"{crowded_site}/matches?bot=plain{query}").status == 200


def test_the_latest_results_are_counted_and_drawn(crowded_site: str) -> None:
    page = page_of(crowded_site, "plain")
    says = said(r"last (\d+) matches: (\d+) won, (\d+) lost, (\d+) tied", page)
    played, *results = map(int, says)
    assert played == sum(results) == 50
    [drawn] = re.findall(r'<div class="strip"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert [drawn.count(f'class="{word}') for word in ("won", "lost", "tied")] == results


@pytest.mark.parametrize("bot", [SCRIPT, RIGHT_TO_LEFT, LONG])
def test_bots_with_strange_names_have_pages(crowded_site: str, bot: str) -> None:
    page = page_of(crowded_site, bot)
    assert "<script>" not in page
    assert "\u202e" not in re.sub('<input type="hidden"[^>]*>', "", page)
    assert tables_of(page)


def test_an_unchanged_page_is_not_sent_again(crowded_site: str) -> None:
    first = fetched(f"{crowded_site}/bots/plain")
    assert fetched(f"{crowded_site}/bots/plain", If_None_Match=first.headers["ETag"]).status == 304


def test_a_bot_or_ladder_that_does_not_exist_is_asked_about(crowded_site: str) -> None:
    page = fetched(f"{crowded_site}/bots/plian")
    assert page.status == 404
    assert "There is no bot &#39;plian&#39;. Did you mean plain?" in page.html
    page = fetched(f"{crowded_site}/bots/plain?ladder=crowdde")
    assert page.status == 404
    assert "Did you mean crowded?" in page.html


def test_a_bot_that_really_played_has_a_page(site: str) -> None:
    page = page_of(site, "random")
    assert table_with(page, "Opponent", "Won")[0]["Matches"] == "12"
    [decisions] = said(r"<strong>([^<]+)</strong> decisions", page)
    assert whole(decisions) > 100
