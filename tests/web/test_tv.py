"""TV: which matches are on, in which order and why, and that they play one after another."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, expect
from sqlalchemy.orm import Session

from arena.ratings.rater import Skill
from arena.store.matches import MatchRow, SeatFault, SeatRow
from arena.store.open import open_store
from arena.web.deal import Course, Decision, Scores, course_of
from arena.web.tv.programme import REPLAYED, Programme
from arena.web.tv.surprise import Before, surprise_of
from arena.web.tv.swing import Swing, swing_of
from tests.support.chromium import visiting
from tests.support.served_pages import served_pages

EQUAL = (Skill(25, 1), Skill(25, 1))


def match(*seats: SeatRow) -> MatchRow:
    now = datetime.now(UTC)
    return MatchRow(
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


def seat(number: int, bot: str, score: int, rank: int, *faults: SeatFault) -> SeatRow:
    return SeatRow(number, bot, "", 1, number, score, rank, faults)


def caption(row: MatchRow, before: Before | None = None, others: int | None = 98) -> str:
    return surprise_of(row, before, others).caption


def test_a_win_that_was_improbable_is_an_upset() -> None:
    won = match(seat(0, "ann", 3, 1), seat(1, "bob", 2, 2))
    strong = Before((Skill(20, 1), Skill(28, 1)), 0.05)
    said = caption(won, strong)
    assert re.fullmatch(r"Upset: \d{1,2}% before the match, ann against bob", said)
    assert "Upset" not in caption(won, Before(strong.skills[::-1], 0.05))
    assert "Upset" not in caption(won, Before(EQUAL, 0.05))


def test_an_upset_is_more_surprising_the_less_probable_it_was() -> None:
    won = match(seat(0, "ann", 3, 1), seat(1, "bob", 2, 2))
    sizes = [
        surprise_of(won, Before((Skill(mu, 1), Skill(28, 1)), 0.05), 98).size for mu in (24, 22, 20)
    ]
    assert sizes == sorted(sizes)


def test_at_a_table_of_three_the_winner_is_compared_with_the_one_it_was_least_to_beat() -> None:
    won = match(seat(0, "ann", 3, 1), seat(1, "bob", 2, 2), seat(2, "cid", 1, 3))
    before = Before((Skill(20, 1), Skill(20, 1), Skill(28, 1)), 0.05)
    assert caption(won, before).endswith("ann against cid")


def test_a_fault_a_record_and_a_narrow_win_are_surprises_too() -> None:
    late = SeatFault("timeout", 3, "It was late.")
    assert caption(match(seat(0, "ann", 3, 1), seat(1, "bob\u202e", 2, 2, late))) == (
        "Fault: bob\\u202e ran out of time"
    )
    high = match(seat(0, "ann", 99, 1), seat(1, "bob", 2, 2))
    assert caption(high) == ("Record: ann scores 99; nobody else lately had more than 98")
    assert caption(high, others=99) == "One of the latest matches"
    assert caption(high, others=None) == "One of the latest matches"
    assert caption(match(seat(0, "ann", 51, 1), seat(1, "bob", 50, 2))) == "Decided by one point"
    assert caption(match(seat(0, "ann", 1, 1), seat(1, "bob", 0, 2))) == "One of the latest matches"


def course(*scores: Scores | None) -> Course:
    return Course([Decision(0, "x", one) for one in scores])


def test_the_lead_is_the_winners_over_the_best_of_the_others() -> None:
    won = match(seat(0, "ann", 9, 1), seat(1, "bob", 2, 2), seat(2, "cid", 1, 3))
    assert swing_of(won, course((0, 0, 0), (0, 1, 4), (1, 2, 3), (9, 2, 1))) == Swing(4, 3, 4, 9)
    assert swing_of(won, course((0, 0, 0), (4, 1, 4), (5, 2, 3))) is None
    assert swing_of(won, course(None, None)) is None
    assert swing_of(won, course((0, 12, 4), (20, 18, 1))) is None


def test_the_scores_of_partners_are_one() -> None:
    pairs = [
        SeatRow(number, name, "", 1, number % 2, 9 - number % 2, 1 + number % 2, ())
        for number, name in enumerate(("ann", "bob", "cid", "dan"))
    ]
    by_team, by_seat = course((0, 3), (9, 8)), course((0, 1, 0, 2), (4, 4, 5, 4))
    assert swing_of(match(*pairs), by_team) == swing_of(match(*pairs), by_seat) == Swing(3, 1, 2, 9)


def test_nobody_has_come_from_behind_where_nobody_has_won_alone() -> None:
    tied = match(seat(0, "ann", 3, 1), seat(1, "bob", 3, 1))
    assert swing_of(tied, course((0, 3), (3, 3))) is None


def test_a_swing_is_a_surprise_if_it_was_deep_or_late() -> None:
    won = match(seat(0, "ann", 10, 1), seat(1, "bob", 8, 2))
    said = surprise_of(won, None, 98, Swing(6, 80, 100, 10))
    assert said.caption == (
        "Swing: ann won after having been 6 points behind, and was behind until decision 80 of 100"
    )
    assert said.size == pytest.approx(0.7)
    assert surprise_of(won, None, 98, Swing(1, 10, 100, 10)).caption == "One of the latest matches"


def test_matches_are_replayed_once_and_a_few_at_a_time(
    shown: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[str] = []

    def noted(session: Session, match: str) -> Course:
        replayed.append(match)
        return course_of(session, match)

    monkeypatch.setattr("arena.web.tv.programme.course_of", noted)
    monkeypatch.setattr("arena.web.tv.programme.NEW_EVERY_S", -1.0)
    store = open_store(shown, "read")
    tv = Programme(store)
    counts = []
    for _ in range(3):
        tv.items()
        counts.append(len(replayed))
    store.close()
    assert counts == [REPLAYED, 2 * REPLAYED, 3 * REPLAYED]
    assert len(set(replayed)) == len(replayed)


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


def test_an_arena_without_matches_has_nothing_on(tmp_path: Path) -> None:
    open_store(tmp_path / "data", "write").close()
    with served_pages(tmp_path / "data") as origin:
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


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.timeout(120)
def test_a_match_is_played_and_the_next_one_follows_by_itself(browser: Browser, site: str) -> None:
    with visiting(browser, site) as visit:
        visit.page.clock.install()
        page = visit.open("/tv")
        line, link = page.locator("#tv-caption"), page.locator("#tv-page")
        expect(line).not_to_be_empty()
        expect(page.locator("#tv-screen .controls .play")).to_have_attribute("aria-label", "Pause")
        first = link.get_attribute("href")
        position = page.locator("#tv-screen output.count")
        begun = position.text_content()
        page.clock.run_for(3_000)
        assert position.text_content() != begun
        page.keyboard.press("End")
        page.clock.run_for(7_000)
        expect(link).not_to_have_attribute("href", str(first))
        second = link.get_attribute("href")
        page.get_by_role("button", name="Next match").click()
        expect(link).not_to_have_attribute("href", str(second))
        expect(page.locator("#tv-screen .board")).to_have_count(1)
