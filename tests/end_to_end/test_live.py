"""Matches in play, followed through the pages of a real arena."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from http import HTTPStatus
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import redis
from playwright.sync_api import Browser, expect

from arena.cli.app import run
from tests.support.chromium import visiting
from tests.support.event_streams import Visitor
from tests.support.patience import until
from tests.support.served_pages import served_pages
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena

pytestmark = pytest.mark.slow

DELAY_S = 2.0
MORE_LINES = "count => document.querySelectorAll('#follow .log li').length > count"
THINKS_S = 0.25
SLOW = f"""
import time
from sevens_sdk import Bot, run

class Slow(Bot):
    def choose(self, decision):
        time.sleep({THINKS_S})
        return 0

run(Slow)
"""


@contextmanager
def playing(folder: Path, *options: str) -> Iterator[tuple[WholeArena, str]]:
    """Runs a ladder of two slow bots, and its pages; yields the arena and the pages' origin."""
    bots = []
    for name in ("slow", "slower"):
        bots.append(shutil.copytree(SAMPLE_BOTS / "first_bot", folder / name))
        (bots[-1] / "bot.py").write_text(SLOW)
        manifest = bots[-1] / "bot.toml"
        manifest.write_text(manifest.read_text().replace('"first"', f'"{name}"'))
    with WholeArena(folder) as arena:
        create = ["ladder", "create", "main", "xeri", *map(str, bots), "--set", "deals=1"]
        assert run([*create, *options, "--data", str(arena.data)]) == 0
        with served_pages(arena.data, "--live-delay", str(DELAY_S)) as origin:
            arena.league(1, workers=1)
            yield arena, origin


def got(address: str) -> str:
    with urlopen(address) as answer:
        return str(answer.read().decode())


def the_job(origin: str, words: str) -> str:
    """Waits until the one job is in play; returns the list of those in play."""
    page = ""

    def is_listed() -> bool:
        nonlocal page
        page = got(f"{origin}/live")
        return words in page

    until(is_listed, f"the page says {words!r}")
    return page


def job_in(page: str) -> str:
    return page.partition('href="/live/')[2].partition('"')[0]


def decisions(origin: str, job: str) -> int | None:
    """Returns how many decisions are shown; None if nothing is."""
    try:
        shown = json.loads(got(f"{origin}/live/{job}/replay.json"))
    except HTTPError as refusal:
        if refusal.code != HTTPStatus.NOT_FOUND:
            raise
        return None
    assert shown["result"]["says"] == "The match goes on."
    return int(shown["decisions"])


def earliest(record: dict[str, Any]) -> list[float]:
    """Returns by the number of decisions when so many can have been made at the earliest: when the
    match began, and what the seats took to think."""
    began = datetime.fromisoformat(record["started_at"]).timestamp()
    thoughts = (choice["milliseconds"] / 1000 for choice in record["choices"])
    return [*accumulate(thoughts, initial=began)]


def keys(arena: WholeArena, pattern: str) -> dict[str, int]:
    """Returns Redis keys, and in how many milliseconds they expire."""
    with redis.Redis.from_url(arena.redis()) as raw:
        return {key.decode(): int(raw.pttl(key)) for key in raw.keys(pattern)}


def test_a_match_is_followed_with_the_delay_until_it_is_over(tmp_path: Path) -> None:
    with playing(tmp_path) as (arena, origin):
        job = job_in(the_job(origin, "Follow it"))
        assert keys(arena, "sevens:broadcast:*") == {}  # nobody watches yet
        host, port = origin.removeprefix("http://").split(":")
        with closing(Visitor((host, int(port)), f"/live/{job}/events")) as visitor:
            visitor.until("Shown as it was 2 seconds ago.")
            assert 0 < keys(arena, "sevens:broadcast:*")[f"sevens:broadcast:{job}"] <= 60_000
            assert 0 < keys(arena, "sevens:watched:*")[f"sevens:watched:{job}"] <= 10_000
            shown = []
            while arena.recorded() == 0 and (count := decisions(origin, job)) is not None:
                shown.append((time.time(), count))
                time.sleep(0.2)
            visitor.until('"sentence": "The match is over."')
            assert f'"matches": ["{job}-1"]' in visitor.received
        page = got(f"{origin}/live/{job}")
        assert f'href="/matches/{job}-1"' in page
        made_at = earliest(json.loads(got(f"{origin}/matches/{job}-1/record.json")))
        counts = [count for _, count in shown]
        assert len(set(counts)) > 1
        assert counts == sorted(counts)
        assert all(made_at[count] + DELAY_S <= at for at, count in shown)


@pytest.mark.needs("chromium")
def test_a_browser_draws_the_match_and_leads_to_it_when_it_is_over(
    tmp_path: Path, browser: Browser
) -> None:
    with playing(tmp_path) as (_, origin), visiting(browser, origin) as visit:
        page = visit.open("/live")
        page.get_by_role("link", name="Follow it").click()
        expect(page.locator("#follow output.count")).to_have_text("so far")
        line = page.locator("#follow .log li")
        page.wait_for_function(MORE_LINES, arg=line.count())
        expect(page).to_have_url(re.compile(r"/matches/[0-9a-z-]+-1"))
        expect(page.locator("#replay .board")).to_be_visible()
        page = visit.open("/live")
        expect(page.locator("[data-part]")).to_contain_text("no match is in play")


def test_nothing_of_a_duplicate_group_is_shown_or_sent_before_it_is_over(tmp_path: Path) -> None:
    with playing(tmp_path, "--duplicate") as (arena, origin):
        page = the_job(origin, "It is shown when all its 2 matches with the same cards are over.")
        assert "Follow it" not in page
        with redis.Redis.from_url(arena.redis()) as raw:
            [(_, fields)] = raw.xrange("sevens:jobs")
            job = fields[b"job_id"].decode()
            with suppress(redis.ConnectionError):  # the league has ended, and its Redis with it
                while True:
                    shown, page = decisions(origin, job), got(f"{origin}/live/{job}")
                    sent = [*raw.keys("sevens:broadcast:*"), *raw.keys("sevens:watched:*")]
                    if arena.recorded():
                        break
                    assert (shown, sent) == (None, [])
                    assert "It is shown when all its 2 matches" in page
                    time.sleep(0.5)
        page = got(f"{origin}/live/{job}")
        assert f'href="/matches/{job}-1"' in page
        assert f'href="/matches/{job}-2"' in page


def test_without_an_arena_nothing_is_in_play(tmp_path: Path) -> None:
    assert run(["ladder", "create", "main", "xeri", "--data", str(tmp_path / "data")]) == 0
    with served_pages(tmp_path / "data") as origin:
        assert "No arena runs on this data folder at present" in got(f"{origin}/live")
        with pytest.raises(HTTPError, match="404"):
            got(f"{origin}/live/nonsense")
