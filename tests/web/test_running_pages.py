"""Pages of an arena that runs: what is anybody's own, tables in play and over, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser
from sqlalchemy import select

from arena.cli.app import run
from arena.store.open import open_store
from arena.store.people import table_with_key
from arena.store.schema import Job
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.crowded_ladder import NAME as CROWDED
from tests.support.crowded_ladder import TWICE, crowd
from tests.support.faultless_pages import SIZES, assert_faultless, in_every_look
from tests.support.played_ladder import play_ladder
from tests.support.table_pages import Guest, at_random
from tests.support.visitor import Visitor
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import token_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("chromium"),
    pytest.mark.needs("node"),
]

LOGINS_A_MINUTE = 10
OWNER = f"{TWICE}'s owner"


@dataclass(frozen=True)
class Running:
    """An arena that runs. `cookies`: of an organiser, who sees what is anybody's own."""

    origin: str
    cookies: dict[str, str]
    addresses: list[str]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """An arena with ladders at rest, a table in play and one that is over."""
    with WholeArena(tmp_path_factory.mktemp("running")) as arena:
        crowd(arena.data)
        play_ladder(SAMPLE_BOTS, arena.data, 3)
        for ladder in (CROWDED, "main"):
            assert run(["ladder", "pause", ladder, "--data", str(arena.data)]) == 0
        server = arena.server("--web", "127.0.0.1:0", "--guests")
        origin = server.pages()
        organiser = Visitor(origin).log_in(token_of(arena, "Org", "organiser"))
        yield Running(origin, organiser.cookies, addresses_of(arena.data, Guest(origin)))
        server.stop()


def addresses_of(data: Path, guest: Guest) -> list[str]:
    store = open_store(data, "read")
    with store.reading() as session:
        [played] = find_matches(session, MatchFilter(competition="main"), limit=1).matches
        [gone] = find_matches(session, MatchFilter(competition=CROWDED), limit=1).matches
    table = {"game": "xeri", "seat": 0, "opponent": "first", "option-deals": 1}
    finished = guest.sits_down(**table).address
    guest.plays(guest.get(finished), at_random(1))
    in_play = guest.sits_down(**table).address
    with store.reading() as session:
        seated = table_with_key(session, in_play.rpartition("/")[2])
        assert seated is not None
        [job] = session.scalars(select(Job.id).where(Job.competition == seated.name))
    store.close()
    return [
        *(f"/own{page}?owner={quote(OWNER)}" for page in ("", "/submit", "/faults")),
        f"/do/retire_version?bot={quote(TWICE)}&number=2",
        f"/play?match={played.match}&seat=1&at=5",
        f"/matches/{gone.match}",
        *(finished.removeprefix(guest.origin), in_play.removeprefix(guest.origin), f"/live/{job}"),
        "/tables/srt_nowhere",
    ]


@in_every_look
def test_a_page_of_a_running_arena_has_no_fault(
    browser: Browser, running: Running, axe: str, scheme: str, size: str
) -> None:
    with visiting(browser, running.origin, color_scheme=scheme, viewport=SIZES[size]) as visit:
        visit.page.context.add_cookies(
            [
                {"name": name, "value": value, "url": running.origin}
                for name, value in running.cookies.items()
            ]
        )
        for address in running.addresses:
            visit.open(address)
            assert_faultless(visit.page, axe)


def test_a_refusal_of_too_many_logins_has_no_fault(
    browser: Browser, running: Running, axe: str
) -> None:
    stranger = Visitor(running.origin)
    answers = (stranger.post("/login", {"token": "sat_wrong"}) for _ in range(2 * LOGINS_A_MINUTE))
    assert any(answer.status == 429 for answer in answers)
    for size in SIZES.values():
        with visiting(browser, running.origin, viewport=size) as visit:
            page = visit.open("/login")
            page.locator("input[name=token]").fill("sat_wrong")
            with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
                page.get_by_role("button", name="Log in").click()
            assert answer.value.status == 429
            page.wait_for_load_state()
            assert_faultless(page, axe)
