"""TV: which matches are on, in which order and why, and that they play one after another."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, expect
from sqlalchemy.orm import Session

from arena.store.open import open_store
from arena.views.matches.match import Match, Seat, SeatFault
from arena.web.replay.highlights import highlights_of
from arena.web.tv_programme import Item, Programme
from tests.support.chromium import visiting
from tests.support.drawn_replay import assert_the_log_follows
from tests.support.event_streams import pages_here


def match(*seats: Seat) -> Match:
    now = datetime.now(UTC)
    return Match(
        match="m-1",
        job="m",
        number=1,
        attempt=1,
        competition="main",
        competition_kind="ladder",
        game="xeri",
        rules_version=1,
        seats=seats,
        reason="",
        rated=True,
        digest="",
        started_at=now,
        finished_at=now,
    )


def seat(number: int, bot: str, score: int, rank: int, *faults: SeatFault) -> Seat:
    return in_team(number, number, bot, score, rank, *faults)


def in_team(team: int, number: int, bot: str, score: int, rank: int, *faults: SeatFault) -> Seat:
    return Seat(
        seat=number,
        bot=bot,
        version="",
        number=1,
        team=team,
        score=score,
        rank=rank,
        faults=faults,
    )


def test_a_win_that_was_improbable_is_an_upset() -> None:
    won = match(seat(0, "ann", 3, 1), seat(1, "bob\u202e", 2, 2))
    assert Item(won, 0.9).outcome == "Upset: ann won with a chance of 10%."
    assert Item(won, 0.999).outcome == "Upset: ann won with a chance of at most 1%."
    assert Item(won, 0.6).outcome == ""


def test_partners_win_together() -> None:
    pairs = [
        in_team(number % 2, number, name, 9, 1 + number % 2)
        for number, name in enumerate(("ann", "bob", "cid", "dan"))
    ]
    assert Item(match(*pairs), 0.8).outcome == "Upset: ann and cid won with a chance of 20%."


def test_at_a_table_of_three_the_chance_is_that_against_one_of_the_others() -> None:
    won = match(seat(0, "ann", 3, 1), seat(1, "bob", 2, 2), seat(2, "cid", 1, 3))
    assert Item(won, 0.8).outcome.endswith("a chance of 20% against one of the others.")


def test_the_most_surprising_comes_first_unless_it_is_much_older(
    shown: Path, tmp_path: Path
) -> None:
    data = Path(shutil.copytree(shown, tmp_path / "data"))
    store = open_store(data, "write")
    with store.writing() as session:
        session.execute(sa.text("UPDATE matches SET surprise = 0"))
        latest = sa.text("SELECT id FROM matches ORDER BY finished_at DESC, id DESC")
        ids = session.scalars(latest).all()
        for place, surprise in ((3, 0.9), (5, 0.2), (11, 0.1)):
            statement = sa.text("UPDATE matches SET surprise = :surprise WHERE id = :id")
            session.execute(statement, {"surprise": surprise, "id": ids[place]})
    on = [item.match.match for item in Programme(store).items()]
    store.close()
    assert on[:3] == [ids[3], ids[5], ids[0]]
    assert on[-1] == ids[10]


def _share_its_deal_with_a_job_in_play(session: Session, match: str) -> None:
    """Makes a match the first half of a comparison's group, whose other half is still played."""
    for statement in (
        "INSERT INTO competitions (name, kind, game, rules_version, options, bank_ms, increment_ms,"
        " seats, format, partners, state, created_at)"
        " SELECT 'c', 'comparison', game, rules_version, options, bank_ms, increment_ms,"
        " seats, format, partners, 'running', created_at FROM competitions LIMIT 1",
        "INSERT INTO comparisons (name, owner, plan, secret, problem)"
        " VALUES ('c', 'o', '{}', '', '')",
        "INSERT INTO comparison_groups (comparison, number) VALUES ('c', 1)",
        "INSERT INTO comparison_jobs (comparison, number, half, job)"
        " SELECT 'c', 1, 0, job FROM matches WHERE id = :match",
        "INSERT INTO jobs (id, competition, body, token_hash, state, attempts, reason, created_at)"
        " SELECT 'other', 'c', body, token_hash, 'queued', 0, '', created_at FROM jobs LIMIT 1",
        "INSERT INTO comparison_jobs (comparison, number, half, job) VALUES ('c', 1, 1, 'other')",
        "UPDATE matches SET competition = 'c' WHERE id = :match",
    ):
        session.execute(sa.text(statement), {"match": match} if ":match" in statement else {})


def test_all_matches_come_in_turn_and_then_from_the_beginning(shown: Path) -> None:
    store = open_store(shown, "read")
    tv = Programme(store)
    ids = [item.match.match for item in tv.items()]
    assert len(set(ids)) == len(ids) == 12
    seen = [""]
    for _ in range(13):
        item = tv.after(seen[-1])
        assert item is not None
        seen.append(item.match.match)
    assert seen[1:13] == ids
    assert seen[13] == ids[0]
    store.close()


def test_pruned_matches_and_deals_in_play_are_not_on(shown: Path, tmp_path: Path) -> None:
    data = Path(shutil.copytree(shown, tmp_path / "data"))
    store = open_store(data, "write")
    with store.writing() as session:
        ids = session.scalars(sa.text("SELECT id FROM matches ORDER BY id")).all()
        session.execute(sa.text("DELETE FROM records WHERE match = :id"), {"id": ids[0]})
        _share_its_deal_with_a_job_in_play(session, ids[1])
    on = {item.match.match for item in Programme(store).items()}
    store.close()
    assert on == set(ids[2:])


@pytest.mark.slow
def test_an_arena_without_matches_has_nothing_on(tmp_path: Path) -> None:
    open_store(tmp_path / "data", "write").close()
    with pages_here(tmp_path / "data") as origin:
        with urlopen(f"{origin}/tv/next") as answer:
            assert answer.status == 204
        with urlopen(f"{origin}/tv") as answer:
            assert "No finished match can be shown yet." in answer.read().decode()


def test_without_javascript_the_matches_are_a_list(site: str) -> None:
    with urlopen(f"{site}/tv") as answer:
        page = answer.read().decode()
    with urlopen(f"{site}/tv/next") as answer:
        first = json.loads(answer.read())
    assert page.count('<li><a href="/matches/') == 12
    assert page.index(first["page"]) > 0
    with urlopen(site + re.findall(r'<li><a href="([^"]+)"', page)[0]) as answer:
        assert answer.status == 200


def test_the_moments_are_the_largest_changes_of_the_score_and_the_end() -> None:
    scores = {0: [0, 0], 20: [5, 0], 40: [5, 1], 60: [5, 9], 62: [12, 9], 90: [13, 10]}
    frames = [{"facts": {"points": scores[i]} if i in scores else {}} for i in range(100)]
    expected = [[14, 20], [54, 60], [93, 99]]
    assert highlights_of(frames, []) == {"fact": "points", "moments": expected}


def test_a_match_without_a_score_leads_up_to_its_last_tricks() -> None:
    frames: list[dict[str, Any]] = [{"facts": {}} for _ in range(30)]
    expected = [[3, 9], [13, 19], [23, 29]]
    assert highlights_of(frames, [4, 9, 19, 25]) == {"fact": None, "moments": expected}


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_moments_are_shown_and_the_next_match_follows_by_itself(
    browser: Browser, site: str
) -> None:
    with visiting(browser, site) as visit:
        visit.page.clock.install()
        page = visit.open("/tv")
        line, link = page.locator("#tv-caption"), page.locator("#tv-page")
        expect(line).to_have_text("Xeri, moment 1 of 3")
        first = link.get_attribute("href")
        position = page.locator("#tv-screen output.count")
        begun = position.text_content()
        page.clock.run_for(1_000)
        assert position.text_content() != begun
        page.clock.run_for(3 * 6_000 + 2 * 2_500)
        expect(position).to_have_text("the end")
        expect(line).not_to_contain_text("moment")
        expect(page.locator("#tv-score")).to_contain_text("·")
        page.clock.run_for(6_000)
        expect(link).not_to_have_attribute("href", str(first))
        second = link.get_attribute("href")
        page.get_by_role("button", name="Next match").click()
        expect(link).not_to_have_attribute("href", str(second))
        expect(page.locator("#tv-screen .board")).to_have_count(1)
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Go on")).to_be_visible()
        page.clock.resume()
        assert_the_log_follows(page, 25)
