from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from arena.cli.app import run
from arena.league.tournament import read_file, tournament_document
from arena.store.open import open_store
from arena.store.queries import tournament_named
from arena.store.schema import CompetitionState, Format, Partners
from arena.tournament import Entrant, Pairing, TournamentCourse, TournamentTerms
from arena.views.tournaments.tournament import (
    FORMAT,
    EnteredVersion,
    PlayedGroup,
    PlayedRound,
    PlayedTable,
    Tournament,
    placed,
    placed_in_pools,
)
from arena.web.competitions import bracket_of
from tests.support.chromium import DESKTOP, PHONE, visiting
from tests.support.fetched import fetched
from tests.support.played_competitions import BOTS, add_tournament, play, tournament_jobs
from tests.support.played_tournament import by_strength, field_of, play_out
from tests.support.run_folder import data_folder, pages_of


def play_pools(data: Path) -> None:
    """Plays pools of three and two, and their final."""
    store = open_store(data, "write")
    terms = {"pool_size": 3, "advance": 1, "groups": 1}
    add_tournament(store, "pools", "single-elimination", terms=terms)
    play(store, tournament_jobs(store, "pools"), Random(7))
    store.close()


pooled = data_folder(play_pools)
pools_site = pages_of("pooled")

TOURNAMENTS = ("robin", "bracket", "shared")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_terminal_download_api_and_file_have_the_same_document(
    busy: Path, busy_site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert run(["tournament", "show", name, "--json", "--data", str(busy)]) == 0
    printed = json.loads(capsys.readouterr().out)
    answer = fetched(f"{busy_site}/tournaments/{name}/document.json")
    assert json.loads(answer.html) == printed
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.json"'
    assert json.loads(fetched(f"{busy_site}/api/tournaments/{name}").html) == printed
    file = tmp_path / "cup.jsonl"
    assert run(["tournament", "export", name, str(file), "--data", str(busy)]) == 0
    assert json.loads(file.read_text().splitlines()[0]) == printed
    document, _ = read_file(file)
    assert document.model_dump(mode="json") == printed


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_page_has_the_terminals_standings_and_every_match(
    busy: Path, busy_site: str, name: str
) -> None:
    store = open_store(busy, "read")
    with store.reading() as session:
        document = tournament_document(session, tournament_named(session, name))
    store.close()
    page = fetched(f"{busy_site}/tournaments/{name}")
    standings = page.words.split(" Standings ")[1].split(" Rounds ")[0]
    for one in document.standings:
        assert f"{one.place} {one.bot} {one.number}" in standings
    for played in document.rounds:
        for table in played.tables:
            for group in table.groups:
                for match in group.matches:
                    assert f'href="/matches/{match.match}"' in page.html
    assert document.commitment in page.words
    secret = document.secret or "revealed once the tournament has ended"
    assert f"Secret {secret}" in page.words


def test_a_round_robin_has_a_crosstable_that_agrees_with_its_standings(busy_site: str) -> None:
    page = fetched(f"{busy_site}/tournaments/robin").html
    rows = page.split('class="fit cross"')[1].split("</table>")[0].split("<tr>")[2:]
    assert len(rows) == len(BOTS)
    for row in rows:
        cells = re.findall(r'href="#round-\d+-table-\d+">([\d.]+)</a>', row)
        [points] = re.findall(r"<strong>([\d.]+)</strong>", row)
        assert len(cells) == len(BOTS) - 1
        bye = 1
        assert sum(map(float, cells)) + bye == pytest.approx(float(points), abs=1e-6)
    assert "Crosstable" not in fetched(f"{busy_site}/tournaments/bracket").words


def test_unchanged_it_is_not_sent_again(busy_site: str) -> None:
    for path in ("/tournaments/robin", "/tournaments/robin/document.json"):
        tag = fetched(busy_site + path).headers["ETag"]
        assert fetched(busy_site + path, If_None_Match=tag).status == 304


def test_an_unknown_tournament_gets_a_question(busy_site: str) -> None:
    for path in ("/tournaments/robbin", "/tournaments/robbin/document.json"):
        page = fetched(busy_site + path)
        assert (page.status, "Did you mean robin?" in page.words) == (404, True)


def test_all_tournaments_are_listed(busy_site: str) -> None:
    page = fetched(f"{busy_site}/tournaments")
    for name in TOURNAMENTS:
        assert f'href="/tournaments/{name}"' in page.html


@pytest.mark.needs("chromium")
def test_a_tie_of_the_bracket_leads_to_its_matches(browser: Browser, busy_site: str) -> None:
    for size in (PHONE, DESKTOP):
        with visiting(browser, busy_site, viewport=size) as visit:
            page = visit.open("/tournaments/bracket")
            page.locator("svg a").first.click()
            row = page.locator("tr:target")
            expect(row).to_be_visible()
            assert row.locator('a[href^="/matches/"]').count() >= 2


FORMATS = [("single-elimination", 2), ("double-elimination", 2), ("single-elimination", 4)]


@pytest.mark.parametrize(("format", "sides"), FORMATS)
@pytest.mark.parametrize("count", [4, 5, 11, 32])
def test_a_bracket_has_every_table_once_and_nothing_overlaps(
    seed: int, format: str, sides: int, count: int
) -> None:
    document = document_of(format, sides, count, Random(seed))
    bracket = bracket_of(document)
    assert bracket is not None
    tables = {(played.round, table.table) for played in document.rounds for table in played.tables}
    drawn = [(box.round, box.table) for box in bracket.boxes if box.table is not None]
    assert sorted(drawn) == sorted(tables)
    for box in bracket.boxes:
        assert box.x + box.width <= bracket.width
        assert box.y + box.height <= bracket.height
        for other in bracket.boxes:
            if other is not box and other.x == box.x:
                assert other.y >= box.y + box.height or box.y >= other.y + other.height
    [winner] = [one.number for one in document.standings if one.place == 1]
    last = [box for box in bracket.boxes if box.round == len(document.rounds)]
    assert [line.number for box in last for line in box.lines if line.goes_on] == [winner]


def test_both_brackets_of_a_double_elimination_are_drawn(seed: int) -> None:
    document = document_of("double-elimination", 2, 8, Random(seed))
    bracket = bracket_of(document)
    assert bracket is not None
    (_, _, upper), (_, below, lower), (_, between, last) = bracket.parts
    assert (upper, lower, last) == ("Winners' bracket", "Losers' bracket", "Final")
    assert between < below
    for box in bracket.boxes:
        if box.table is not None:
            side = document.brackets[box.round, box.table]
            assert (box.y > below) == (side == "losers' bracket")
            assert sum(line.goes_on for line in box.lines) == 1
    sides = list(document.brackets.values())
    assert sides.count("winners' bracket") == 7
    assert sides.count("losers' bracket") == 6
    assert sides.count("final") in (1, 2)


@pytest.mark.parametrize("count", [5, 8, 13, 32])
@pytest.mark.parametrize("format", ["single-elimination", "double-elimination"])
def test_the_ways_of_a_bracket_do_not_cross(seed: int, format: str, count: int) -> None:
    bracket = bracket_of(document_of(format, 2, count, Random(seed)))
    assert bracket is not None
    ways = [tuple(map(float, re.findall(r"[\d.]+", path))) for path in bracket.paths]
    for x, y, _, _, _, _, end_x, end_y in ways:
        for other_x, other_y, _, _, _, _, other_end_x, other_end_y in ways:
            if (other_x, other_end_x) == (x, end_x) and other_y < y:
                assert other_end_y <= end_y


def test_the_table_for_the_third_place_is_drawn_below_the_final(seed: int) -> None:
    document = document_of("single-elimination", 2, 8, Random(seed), third_place=True)
    bracket = bracket_of(document)
    assert bracket is not None
    *_, final, third = bracket.boxes
    assert [document.brackets[3, box.table or 0] for box in (final, third)] == [
        "final",
        "third place",
    ]
    assert third.y > final.y + final.height
    assert third.y + third.height <= bracket.height
    assert [name for _, _, name in bracket.parts] == ["Third place"]


def test_the_page_has_the_standings_of_pools(pools_site: str) -> None:
    page = fetched(f"{pools_site}/tournaments/pools")
    first, second = page.words.split(" Pool 1 ")[1].split(" Bracket ")[0].split(" Pool 2 ")
    assert [sum(name in pool for name in BOTS) for pool in (first, second)] == [3, 2]
    assert (
        "round robins in pools of at most 3; the first goes on; tie-breaks: direct-encounter (DE),"
        in page.words
    )
    assert page.html.count("<svg") == 1


@pytest.mark.parametrize("format", ["single-elimination", "double-elimination"])
def test_the_bracket_after_pools_has_its_rounds_and_the_pools_their_tables(
    seed: int, format: str
) -> None:
    document = document_of(format, 2, 11, Random(seed), pool_size=4)
    assert [len(pool) for pool in document.pools] == [3, 4, 4]
    assert {part for (number, _), part in document.brackets.items() if number <= 3} == {
        *("pool 1", "pool 2", "pool 3")
    }
    bracket = bracket_of(document)
    assert bracket is not None
    assert [number for _, number in bracket.rounds] == [*range(4, len(document.rounds) + 1)]
    drawn = [(box.round, box.table) for box in bracket.boxes if box.table is not None]
    assert sorted(drawn) == sorted(
        (played.round, table.table) for played in document.rounds[3:] for table in played.tables
    )
    [winner] = [one.bot for one in document.standings if one.place == 1]
    last = [box for box in bracket.boxes if box.round == len(document.rounds)]
    assert [line.name for box in last for line in box.lines if line.goes_on] == [winner]
    in_pools = document.model_copy(update={"rounds": document.rounds[:2]})
    assert bracket_of(in_pools) is None


def test_a_field_too_large_is_not_drawn(seed: int) -> None:
    assert bracket_of(document_of("single-elimination", 2, 129, Random(seed))) is None


def document_of(format: str, sides: int, count: int, rng: Random, **terms: Any) -> Tournament:
    """A tournament that was played in thought."""
    course = play_out(
        TournamentTerms(format=format, per_table=sides, **terms),
        field_of(count),
        by_strength(rng),
    )
    rounds = tuple(round_of(course, pairing) for pairing in course.rounds)
    return Tournament(
        format=FORMAT,
        tournament="cup",
        state=CompetitionState.OVER,
        problem="",
        game="xeri",
        rules_version=1,
        options={},
        seats=sides,
        deals=Format.DUPLICATE,
        partners=Partners.SAME,
        common_deals=True,
        bank_ms=0,
        increment_ms=0,
        terms=course.terms,
        plays=format,
        starts_at=None,
        check_in_minutes=0,
        commitment="c" * 64,
        secret="",
        plan_digest="",
        events=(),
        chain="",
        entrants=tuple(map(entered, course.entrants)),
        rounds=rounds,
        standings=placed(course, rounds, ""),
        pools=placed_in_pools(course, rounds),
        places=None,
    )


def entered(entrant: Entrant) -> EnteredVersion:
    return EnteredVersion(
        number=entrant.number,
        bot=entrant.name,
        version="d" * 64,
        version_number=1,
        owner=entrant.owner,
        entered_round=entrant.entered_round,
        withdrawn_round=entrant.withdrawn_round,
        reason="",
        checked_in=False,
    )


def round_of(course: TournamentCourse, pairing: Pairing) -> PlayedRound:
    return PlayedRound(
        round=pairing.round,
        method=pairing.method,
        costs=pairing.costs,
        byes=pairing.byes,
        tables=tuple(
            PlayedTable(
                table=meeting.table,
                entrants=meeting.entrants,
                groups=tuple(
                    PlayedGroup(
                        group=number,
                        job=f"{meeting}-{number}",
                        points=points,
                        faults=(0,) * len(points),
                        matches=(),
                    )
                    for number, points in enumerate(course.scores_at(meeting), 1)
                ),
            )
            for meeting in pairing.meetings
        ),
    )


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_forced_colours_leave_brackets_and_crosstables_legible(
    browser: Browser, busy_site: str
) -> None:
    with visiting(browser, busy_site, forced_colors="active") as visit:
        assert visit.open("/tournaments/bracket").evaluate(INKS) == [True]
        page = visit.open("/tournaments/robin")
        page.locator(".cross .self").first.wait_for()
        assert "none" not in page.evaluate(OWN_CELLS)


# Whether the lines and letters of a bracket have the colour of the page's letters.
INKS = """() => {
  const ink = getComputedStyle(document.body).color;
  const drawn = (kind, of) => [...document.querySelectorAll(`.bracket ${kind}`)]
    .map((one) => getComputedStyle(one)[of] === ink);
  return [...new Set([...drawn(':is(.box, .way)', 'stroke'), ...drawn('text', 'fill')])];
}"""
OWN_CELLS = """() => [...document.querySelectorAll('.cross .self')]
  .map((cell) => getComputedStyle(cell).backgroundImage)"""


def test_a_tournament_that_has_not_begun_says_so(busy_site: str) -> None:
    page = fetched(f"{busy_site}/tournaments/to-come")
    assert page.status == 200
    assert "No round has been paired yet." in page.words
    assert "Secret revealed once the tournament has ended" in page.words
    assert "<svg" not in page.html
